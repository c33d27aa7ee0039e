/** Values by key; the least recently used go when there are too many. */
export class RecentlyUsed<T> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, make: () => T): T {
    const found = this.#kept.get(key) ?? make()
    this.#kept.delete(key)
    this.#kept.set(key, found)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest)
    return found
  }

  has(key: string): boolean {
    return this.#kept.has(key)
  }

  clear(): void {
    this.#kept.clear()
  }
}
