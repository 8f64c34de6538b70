import type { ContractSection } from './clause.ts'

export const A: ContractSection = {
  letter: 'A',
  title: 'The JSON boundary',
  clauses: [
    {
      id: 'A1',
      text:
        'Everything that enters or leaves a call is _lossless JSON_: null, booleans, finite numbers other than -0, ' +
        'strings, dense arrays without extra properties, and plain or null-prototype objects with string keys. ' +
        '`undefined`, bigint, NaN, infinities, -0, functions, symbols, symbol keys, accessors, sparse arrays, cycles ' +
        'and exotic objects (Date, Map, class instances, proxies that lie) are rejected with an error that names the ' +
        'path (`args.items[3].when`).',
      status: 'held',
    },
    {
      id: 'A2',
      text:
        'A snapshot is detached, reads each slot once, keeps an own `__proto__` key as data, accepts plain containers ' +
        'of another realm, and allows one object in two places (it is copied twice).',
      status: 'held',
    },
    {
      id: 'A3',
      text:
        'Depth never crashes a process: 10 000 levels cross between host and TypeScript programs intact (native JSON ' +
        'where it copes, an iterative path where it does not: `JSON.stringify` overflows near 5 000), 1 000 between ' +
        'host and Python (its own json dies fatally near 10 000), 1 000 through a recursive schema. Deeper values are ' +
        'refused with an error that names the limit.',
      status: 'part',
      missing: 'the path between host and Python',
    },
    {
      id: 'A4',
      text: 'What a host hands on (arguments, values, results) is deeply frozen.',
      status: 'held',
    },
  ],
}
