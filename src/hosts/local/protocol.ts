import { z } from 'zod'
import type { Refusal } from '#contract/errors.ts'
import { refusal } from '#contract/params.ts'

/**
 * One JSON text per line. A client sends `{id, command, params}` and gets `{id, result}` or `{id, refusal}`, in any order.
 * The command `subscribe` answers `{}`; after that the host sends pushes as lines without an id.
 */
export const SUBSCRIBE = 'subscribe'

export const REQUEST_LIMIT = 4 * 1_048_576

export const request = z.object({
  id: z.union([z.int(), z.string().max(200)]),
  command: z.string().max(200),
  params: z.unknown().optional(),
})

export type Reply =
  | { readonly id: number | string; readonly result: unknown }
  /** The id is null when the host could not parse the line. */
  | { readonly id: number | string | null; readonly refusal: Refusal }

/** A line from the host: an answer or a push. */
export const reply = z.union([
  z.object({ id: z.union([z.int(), z.string(), z.null()]), refusal }),
  z.object({ id: z.union([z.int(), z.string()]), result: z.unknown() }),
  z.object({ seq: z.int(), push: z.string(), payload: z.unknown() }),
])

/** Splits a byte stream into lines of UTF-8 text. It drops and reports a line beyond the limit, and continues with the next one. */
export class LineReader {
  readonly #limit: number
  readonly #onLine: (line: string) => void
  readonly #onTooLong: () => void
  #parts: Buffer[] = []
  #length = 0

  /** @param limit bytes of the longest line, without its newline */
  constructor(limit: number, onLine: (line: string) => void, onTooLong: () => void) {
    this.#limit = limit
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  push(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      this.#take(bytes.subarray(from, end))
      this.#finish()
      from = end + 1
    }
    this.#take(bytes.subarray(from))
  }

  #take(part: Buffer): void {
    this.#length += part.length
    if (this.#length > this.#limit) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #finish(): void {
    const line = this.#length > this.#limit ? undefined : Buffer.concat(this.#parts).toString()
    this.#parts = []
    this.#length = 0
    if (line === undefined) this.#onTooLong()
    else if (line.trim() !== '') this.#onLine(line)
  }
}
