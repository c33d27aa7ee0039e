import { useCallback } from 'react'
import type { Pushes } from '#contract/pushes.ts'
import type { AttemptRow, AttemptsOf } from '#contract/replay.ts'
import { useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type NewestPage, useNewestRows } from '@/shared/live/newest-rows.ts'
import { useReplays } from '@/shared/live/replays.ts'

export function concerns(changed: Pushes['replays.changed'] | null, of: AttemptsOf): boolean {
  if (changed === null) return true
  if ('delivery' in of) return changed.more || changed.deliveries.includes(of.delivery)
  if ('job' in of) return changed.jobs.some(({ id }) => id === of.job)
  return changed.forwards !== null || changed.deliveries.length > 0
}

const PAGE = 200
/** Minimum interval between two reads of the newest attempts while a job makes many. */
const PAUSE_MS = 300
/** Number of pages that may hold attempts in progress; attempts on later pages ended long ago. */
const FRESH_PAGES = 5

/** Attempts of a delivery, a job or a forward, newest first, updated by pushes; null until first read. @param key changes with `of` */
export function useAttempts(of: AttemptsOf, key: string, failed = false) {
  const read = async (place: { readonly before?: number }): Promise<NewestPage<AttemptRow>> => {
    const asked = { of, limit: PAGE, ...place, ...(failed ? { failed } : {}) }
    const { attempts, more } = await api.call('attempts.list', asked)
    return { rows: attempts, next: more ? (attempts.at(-1)?.id ?? null) : null }
  }
  /** Reads from the newest down to the oldest attempt in progress. */
  const newest = async (held: readonly AttemptRow[]) => {
    const onTheirWay = held.findLast(({ state }) => state === 'sending')?.id ?? Number.POSITIVE_INFINITY
    let page = await read({})
    for (let n = 1; n < FRESH_PAGES && page.next !== null && onTheirWay < page.next; n++) {
      const older = await read({ before: page.next })
      page = { rows: [...page.rows, ...older.rows], next: older.next }
    }
    return page
  }
  const older = (before: number) => read({ before })
  const { page, refusal, more, renew } = useNewestRows(`${key}/${failed}`, newest, older)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what they are of
  const changes = useCallback(
    (tell: () => void) =>
      useReplays.subscribe(({ last }, before) => {
        if (last !== before.last && concerns(last.changed, of)) tell()
      }),
    [key],
  )
  useGathered(changes, PAUSE_MS, renew)
  return { rows: page?.rows ?? null, refusal, more }
}
