import type { DeliveryRow } from '#contract/delivery.ts'

/** Rows per page: four screens or so, one short query. */
export const PAGE_ROWS = 200
/** Pages kept; 40 × 200 rows are a few megabytes. */
const PAGES_KEPT = 40

interface Page {
  readonly slots: (DeliveryRow | undefined)[]
  /** Shown as it is, but to be asked for again. */
  stale: boolean
}

/**
 * The rows that are at hand, by their position from the oldest. Positions never move when rows arrive, so pages stay true.
 * The least recently touched page goes first.
 */
export class PageCache {
  readonly #pages = new Map<number, Page>()
  readonly #rising: boolean

  /** @param rising ids rise with positions, as they do by arrival */
  constructor(rising = true) {
    this.#rising = rising
  }

  row(position: number): DeliveryRow | undefined {
    return this.#pages.get(Math.floor(position / PAGE_ROWS))?.slots[position % PAGE_ROWS]
  }

  /** Puts consecutive rows in; they need not begin on a page. */
  put(from: number, rows: readonly DeliveryRow[]): void {
    rows.forEach((row, i) => {
      const position = from + i
      const { slots } = this.#page(Math.floor(position / PAGE_ROWS))
      const known = slots[position % PAGE_ROWS]
      // A read may be older than the push that brought the verdict.
      if (known?.id === row.id && known.verdict !== null && row.verdict === null) return
      slots[position % PAGE_ROWS] = row
    })
  }

  /** A page that was just read. */
  putPage(index: number, rows: readonly DeliveryRow[]): void {
    this.#page(index).stale = false
    this.put(index * PAGE_ROWS, rows)
  }

  /** Whether a page lacks one of the positions, of which only those below `total` exist. */
  needs(index: number, first: number, last: number, total: number): boolean {
    const page = this.#pages.get(index)
    if (!page || page.stale) return true
    this.#touch(index, page)
    const end = Math.min(last, total - 1, (index + 1) * PAGE_ROWS - 1)
    for (let position = Math.max(first, index * PAGE_ROWS); position <= end; position++)
      if (page.slots[position % PAGE_ROWS] === undefined) return true
    return false
  }

  /** @returns the position of a row at hand; where ids rise, most pages are passed over by two comparisons */
  find(id: number): number | undefined {
    for (const [index, { slots }] of this.#pages) {
      const first = slots.find((row) => row !== undefined)
      const last = slots.findLast((row) => row !== undefined)
      if (!first || !last || (this.#rising && (id < first.id || id > last.id))) continue
      const slot = slots.findIndex((row) => row?.id === id)
      if (slot >= 0) return index * PAGE_ROWS + slot
    }
    return undefined
  }

  markStale(): void {
    for (const page of this.#pages.values()) page.stale = true
  }

  /** Every row moves to a position that is so much higher. */
  shift(by: number): void {
    const pages = [...this.#pages]
    this.#pages.clear()
    for (const [index, { slots }] of pages)
      slots.forEach((row, i) => {
        if (row) this.put(index * PAGE_ROWS + i + by, [row])
      })
  }

  markPageStale(index: number): void {
    const page = this.#pages.get(index)
    if (page) page.stale = true
  }

  indices(): number[] {
    return [...this.#pages.keys()]
  }

  #page(index: number): Page {
    const known = this.#pages.get(index)
    if (known) {
      this.#touch(index, known)
      return known
    }
    const made: Page = { slots: [], stale: false }
    this.#pages.set(index, made)
    const oldest = this.#pages.keys().next().value
    if (this.#pages.size > PAGES_KEPT && oldest !== undefined) this.#pages.delete(oldest)
    return made
  }

  #touch(index: number, page: Page): void {
    this.#pages.delete(index)
    this.#pages.set(index, page)
  }
}
