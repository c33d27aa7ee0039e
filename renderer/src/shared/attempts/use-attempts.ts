import { useCallback, useEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { AttemptRow, AttemptsOf } from '#contract/replay.ts'
import { api } from '@/shared/live/api.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

export function concerns(changed: Pushes['replays.changed'] | null, of: AttemptsOf): boolean {
  if (changed === null) return true
  if ('delivery' in of) return changed.more || changed.deliveries.includes(of.delivery)
  if ('job' in of) return changed.jobs.some(({ id }) => id === of.job)
  return changed.forwards !== null || changed.deliveries.length > 0
}

/** The list after its newest part was read again. @param fresh newest first; what is older than its last stays as it was */
export function merged(
  present: readonly AttemptRow[],
  fresh: readonly AttemptRow[],
  more: boolean,
): readonly AttemptRow[] {
  const last = fresh.at(-1)
  if (!more || !last) return fresh
  return [...fresh, ...present.filter(({ id }) => id < last.id)]
}

const PAGE = 200
/** Between two readings of the newest, while a job makes many. */
const PAUSE_MS = 300
/** Attempts on their way are at most so many pages down; what is deeper has long ended. */
const FRESH_PAGES = 5

/** Attempts of a delivery, a job or a forward, kept true by pushes. @param key changes with `of` */
export function useAttempts(of: AttemptsOf, key: string, failed = false) {
  /** Newest first; null until they were read. */
  const [rows, setRows] = useState<readonly AttemptRow[] | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const held = useRef<{ rows: readonly AttemptRow[]; end: boolean; reading: boolean }>({
    rows: [],
    end: false,
    reading: false,
  })
  const asked = `${key}/${failed}`
  const present = useRef(asked)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` stands for `of` and `failed`
  const page = useCallback(
    (before?: number) =>
      api.call('attempts.list', {
        of,
        limit: PAGE,
        ...(before === undefined ? {} : { before }),
        ...(failed ? { failed } : {}),
      }),
    [asked],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` stands for `of`; `page` changes with it
  useEffect(() => {
    present.current = asked
    held.current = { rows: [], end: false, reading: false }
    setRows(null)
    let timer: ReturnType<typeof setTimeout> | undefined
    let reading = false
    let again = false
    const read = async () => {
      reading = true
      again = false
      try {
        const onTheirWay = held.current.rows.findLast(({ state }) => state === 'sending')?.id
        let { attempts, more } = await page()
        for (let n = 1; n < FRESH_PAGES && more; n++) {
          const last = attempts.at(-1)?.id
          if (last === undefined || onTheirWay === undefined || onTheirWay >= last) break
          const next = await page(last)
          attempts = [...attempts, ...next.attempts]
          more = next.more
        }
        if (present.current !== asked) return
        held.current.rows = merged(held.current.rows, attempts, more)
        if (!more) held.current.end = true
        setRows(held.current.rows)
        setRefusal(null)
      } catch (error) {
        if (present.current === asked) setRefusal(refusalOf(error))
      }
      reading = false
      if (again && present.current === asked) soon()
    }
    const soon = () => {
      if (reading) again = true
      else
        timer ??= setTimeout(() => {
          timer = undefined
          void read()
        }, PAUSE_MS)
    }
    void read()
    const stop = useReplays.subscribe(({ last }, before) => {
      if (last !== before.last && concerns(last.changed, of)) soon()
    })
    return () => {
      stop()
      clearTimeout(timer)
      present.current = ''
    }
  }, [asked, page])

  const more = useCallback(() => {
    const state = held.current
    const last = state.rows.at(-1)?.id
    if (state.reading || state.end || last === undefined) return
    state.reading = true
    page(last)
      .then(({ attempts, more: others }) => {
        if (held.current !== state) return
        const known = state.rows.at(-1)?.id ?? last
        state.rows = [...state.rows, ...attempts.filter(({ id }) => id < known)]
        state.end = !others
        setRows(state.rows)
      })
      .catch((error: unknown) => {
        if (held.current === state) setRefusal(refusalOf(error))
      })
      .finally(() => {
        state.reading = false
      })
  }, [page])

  return { rows, refusal, more }
}
