import { useCallback, useEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

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

/** Rows by position, of which the host is asked for those in sight. */
export interface PagedRows<Row> {
  /** Null until the first answer. */
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
  /** Rows asked for at once. */
  readonly page: number
  read(from: number, limit: number): Promise<{ readonly rows: readonly Row[]; readonly total: number }>
}

/** What another question answered stays until the new answer. */
export function usePagedRows<Row>(question: PagedQuestion<Row>): PagedRows<Row> {
  const { scope, beat, page: size } = question
  const [held, setHeld] = useState<HeldPages<Row> | null>(null)
  /** The same, for answers that come before the next drawing. */
  const holding = useRef<HeldPages<Row> | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const asked = useRef(new Set<number>())
  const seen = useRef({ first: 0, past: 1 })
  const begun = useRef<string | null>(null)
  const latest = useRef(question)
  useEffect(() => {
    latest.current = question
  })
  const read = useCallback((page: number) => {
    const of = latest.current
    // Answers come in any order: only one to what is asked now counts.
    const present = () => latest.current.scope === of.scope && latest.current.beat === of.beat
    asked.current.add(page)
    of.read(page * of.page, of.page)
      .then((answer) => {
        if (!present()) return
        setRefusal(null)
        const { held: next, dropped } = withPage(holding.current, of.scope, page, answer)
        if (dropped !== undefined) asked.current.delete(dropped)
        holding.current = next
        setHeld(next)
      })
      .catch((error: unknown) => {
        if (!present()) return
        asked.current.delete(page)
        setRefusal(refusalOf(error))
      })
  }, [])
  const ask = useCallback(
    (first: number, past: number) => {
      const { page: rows } = latest.current
      for (let page = Math.floor(first / rows); page * rows < Math.max(past, 1); page++)
        if (!asked.current.has(page)) read(page)
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
    asked.current.clear()
    // The answer may be shorter than what was in sight of the one before: its first page is there in any case.
    if (begun.current !== scope) ask(0, 1)
    begun.current = scope
    ask(seen.current.first, seen.current.past)
  }, [scope, beat, ask])
  return {
    total: held?.total ?? null,
    refusal,
    row: (position) => held?.pages.get(Math.floor(position / size))?.[position % size],
    want,
  }
}
