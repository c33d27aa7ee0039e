/** A typed array that grows: plain arrays of millions of numbers cost eight times the memory and stop for copying. */
export class GrowingUint32 {
  #items = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Uint32Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.length] = value
    this.length += 1
  }

  at(index: number): number {
    return this.#items[index] ?? 0
  }

  set(index: number, value: number): void {
    this.#items[index] = value
  }

  /** Place of the last item that is not greater than `value`, or -1. The items must ascend. */
  lastUpTo(value: number): number {
    return firstPlace(this.length, (place) => this.at(place) > value) - 1
  }
}

/** The first of `count` places at which `passes` holds, or `count`. What holds at one place must hold at all after it. */
export function firstPlace(count: number, passes: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}
