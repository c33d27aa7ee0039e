/** Maximum depth of the list of items: below the root object and one wrapper. Lists inside items are deeper. */
const DEEPEST = 3
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts list elements while a page's JSON arrives, so that an endless page is not read to its end. */
export class PageBound {
  readonly most: number
  /** A list has more than `most` elements. */
  over = false
  readonly #commas: number[] = []
  readonly #isList: boolean[] = []
  #depth = 0
  #inText = false
  #escaped = false

  /** @param pageSize as requested; a service may send up to ten times as many */
  constructor(pageSize: number) {
    this.most = Math.max(1_000, 10 * pageSize)
  }

  /** @returns whether to continue reading */
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
