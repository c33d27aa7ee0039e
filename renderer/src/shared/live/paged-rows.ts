import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { RecentPages } from './recent-pages.ts'

/** Rows by position; only the pages in sight are requested from the host. */
export interface PagedRows<Row> {
  readonly total: number | null
  readonly refusal: Refusal | null
  row(position: number): Row | undefined
  /** Requests the missing pages between two positions; `past` is excluded. */
  want(first: number, past: number): void
}

export interface PagedQuestion<Row> {
  /** Identifies the query: rows of one scope are never shown as the answer to another. */
  readonly scope: string
  /** Changes when the same query may have a new answer; the old rows stay until the new ones arrive. */
  readonly beat: number
  readonly page: number
  /** Total, where it is known before the answer: rows of the previous query then disappear at once. */
  readonly total?: number
  /** Position of a row that is also shown elsewhere, so its page is never evicted. */
  readonly keep?: number | null
  read(from: number, limit: number): Promise<{ readonly rows: readonly Row[]; readonly total: number }>
}

interface Held<Row> {
  readonly scope: string
  readonly beat: number
  readonly total: number
  readonly pages: RecentPages<Answered<Row>>
}
interface Answered<Row> {
  readonly beat: number
  readonly rows: readonly Row[]
}

/** Rows of the previous query stay until the new answer arrives. */
export function usePagedRows<Row>(question: PagedQuestion<Row>): PagedRows<Row> {
  const { scope, beat, page: size, total: known } = question
  const [, setAnswers] = useState(0)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const held = useRef<Held<Row>>(null)
  const asking = useRef({ scope, beat, pages: new Set<number>() })
  const seen = useRef({ first: 0, past: 1 })
  const latest = useRef(question)
  useLayoutEffect(() => {
    latest.current = question
  })
  const read = useCallback((of: PagedQuestion<Row>, page: number) => {
    // Answers arrive in any order; only an answer to the current query counts.
    const present = () => latest.current.scope === of.scope && latest.current.beat === of.beat
    asking.current.pages.add(page)
    of.read(page * of.page, of.page)
      .then(({ rows, total }) => {
        if (!present()) return
        asking.current.pages.delete(page)
        const pages = held.current?.scope === of.scope ? held.current.pages : new RecentPages<Answered<Row>>()
        const { keep } = latest.current
        if (typeof keep === 'number') pages.use(Math.floor(keep / of.page))
        pages.set(page, { beat: of.beat, rows })
        held.current = { scope: of.scope, beat: of.beat, total, pages }
        setRefusal(null)
        setAnswers((n) => n + 1)
      })
      .catch((error: unknown) => {
        if (!present()) return
        asking.current.pages.delete(page)
        setRefusal(refusalOf(error))
      })
  }, [])
  const ask = useCallback(
    (first: number, past: number) => {
      const of = latest.current
      const same = asking.current.scope === of.scope && asking.current.beat === of.beat
      if (!same) asking.current = { scope: of.scope, beat: of.beat, pages: new Set() }
      const pages = held.current?.scope === of.scope ? held.current.pages : undefined
      for (let page = Math.floor(first / of.page); page * of.page < Math.max(past, 1); page++)
        if (pages?.use(page)?.beat !== of.beat && !asking.current.pages.has(page)) read(of, page)
    },
    [read],
  )
  const want = useCallback(
    (first: number, past: number) => {
      seen.current = { first, past }
      ask(first, past)
    },
    [ask],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question, or another beat, is asked at once
  useEffect(() => {
    // The new answer may be shorter than the visible range of the old one, but always has a first page.
    if (held.current?.scope !== scope) ask(0, 1)
    ask(seen.current.first, seen.current.past)
  }, [scope, beat, ask])
  const now = held.current
  const own = now?.scope === scope
  return {
    total: known === undefined || (own && now.beat === beat) ? (now?.total ?? null) : known,
    refusal,
    row: (position) =>
      known === undefined || own
        ? now?.pages.get(Math.floor(position / size))?.rows[position % size]
        : undefined,
    want,
  }
}
