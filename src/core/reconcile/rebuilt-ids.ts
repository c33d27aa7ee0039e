import type { Params, Result } from '#contract/commands.ts'
import type { Recovery } from '#contract/reconcile.ts'

const PAGE = 1_000

/** Asks for synthetic deliveries of a sweep. */
export type AskRebuilt = (params: Params<'recovery.deliveries'>) => Promise<Result<'recovery.deliveries'>>

/** Ids of what one recovery rebuilt, rising; none where it stored nothing. */
export async function rebuiltIds(
  ask: AskRebuilt,
  sweep: number,
  ids: Recovery['ids'],
): Promise<readonly number[]> {
  if (ids === null) return []
  const found: number[] = []
  for (let after = ids.first - 1; after < ids.last; ) {
    const { rows } = await ask({ sweep, after, limit: PAGE })
    const last = rows.at(-1)
    if (!last) break
    found.push(...rows.map(({ id }) => id).filter((id) => id <= ids.last))
    after = last.id
  }
  return found
}
