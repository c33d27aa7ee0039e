/** Maximum cached pages; a further page evicts the least recently used one. */
export const PAGES_KEPT = 40

export class RecentPages<Page> extends Map<number, Page> {
  override set(index: number, page: Page): this {
    this.delete(index)
    super.set(index, page)
    const oldest = this.keys().next().value
    if (this.size > PAGES_KEPT && oldest !== undefined) this.delete(oldest)
    return this
  }
  /** Gets a page and marks it as most recently used. */
  use(index: number): Page | undefined {
    const page = this.get(index)
    if (page !== undefined) this.set(index, page)
    return page
  }
}
