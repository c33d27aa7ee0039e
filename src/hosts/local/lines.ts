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
