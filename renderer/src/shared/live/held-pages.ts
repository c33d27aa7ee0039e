/** Pages of one question's answer that are at hand, the one read longest ago first. */
export interface HeldPages<Row> {
  /** Names the question. */
  readonly scope: string
  /** Of all its rows, held or not. */
  readonly total: number
  readonly pages: ReadonlyMap<number, readonly Row[]>
}

/** Beyond so many pages each one read lets another go. */
export const PAGES_KEPT = 40

/**
 * What is held once a page was read; of another question's pages nothing stays.
 * @returns `dropped`: the page that had to go, which is to be asked for again when it is wanted
 */
export function withPage<Row>(
  held: HeldPages<Row> | null,
  scope: string,
  page: number,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
): { readonly held: HeldPages<Row>; readonly dropped: number | undefined } {
  const pages = new Map(held?.scope === scope ? held.pages : [])
  pages.delete(page)
  pages.set(page, rows)
  const dropped = pages.size > PAGES_KEPT ? pages.keys().next().value : undefined
  if (dropped !== undefined) pages.delete(dropped)
  return { held: { scope, total, pages }, dropped }
}
