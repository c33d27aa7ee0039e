import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { RecentPages } from './recent-pages.ts'

/** Rows by position, of which the host is asked for those in sight. */
export interface PagedRows<Row> {
  readonly total: number | null
  readonly refusal: Refusal | null
  row(position: number): Row | undefined
  /** Asks for what is lacking between two positions; the last one is excluded. */
  want(first: number, past: number): void
}

export interface PagedQuestion<Row> {
  /** Names the question: what answers another one is not shown as its answer. */
  readonly scope: string
  /** Another one when the same question may have another answer; what answered before stays until it is answered anew. */
  readonly beat: number
  readonly page: number
  /** How many rows there are, where that is known before an answer: then no rows of another question stay meanwhile. */
  readonly total?: number
  /** A row that is shown elsewhere too, wherever the list is scrolled to. */
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

/** What another question answered stays until the new answer. */
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
    // Answers come in any order: only one to what is asked now counts.
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
    // The answer may be shorter than what was in sight of the one before: its first page is there in any case.
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
