import { messageOf } from '#contract/errors.ts'
import { diffBodies } from '#core/diff/diff.ts'
import type { Comparison, DiffReply, DiffRequest } from './diff-protocol.ts'
import { diffLines } from './line-diff.ts'

/** Characters of a text that are compared line by line. */
const TEXT_COMPARED = 4 * 1024 * 1024

function compare({ left, right, ignored }: DiffRequest): Comparison {
  const result = diffBodies(new Uint8Array(left), new Uint8Array(right), { ignored })
  if (!('reason' in result)) return { diff: result }
  const decode = (body: ArrayBuffer) => new TextDecoder().decode(body.slice(0, TEXT_COMPARED)).split(/\r?\n/)
  const found = diffLines(decode(left), decode(right))
  const cut = Math.max(left.byteLength, right.byteLength) > TEXT_COMPARED
  return { text: { because: result, ...found, whole: found.whole && !cut, equal: found.equal && !cut } }
}

self.addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  const answer = (reply: DiffReply) => self.postMessage(reply)
  try {
    answer({ result: compare(data) })
  } catch (error) {
    answer({ error: messageOf(error) })
  }
})
