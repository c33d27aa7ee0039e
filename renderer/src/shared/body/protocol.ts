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
  readonly line: number
  /** Unescaped name; for items of a list, their position. */
  readonly name: string
  readonly type: 'string' | 'number' | 'literal' | 'object' | 'array'
  /** Strings: the characters meant. Numbers and literals: the digits as sent. Objects and lists: the JSON as sent. Clipped to TEXT_KEPT. */
  readonly text: string
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
  readonly lines: { readonly line: number; readonly count: number } | null
}

/** `number`: of a row in the gutter of the view asked; `offset`: of a byte. */
export type Place =
  | { readonly pointer: string }
  | { readonly line: number; readonly column: number }
  | { readonly number: number }
  | { readonly offset: number }

export interface FieldTotal {
  readonly field: string
  /** Only of lines whose IsExempt is this; null: of all. */
  readonly exempt: boolean | null
  /** Plain decimal notation; null when no line has a number there, or the numbers lie too far apart to be written out. */
  readonly sum: string | null
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
  readonly unknown: readonly { readonly name: string; readonly times: number }[]
  readonly moreUnknown: boolean
}

export const CELL_KEPT = 200
