import type { Shape } from '../json/tree.ts'

/**
 * `rewritten`: the same value in other digits or escapes (`14.00` for `14`). A container is `changed` when anything in it differs that is
 * not ignored.
 */
export type Change = 'same' | 'rewritten' | 'changed' | 'added' | 'removed'

export interface Side {
  readonly shape: Shape
  readonly source: string
  readonly clipped: boolean
  readonly size: number
}
export const SOURCE_KEPT = 2_000

export interface DiffNode {
  /** Of an element: its index, on the right side if it is there. Empty for the root. */
  readonly name: string
  /** Such as `LineId 3`; null for members and for elements paired by position. */
  readonly key: string | null
  /** RFC 6901 pointer on the right side, or on the left for removed values. */
  readonly pointer: string
  readonly change: Change
  readonly ignored: boolean
  readonly moved: { readonly from: number; readonly to: number } | null
  readonly left: Side | null
  readonly right: Side | null
  readonly children: readonly DiffNode[]
}

export type DiffCounts = Readonly<Record<Exclude<Change, 'same'> | 'moved' | 'ignored', number>>

export interface Diff {
  readonly root: DiffNode
  /** Counts of values other than containers; a container added or removed counts once. */
  readonly counts: DiffCounts
  /** Pointer of each list -> name of the key member; null: paired by position. */
  readonly pairedBy: ReadonlyMap<string, string | null>
}

export type NoDiff =
  | { readonly reason: 'not-json'; readonly side: 'left' | 'right' | 'both' }
  | { readonly reason: 'too-many' | 'too-deep'; readonly limit: number }

export interface DiffOptions {
  readonly ignored: readonly string[]
}

/** Fields that differ in every delivery without significance. */
export const VOLATILE: readonly string[] = ['/Timestamp']

/** Maximum values of both sides together: a larger diff is unreadable and exceeds the window's memory. */
export const DIFF_VALUES = 200_000
export const DIFF_DEPTH = 100
