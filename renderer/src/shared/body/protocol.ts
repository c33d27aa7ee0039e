/** What the body worker is asked and answers. Everything here is plain data that can be posted. */

export type BodyView = 'pretty' | 'text' | 'hex'

/** How a stretch of a row is drawn. `chip`: a character that would not be seen, or a byte that is no UTF-8. */
export type Ink = 'key' | 'string' | 'number' | 'literal' | 'mark' | 'plain' | 'chip' | 'dim' | 'broken'
/** `hit` 1: a match of the search, 2: the present one. */
export type Stretch = readonly [ink: Ink, text: string, hit: 0 | 1 | 2]

export interface BodyRow {
  /** Line of the body's index that this row draws (pretty), or its first byte (text, hex). */
  readonly at: number
  /** Shown in the gutter; null for the continuation of a long line. */
  readonly number: number | null
  readonly depth: number
  /** null: nothing to fold here. */
  readonly folded: boolean | null
  readonly stretches: readonly Stretch[]
}

export interface BodySummary {
  /** Bytes that the index covers. */
  readonly bytes: number
  /** What the body looks like; decides the first view. */
  readonly nature: 'json' | 'text' | 'binary' | 'empty'
  /** Rows of each view with nothing folded. */
  readonly rows: { readonly pretty: number; readonly text: number }
  /** Where the pretty view had to give up reading JSON, 1-based, in bytes' own text; null when it read to the end. */
  readonly brokenAt: { readonly line: number; readonly column: number } | null
  /** More lines than the view holds: the rest is in the hex view only. */
  readonly limited: { readonly pretty: boolean; readonly text: boolean }
}

/** One member of an object, or one item of a list, as it was sent. */
export interface Member {
  /** Line of the index, for `items` and `locate`. */
  readonly line: number
  /** Unescaped name; for items of a list, their position. */
  readonly name: string
  readonly type: 'string' | 'number' | 'literal' | 'object' | 'array'
  /** Strings: the characters meant. Numbers and literals: the digits as sent. Objects and lists: the JSON as sent. Clipped to TEXT_KEPT. */
  readonly text: string
  /** True when `text` is not all of it. */
  readonly clipped: boolean
  /** The same name came again later; the last one counts. */
  readonly repeated: boolean
}
export const TEXT_KEPT = 2_000
/** Members of one object that are listed; beyond them only their number is told. */
export const MEMBERS_KEPT = 400

export interface Members {
  readonly line: number
  readonly list: readonly Member[]
  readonly total: number
}
export interface EventModel {
  readonly root: 'object' | 'other' | 'none'
  readonly envelope: Members | null
  readonly data: Members | null
  readonly accounting: Members | null
  /** Items of Lines when it is a list. */
  readonly lines: { readonly line: number; readonly count: number } | null
}

/** `number`: of a row in the gutter of the view asked; `offset`: of a byte. */
export type Place =
  | { readonly pointer: string }
  | { readonly line: number; readonly column: number }
  | { readonly number: number }
  | { readonly offset: number }

/** One field added up over the lines. */
export interface FieldTotal {
  readonly field: string
  /** Only of lines whose IsExempt is this; null: of all. */
  readonly exempt: boolean | null
  /** Plain decimal notation; null when no line has a number there, or the numbers lie too far apart to be written out. */
  readonly sum: string | null
  /** Lines with a number, with something else, without the field. */
  readonly numbers: number
  readonly others: number
  readonly absent: number
}
export interface LineTotals {
  /** Items that are objects, and the rest. */
  readonly lines: number
  readonly others: number
  /** Lines whose IsExempt is neither true nor false. */
  readonly unclear: number
  readonly totals: readonly FieldTotal[]
  /** Undocumented fields, and how often each occurs. */
  readonly unknown: readonly { readonly name: string; readonly times: number }[]
  readonly moreUnknown: boolean
}

/** name -> what goes in, what comes out. Every request names the document that it is about. */
export interface BodyCalls {
  /** Begins, or begins again, a document of which `bytes` bytes will be given. */
  open: { params: { bytes: number }; result: null }
  /** The next bytes, in order. */
  feed: { params: { base64: string }; result: { received: number } }
  /** Reads what was fed. `whole`: nothing follows, so an unfinished value is broken rather than cut. */
  read: { params: { whole: boolean }; result: BodySummary }
  rows: {
    params: { view: BodyView; from: number; count: number; bytesPerRow: number }
    result: { rows: readonly BodyRow[]; total: number }
  }
  fold: { params: { line: number; folded: boolean }; result: { total: number } }
  /** Folds every object and list from that depth on; null unfolds all. */
  'fold-all': { params: { depth: number | null }; result: { total: number } }
  find: { params: { text: string; matchCase: boolean }; result: { count: number; capped: boolean } }
  /** Makes a match the present one and tells its row, unfolding what hides it. */
  match: {
    params: { index: number; view: BodyView; bytesPerRow: number }
    result: { row: number; total: number }
  }
  /** The row of a place; for a member that is absent, the row of the nearest one above it that is there. */
  locate: {
    params: { place: Place; view: BodyView; bytesPerRow: number }
    result: { row: number; total: number }
  }
  /** Pointer and place of the value that begins on a line of the pretty view; null when it lies too deep. */
  pointer: { params: { line: number }; result: { pointer: string; line: number; column: number } | null }
  event: { params: Record<string, never>; result: EventModel }
  /** Items of a list with their members, each text clipped to CELL_KEPT. */
  items: {
    params: { line: number; from: number; count: number }
    result: { items: readonly (readonly Member[])[] }
  }
  /** Adds up the items of a list, all of them; null when the body was closed meanwhile. */
  totals: { params: { line: number }; result: LineTotals | null }
  /** The value on a line of the pretty view for the clipboard: the characters of a string, anything else as sent; null where there is none. */
  value: { params: { line: number }; result: { text: string } | null }
  /** The whole as text for the clipboard. */
  text: { params: { view: BodyView }; result: { text: string } }
  close: { params: Record<string, never>; result: null }
}
export const CELL_KEPT = 200
export type BodyCall = keyof BodyCalls

export interface BodyRequest<C extends BodyCall = BodyCall> {
  readonly id: number
  readonly doc: number
  readonly call: C
  readonly params: BodyCalls[C]['params']
}
export type BodyReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
