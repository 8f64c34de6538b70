// The `format` keyword (contract G3). Every check takes time linear in the text: the expressions have nothing to backtrack into, and what
// would is taken apart first. Formats that are not listed here are annotation, as the standard has it; `regex` is one of them, since
// authors write the regular expressions of many languages.
import { isIPv4, isIPv6 } from 'node:net'

/** One format. */
export interface Format {
  /** What a text must be, for a message: `an email address`. */
  readonly label: string
  test(text: string): boolean
}

const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i
const DURATION = /^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:[.,]\d+)?S)?)?)$/
const NO_URI_CHARACTER = /[\s"<>\\^`{|}]|%(?![\da-f]{2})/i
const NO_ASCII = /[^\x21-\x7e]/
const SCHEME = /^[a-z][a-z\d+.-]*:/i
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#$|(?=\/|$))/

const isDate = (text: string): boolean => {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (year === undefined) return false
  return (
    Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= lastDay(Number(year), Number(month))
  )
}

const isTime = (text: string): boolean => {
  const [, hour, minute, second, offsetHour = '0', offsetMinute = '0'] = TIME.exec(text) ?? []
  if (hour === undefined) return false
  // 60 is a leap second.
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  )
}

const isHostname = (text: string): boolean => {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label))
}

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && isHostname(text.slice(at + 1))
}

const isUriReference = (text: string): boolean => !NO_URI_CHARACTER.test(text) && !NO_ASCII.test(text)
const isIriReference = (text: string): boolean => !NO_URI_CHARACTER.test(text)

/** The formats that are checked. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['date', { label: 'a date such as 2024-05-31', test: isDate }],
  ['time', { label: 'a time with its zone, such as 12:30:00Z', test: isTime }],
  [
    'date-time',
    {
      label: 'a date and time with its zone, such as 2024-05-31T12:30:00Z',
      test: (text) => /^[t ]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
    },
  ],
  ['duration', { label: 'a duration such as P1DT2H', test: (text) => DURATION.test(text) && /\d\D$/.test(text) }],
  ['email', { label: 'an email address', test: isEmail }],
  ['idn-email', { label: 'an email address', test: (text) => /^[^\s@]+@[^\s@]+$/.test(text) }],
  ['hostname', { label: 'a host name', test: isHostname }],
  ['ipv4', { label: 'an IPv4 address', test: (text) => isIPv4(text) }],
  ['ipv6', { label: 'an IPv6 address', test: (text) => isIPv6(text) && !text.includes('%') }],
  [
    'uri',
    {
      label: 'a URI with its scheme, such as https://example.org/a',
      test: (text) => SCHEME.test(text) && isUriReference(text),
    },
  ],
  ['uri-reference', { label: 'a URI or a relative reference', test: isUriReference }],
  ['iri', { label: 'an IRI with its scheme', test: (text) => SCHEME.test(text) && isIriReference(text) }],
  ['iri-reference', { label: 'an IRI or a relative reference', test: isIriReference }],
  ['uuid', { label: 'a UUID', test: (text) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text) }],
  ['json-pointer', { label: 'a JSON pointer', test: (text) => POINTER.test(text) }],
  [
    'relative-json-pointer',
    {
      label: 'a relative JSON pointer',
      test: (text) => RELATIVE_POINTER.test(text) && (text.endsWith('#') || POINTER.test(text.replace(/^\d+/, ''))),
    },
  ],
])

function lastDay(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
