import { ANSWER_KEPT } from '#contract/values.ts'

/** Maximum bytes read of an answer. */
export const ANSWER_READ = 100 * 1024 * 1024

/** Body of an answer in progress: keeps the beginning and counts the rest. */
export class AnswerBody {
  size = 0
  readonly #pieces: Buffer[] = []
  readonly #most: number

  /** @param most maximum bytes to keep */
  constructor(most = ANSWER_KEPT) {
    this.#most = most
  }

  /** @returns whether to continue reading */
  take(piece: Buffer): boolean {
    const room = this.#most - this.size
    this.size += piece.length
    if (room > 0) this.#pieces.push(piece.length > room ? piece.subarray(0, room) : piece)
    return this.size < ANSWER_READ
  }

  /** The kept bytes, at most `most`; Content-Encoding is not removed. */
  kept(): Uint8Array {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
  }
}

/** Maximum idle time, in case the target does not announce one: it may close an idle connection just as the next request is written. */
const IDLE_AT_MOST_MS = 1_000

/** Milliseconds for which a connection may be reused after an answer, by its Keep-Alive and Connection headers. */
export function idleAtMost(headers: readonly string[], httpVersion = '1.1'): number {
  let most = httpVersion === '1.1' ? IDLE_AT_MOST_MS : 0
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name, value = ''] = [headers[i], headers[i + 1]]
    if (name?.length !== 10) continue
    const lower = name.toLowerCase()
    if (lower === 'connection' && /(?:^|[\s,])close(?:$|[\s,])/i.test(value)) return 0
    const seconds = lower === 'keep-alive' && /timeout=(\d+)/i.exec(value)?.[1]
    if (seconds) most = Math.max(0, Math.min(most, Number(seconds) * 1_000 - 500))
  }
  return most
}
