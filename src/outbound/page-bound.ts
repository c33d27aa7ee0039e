/** Lists this deep may be the items of a page: below a root object and one wrapper. Lists inside of items lie deeper. */
const DEEPEST = 3
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts the elements of a page's lists while its JSON arrives, so that an endless page is not read to its end. */
export class PageBound {
  readonly most: number
  /** A list has more elements than that. */
  over = false
  readonly #commas: number[] = []
  readonly #isList: boolean[] = []
  #depth = 0
  #inText = false
  #escaped = false

  /** @param pageSize as asked for: a service may send more, ten times as many, but not without end */
  constructor(pageSize: number) {
    this.most = Math.max(1_000, 10 * pageSize)
  }

  /** @returns whether to go on reading */
  take(piece: Uint8Array): boolean {
    for (let at = 0; at < piece.length && !this.over; at++) this.#byte(piece[at] ?? 0)
    return !this.over
  }

  #byte(byte: number): void {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#inText = false
    } else if (byte === QUOTE) this.#inText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#depth++
      if (this.#depth > DEEPEST) return
      this.#isList[this.#depth] = byte === OPEN_LIST
      this.#commas[this.#depth] = 0
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--
    else if (byte === COMMA && this.#depth <= DEEPEST && this.#isList[this.#depth]) {
      const commas = (this.#commas[this.#depth] ?? 0) + 1
      this.#commas[this.#depth] = commas
      this.over = commas >= this.most
    }
  }
}
