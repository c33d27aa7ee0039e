import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useAnswer } from './answer.ts'

/** Maximum cached rows; older rows are evicted and read again on scrolling. */
const MOST_HELD = 20_000

export interface NewestPage<Row extends { readonly id: number }> {
  /** Newest first. */
  readonly rows: readonly Row[]
  /** Exclusive upper bound of the ids on the next page; null when there is none. */
  readonly next: number | null
}

/** Merges a newly read newest page into the cached rows; a page that does not overlap them replaces them. */
export function merged<Page extends NewestPage<{ readonly id: number }>>(known: Page, page: Page): Page {
  const oldest = page.rows.at(-1)?.id
  const newest = known.rows[0]?.id
  if (page.next === null || oldest === undefined || newest === undefined || oldest > newest + 1) return page
  const older = known.rows.filter(({ id }) => id < oldest)
  const rows = [...page.rows, ...older].slice(0, MOST_HELD)
  const end = older.length > 0 ? known.next : page.next
  return { ...page, rows, next: rows.length < MOST_HELD ? end : (rows.at(-1)?.id ?? null) }
}

/**
 * Rows read page by page from the newest. Rows of the previous query stay until the new answer arrives.
 * @param newest reads the newest page, again with each beat, and receives the cached rows @param older reads the page below an id
 */
export function useNewestRows<Row extends { readonly id: number }, Page extends NewestPage<Row>>(
  question: string,
  newest: (held: readonly Row[]) => Promise<Page>,
  older: (before: number) => Promise<NewestPage<Row>>,
  beat?: unknown,
) {
  const [held, setHeld] = useState<{ readonly of: string; readonly page: Page } | null>(null)
  const own = held?.of === question ? held.page : null
  const { data, refusal, renew } = useAnswer(question, () => newest(own?.rows ?? []), beat)
  const keep = useCallback(
    (next: (known: Page | null) => Page | null) =>
      setHeld((now) => {
        const page = next(now?.of === question ? now.page : null)
        return page ? { of: question, page } : now
      }),
    [question],
  )
  useLayoutEffect(() => keep((known) => (known && data ? merged(known, data) : data)), [data, keep])
  const latest = useRef(older)
  useLayoutEffect(() => {
    latest.current = older
  })
  const reading = useRef(false)
  const next = own?.next ?? null
  const more = useCallback(() => {
    if (reading.current || next === null) return
    reading.current = true
    latest
      .current(next)
      .then((page) =>
        keep((known) => {
          const last = known?.rows.at(-1)?.id ?? Number.POSITIVE_INFINITY
          const rows = [...(known?.rows ?? []), ...page.rows.filter(({ id }) => id < last)]
          return known && { ...known, rows, next: page.next }
        }),
      )
      // The next read of the newest page reports the failure.
      .catch(() => undefined)
      .finally(() => {
        reading.current = false
      })
  }, [next, keep])
  return { page: held?.page ?? null, refusal, more, renew }
}
