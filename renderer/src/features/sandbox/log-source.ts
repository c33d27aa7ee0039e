import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import type { Refusal } from '#contract/errors.ts'
import type { SandboxLogBrief, SandboxLogQuery } from '#contract/sandbox.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useSandbox } from './sandbox.ts'

/** What of the log is shown; a member left out asks for nothing. */
export type LogFilter = Pick<
  SandboxLogQuery,
  'q' | 'type' | 'outcome' | 'kind' | 'subscription' | 'run' | 'lost'
>

export const useLogFilter = create<{ readonly filter: LogFilter }>()(() => ({ filter: {} }))

/** Sets members; `undefined` takes one away. */
export function changeFilter(members: { readonly [K in keyof LogFilter]?: LogFilter[K] | undefined }): void {
  const all = Object.entries({ ...useLogFilter.getState().filter, ...members })
  useLogFilter.setState({ filter: Object.fromEntries(all.filter(([, value]) => value !== undefined)) })
}

const PER_PAGE = 200
/** Older entries beyond this are read again when one scrolls there. */
const MOST_HELD = 20_000

interface Held {
  /** Newest first; what was read so far. */
  readonly entries: readonly SandboxLogBrief[]
  readonly total: number
  readonly pending: number
  /** `after` of the next older page; null at the end. */
  readonly next: number | null
}
const NOTHING: Held = { entries: [], total: 0, pending: 0, next: null }

export interface LogView extends Omit<Held, 'next'> {
  readonly loading: boolean
  readonly refusal: Refusal | null
  /** Reads the next older page, when there is one and none is being read. */
  more(): void
}

/** Entries of a newest page in front of those known; where the page does not reach them, it takes their place. */
export function merged(known: Held, page: Held): Held {
  const oldest = page.entries.at(-1)?.id
  const newestKnown = known.entries[0]?.id
  if (oldest === undefined || newestKnown === undefined || oldest > newestKnown + 1) return page
  const older = known.entries.filter(({ id }) => id < oldest)
  const entries = [...page.entries, ...older]
  if (entries.length > MOST_HELD) {
    const kept = entries.slice(0, MOST_HELD)
    return { ...page, entries: kept, next: kept.at(-1)?.id ?? null }
  }
  // A page that was not full reached the beginning of the log.
  return { ...page, entries, next: older.length > 0 ? known.next : page.next }
}

/** The log as a filter finds it, newest first, kept up to date as long as the state of the sandbox is. */
export function useLog(filter: SandboxLogQuery): LogView {
  const key = JSON.stringify(filter)
  const newest = { ...filter, order: 'newest', limit: PER_PAGE } as const
  const beat = useSandbox((s) => s.state)
  const { data: page, refusal } = useAnswer(key, () => api.call('sandbox.log', newest), beat)
  // Entries of the filter before stay until those of this one are there.
  const [held, setHeld] = useState<Held & { readonly of: string }>({ ...NOTHING, of: '' })
  useLayoutEffect(() => {
    if (page) setHeld((known) => ({ ...(known.of === key ? merged(known, page) : page), of: key }))
  }, [page, key])
  const reading = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  const more = useCallback(() => {
    if (reading.current || held.of !== key || held.next === null) return
    reading.current = true
    api
      .call('sandbox.log', { ...newest, after: held.next })
      .then(({ entries, next }) =>
        setHeld((known) => {
          if (known.of !== key) return known
          const last = known.entries.at(-1)?.id ?? Number.POSITIVE_INFINITY
          return { ...known, next, entries: [...known.entries, ...entries.filter(({ id }) => id < last)] }
        }),
      )
      // The next answer about the newest page says what is wrong.
      .catch(() => undefined)
      .finally(() => {
        reading.current = false
      })
  }, [key, held.of, held.next])
  const { entries, total, pending } = held
  return { entries, total, pending, loading: page === null && refusal === null, refusal, more }
}
