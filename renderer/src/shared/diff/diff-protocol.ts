import type { Diff, NoDiff } from '#core/diff/types.ts'
import type { DiffLine } from './line-diff.ts'

/** Two decoded bodies; the buffers are handed over. */
export interface DiffRequest {
  readonly left: ArrayBuffer
  readonly right: ArrayBuffer
  /** Pointers that are passed over. */
  readonly ignored: readonly string[]
}

/** Where the structure cannot be compared, the text is, line by line, and `because` says why. */
export interface TextDiff {
  readonly because: NoDiff
  readonly lines: readonly DiffLine[]
  /** False: too unlike, or too long, to be compared line by line. */
  readonly whole: boolean
  readonly equal: boolean
}
export type Comparison = { readonly diff: Diff } | { readonly text: TextDiff }
export type DiffReply = { readonly result: Comparison } | { readonly error: string }
