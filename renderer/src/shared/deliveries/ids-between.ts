import type { Page, PageParams } from '#contract/delivery.ts'

/** Maximum ids of a job; larger sets are selected by a filter. */
export const MOST_CHOSEN = 100_000
const PAGE = 1_000

/** Ids between two positions, in any order; at most MOST_CHOSEN, from `first` on. @param known id at a position, if cached */
export async function idsBetween(
  first: number,
  last: number,
  known: (position: number) => number | undefined,
  read: (
    params: Pick<PageParams, 'limit'> & { readonly from: number },
  ) => Promise<Pick<Page, 'rows' | 'from'>>,
): Promise<number[]> {
  const step = last < first ? -1 : 1
  const count = Math.min(MOST_CHOSEN, Math.abs(last - first) + 1)
  const from = Math.min(first, first + step * (count - 1))
  const ids: number[] = []
  for (let position = from; position < from + count; ) {
    const id = known(position)
    if (id !== undefined) {
      ids.push(id)
      position += 1
      continue
    }
    const page = await read({ from: position, limit: Math.min(PAGE, from + count - position) })
    if (page.rows.length === 0) break
    ids.push(...page.rows.map((row) => row.id))
    position += page.rows.length
  }
  return ids
}
