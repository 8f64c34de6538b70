// What a model reads: content blocks as MCP has them, and the contexts that ride on a result (contract R3).

/** Plain text. */
export interface TextContent {
  readonly type: 'text'
  readonly text: string
}

/** A picture; `data` is base64. */
export interface ImageContent {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
}

/** A sound; `data` is base64. */
export interface AudioContent {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

/** An embedded resource; `blob` is base64. */
export interface ResourceContent {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
  }
}

/** One block of model-facing content. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceContent

/** A message that a call leaves for the conversation, delivered with the call's result (contract D10, R3). */
export interface ContextMessage {
  readonly id: string
  readonly role: 'user'
  readonly content: readonly ContentBlock[]
  /** Who left it, for display. */
  readonly source?: string
}

/** One text block. */
export function textBlock(text: string): TextContent {
  return { type: 'text', text }
}
