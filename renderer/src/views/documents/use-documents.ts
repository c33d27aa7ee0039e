import { useCallback, useEffect, useRef, useState } from 'react'
import type { DocumentsPage, DocumentsParams } from '#contract/document-commands.ts'
import type { DocumentEntry } from '#contract/documents.ts'
import type { Refusal } from '#contract/errors.ts'
import { api } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { refusalOf } from '@/platform/refusal-error.ts'

const PAGE = 100
const PAGES_KEPT = 40
/** While deliveries arrive, what is in sight is read again this often. */
const RENEW_MS = 1_500

export type DocumentsQuery = Pick<DocumentsParams, 'query' | 'gaps' | 'sort'>

interface Held {
  readonly query: string
  readonly total: number
  readonly pages: ReadonlyMap<number, readonly DocumentEntry[]>
}

export interface DocumentRows {
  /** Null until the first answer. */
  readonly total: number | null
  readonly refusal: Refusal | null
  row(position: number): DocumentEntry | undefined
  /** Asks for what is lacking between two positions; the last one is excluded. */
  want(first: number, past: number): void
}

/** Documents by position in the order asked for. What another question answered stays until the new answer. */
export function useDocuments(query: DocumentsQuery): DocumentRows {
  const name = JSON.stringify(query)
  const [held, setHeld] = useState<Held | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const asked = useRef(new Set<number>())
  const latest = useRef({ name, query, first: 0, past: 1 })
  useEffect(() => {
    latest.current = { ...latest.current, name, query }
  })
  const read = useCallback((page: number) => {
    const { name: of, query: wanted } = latest.current
    asked.current.add(page)
    const take = (answer: DocumentsPage) => {
      if (latest.current.name !== of) return
      setRefusal(null)
      setHeld((now) => {
        const pages = new Map(now?.query === of ? now.pages : [])
        pages.delete(page)
        pages.set(page, answer.entries)
        const [oldest] = pages.keys()
        if (pages.size > PAGES_KEPT && oldest !== undefined) {
          pages.delete(oldest)
          asked.current.delete(oldest)
        }
        return { query: of, total: answer.total, pages }
      })
    }
    api
      .call('documents.page', { ...wanted, from: page * PAGE, limit: PAGE })
      .then(take)
      .catch((error: unknown) => {
        asked.current.delete(page)
        if (latest.current.name === of) setRefusal(refusalOf(error))
      })
  }, [])
  const want = useCallback(
    (first: number, past: number) => {
      latest.current = { ...latest.current, first, past }
      for (let page = Math.floor(first / PAGE); page * PAGE < Math.max(past, 1); page++)
        if (!asked.current.has(page)) read(page)
    },
    [read],
  )
  const renew = useCallback(() => {
    const { first, past } = latest.current
    asked.current.clear()
    want(first, past)
  }, [want])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is asked at once
  useEffect(() => {
    asked.current.clear()
    want(0, 1)
  }, [name, want])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = list.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        renew()
      }, RENEW_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [renew])
  return {
    total: held?.total ?? null,
    refusal,
    row: (position) => held?.pages.get(Math.floor(position / PAGE))?.[position % PAGE],
    want,
  }
}
