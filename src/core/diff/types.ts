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
  /** An element's is its position, on the right side where it stands there. Empty for the root. */
  readonly name: string
  /** As `LineId 3`; null for members, and for elements paired by position. */
  readonly key: string | null
  /** RFC 6901, on the right side, or on the left for what only stands there. */
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
  /** Of values that are no containers on both sides; what was added or removed whole counts once. */
  readonly counts: DiffCounts
  /** Pointer of the list -> member name, null for position. */
  readonly pairedBy: ReadonlyMap<string, string | null>
}

export type NoDiff =
  | { readonly reason: 'not-json'; readonly side: 'left' | 'right' | 'both' }
  | { readonly reason: 'too-many' | 'too-deep'; readonly limit: number }

export interface DiffOptions {
  readonly ignored: readonly string[]
}

/** What changes from delivery to delivery without meaning anything. */
export const VOLATILE: readonly string[] = ['/Timestamp']

/** Values of both sides together: beyond it no reader follows a structure, and the window's memory would not hold it. */
export const DIFF_VALUES = 200_000
export const DIFF_DEPTH = 100
