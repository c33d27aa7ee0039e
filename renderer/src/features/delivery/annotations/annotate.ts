import type { AnnotateParams } from '#contract/annotations.ts'
import { api } from '@/shared/live/api.ts'
import type { Annotated } from '@/shared/live/layers.ts'

const PAGE = 1_000

/** Ids in batches of the command's limit: the given ones, or all that match a filter now. */
async function* idsOf({ ids, everything }: Annotated): AsyncGenerator<readonly number[]> {
  if (!everything) {
    for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE)
    return
  }
  const { filter } = everything
  let after: number | null = null
  for (;;) {
    const { rows } = await scan(filter, after)
    // Later arrivals are newer than all remaining rows.
    if (rows.length > 0) yield rows.map(({ id }) => id)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? null
  }
}

const scan = (filter: string, after: number | null) =>
  api.call('deliveries.scan', { filter, after, limit: PAGE, newest: true })

/** Changes notes and tags of all selected deliveries. @returns how many changed @throws RefusalError */
export async function annotate(about: Annotated, change: Omit<AnnotateParams, 'ids'>): Promise<number> {
  let sum = 0
  for await (const ids of idsOf(about))
    sum += (await api.call('deliveries.annotate', { ids, ...change })).changed
  return sum
}
