import { ANSWER_KEPT } from '#contract/values.ts'

/** An answer longer than this is not read to its end. */
export const ANSWER_READ = 100 * 1024 * 1024

/** The body of an answer as it comes: the beginning is kept, the rest counted. */
export class AnswerBody {
  size = 0
  readonly #pieces: Buffer[] = []
  readonly #most: number

  /** @param most bytes to keep */
  constructor(most = ANSWER_KEPT) {
    this.#most = most
  }

  /** @returns whether to go on reading */
  take(piece: Buffer): boolean {
    const room = this.#most - this.size
    this.size += piece.length
    if (room > 0) this.#pieces.push(piece.length > room ? piece.subarray(0, room) : piece)
    return this.size < ANSWER_READ
  }

  /** At most so many bytes; Content-Encoding is not undone. */
  kept(): Uint8Array {
    const [only] = this.#pieces
    return this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
  }
}

/** A target may close a connection that lies idle just as the next request is written to it: what lay longer is not used. */
const IDLE_AT_MOST_MS = 1_000

/** How long, in milliseconds, an answer's connection may lie idle and still be used, by its Keep-Alive and Connection headers. */
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
