// Provider-neutral render intents: how a UI may show a call and its result (contract G4). Pure data, card-tagged.

/** Anything: a title, an optional body. */
export interface GenericView {
  readonly card: 'generic'
  readonly title: string
  readonly body?: string
}

/** A command and its output. */
export interface TerminalView {
  readonly card: 'terminal'
  readonly command: string
  readonly output?: string
  readonly exitCode?: number
}

/** A change to one file. */
export interface DiffView {
  readonly card: 'diff'
  readonly path: string
  readonly before?: string
  readonly after?: string
}

/** A query and its hits. */
export interface SearchView {
  readonly card: 'search'
  readonly query: string
  readonly hits?: readonly string[]
}

/** A file, or a part of it, that was read. */
export interface ReadView {
  readonly card: 'read'
  readonly path: string
  readonly text?: string
}

/** A page of the web. */
export interface WebView {
  readonly card: 'web'
  readonly url: string
  readonly title?: string
}

/** How a call may be shown. */
export type ToolCallView = GenericView | TerminalView | DiffView | SearchView | ReadView | WebView
/** How a result may be shown. */
export type ToolResultView = ToolCallView
