/** A queue whose first item goes in constant time: Array.shift moves all the others. */
export class Fifo<T> {
  #items: T[] = []
  #head = 0

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const item = this.#items[this.#head]
    if (this.#head < this.#items.length) this.#head += 1
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  /** Takes all that is left, in order. */
  drain(): readonly T[] {
    const rest = this.#items.slice(this.#head)
    this.#items = []
    this.#head = 0
    return rest
  }
}
