import { useCallback, useEffect, useRef, useState } from 'react'
import type { Params, Result } from '#contract/commands.ts'
import type { Refusal } from '#contract/errors.ts'
import type { DocumentClass, DocumentRow } from '#contract/reconcile.ts'
import { api } from '@/live/api.ts'
import { refusalOf } from '@/platform/refusal-error.ts'

const PAGE = 200
const PAGES_KEPT = 40

export interface RowsQuery {
  readonly sweep: number
  /** Empty: every class. */
  readonly classes: readonly DocumentClass[]
  readonly text: string
  /** Rises when the same question has another answer. */
  readonly beat: number
}
interface Held {
  /** The question without its beat: what answers an older beat stays until it is answered anew. */
  readonly scope: string
  readonly total: number
  readonly pages: ReadonlyMap<number, readonly DocumentRow[]>
}

export interface Rows {
  /** Null until the first answer. */
  readonly total: number | null
  readonly refusal: Refusal | null
  row(position: number): DocumentRow | undefined
  /** Asks for what is lacking between two positions; the last one is excluded. */
  want(first: number, past: number): void
}

/** Rows of a reconciliation by position, read as they come into sight. What another question answered stays until the new answer. */
export function useRows(query: RowsQuery): Rows {
  const name = JSON.stringify(query)
  const scope = JSON.stringify([query.sweep, query.classes, query.text])
  const [held, setHeld] = useState<Held | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const asked = useRef(new Set<string>())
  const seen = useRef({ first: 0, past: 1 })
  const latest = useRef({ name, scope, query })
  useEffect(() => {
    latest.current = { name, scope, query }
  })
  const take = useCallback((of: string, page: number, answer: Result<'reconciliation.rows'>) => {
    if (latest.current.name !== of) return
    setRefusal(null)
    const { scope: about } = latest.current
    setHeld((now) => {
      const pages = new Map(now?.scope === about ? now.pages : [])
      pages.delete(page)
      pages.set(page, answer.rows)
      const [oldest] = pages.keys()
      if (pages.size > PAGES_KEPT && oldest !== undefined) {
        pages.delete(oldest)
        asked.current.delete(`${of}/${oldest}`)
      }
      return { scope: about, total: answer.total, pages }
    })
  }, [])
  const ask = useCallback(
    (first: number, past: number) => {
      const { name: of, query: wanted } = latest.current
      const { sweep, classes, text } = wanted
      for (let page = Math.floor(first / PAGE); page * PAGE < Math.max(past, 1); page++) {
        if (asked.current.has(`${of}/${page}`)) continue
        asked.current.add(`${of}/${page}`)
        const params: Params<'reconciliation.rows'> = {
          sweep,
          ...(classes.length === 0 ? {} : { classes }),
          ...(text === '' ? {} : { text }),
          from: page * PAGE,
          limit: PAGE,
        }
        api
          .call('reconciliation.rows', params)
          .then((answer) => take(of, page, answer))
          .catch((error: unknown) => {
            asked.current.delete(`${of}/${page}`)
            if (latest.current.name === of) setRefusal(refusalOf(error))
          })
      }
    },
    [take],
  )
  const want = useCallback(
    (first: number, past: number) => {
      seen.current = { first, past }
      ask(first, past)
    },
    [ask],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is asked at once
  useEffect(() => {
    asked.current.clear()
    ask(0, 1)
    ask(seen.current.first, seen.current.past)
  }, [name, ask])
  return {
    total: held?.total ?? null,
    refusal,
    row: (position) => held?.pages.get(Math.floor(position / PAGE))?.[position % PAGE],
    want,
  }
}
