import { diffBodies } from '#core/diff/diff.ts'
import type { Diff, NoDiff } from '#core/diff/types.ts'
import { answering } from '@/shared/platform/worker.ts'
import { diffLines } from './diffs.ts'

const TEXT_COMPARED = 4 * 1024 * 1024

export interface DiffRequest {
  readonly left: ArrayBuffer
  readonly right: ArrayBuffer
  readonly ignored: readonly string[]
}

/** Where the structure cannot be compared, the text is, line by line, and `because` says why. `whole`: to its end. */
export interface TextDiff extends ReturnType<typeof diffLines> {
  readonly because: NoDiff
}
export type Comparison = { readonly diff: Diff } | { readonly text: TextDiff }

answering(({ left, right, ignored }: DiffRequest): Comparison => {
  const result = diffBodies(new Uint8Array(left), new Uint8Array(right), { ignored })
  if (!('reason' in result)) return { diff: result }
  const decode = (body: ArrayBuffer) => new TextDecoder().decode(body.slice(0, TEXT_COMPARED)).split(/\r?\n/)
  const found = diffLines(decode(left), decode(right))
  const cut = Math.max(left.byteLength, right.byteLength) > TEXT_COMPARED
  return { text: { because: result, ...found, whole: found.whole && !cut, equal: found.equal && !cut } }
})
