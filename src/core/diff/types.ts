import type { Shape } from '../json/tree.ts'

/**
 * What became of a value. `rewritten`: the same value in other digits or escapes (`14.00` for `14`). A container is `changed` when
 * anything in it differs that is not ignored.
 */
export type Change = 'same' | 'rewritten' | 'changed' | 'added' | 'removed'

export interface Side {
  readonly shape: Shape
  /** The source as sent, at most SOURCE_KEPT characters of it. */
  readonly source: string
  readonly clipped: boolean
  readonly size: number
}
export const SOURCE_KEPT = 2_000

export interface DiffNode {
  /** Member name; for an element its position, on the right side where it stands there. Empty for the root. */
  readonly name: string
  /** What elements were paired by, as `LineId 3`; null where they were paired by position, and for members. */
  readonly key: string | null
  /** RFC 6901, on the right side, or on the left for what only stands there. */
  readonly pointer: string
  readonly change: Change
  readonly ignored: boolean
  /** Positions of an element that stands elsewhere among its paired neighbours. */
  readonly moved: { readonly from: number; readonly to: number } | null
  readonly left: Side | null
  readonly right: Side | null
  readonly children: readonly DiffNode[]
}

export type DiffCounts = Readonly<Record<Exclude<Change, 'same'> | 'moved' | 'ignored', number>>

export interface Diff {
  readonly root: DiffNode
  /** Of values that are no containers on both sides; what was added or removed whole counts once. */
  readonly counts: DiffCounts
  /** What the elements of each list were paired by: pointer of the list -> member name, null for position. */
  readonly pairedBy: ReadonlyMap<string, string | null>
}

/** Why two bodies cannot be compared by structure: one is no JSON, or they pass a limit. */
export type NoDiff =
  | { readonly reason: 'not-json'; readonly side: 'left' | 'right' | 'both' }
  | { readonly reason: 'too-many' | 'too-deep'; readonly limit: number }

export interface DiffOptions {
  /** Pointers whose differences are passed over; a token `*` stands for any one member or element. */
  readonly ignored: readonly string[]
}

/** What changes from delivery to delivery without meaning anything. */
export const VOLATILE: readonly string[] = ['/Timestamp']

/** Values of both sides together: beyond it no reader follows a structure, and the window's memory would not hold it. */
export const DIFF_VALUES = 200_000
export const DIFF_DEPTH = 100
