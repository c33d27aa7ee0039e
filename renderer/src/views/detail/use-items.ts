import { useCallback, useEffect, useRef, useState } from 'react'
import type { Member } from '@/workers/protocol.ts'
import type { OpenBody } from './open-body.ts'

const PAGE = 50

export interface Items {
  /** Members of an item, undefined until they have come. */
  at(index: number): readonly Member[] | undefined
  /** Asks for what is about to be looked at. */
  want(first: number, past: number): void
}

/** Items of a list in the body, page by page as they are looked at. */
export function useItems(body: OpenBody, list: { readonly line: number; readonly count: number }): Items {
  const { handle } = body
  const { line, count } = list
  const pages = useRef(new Map<number, readonly (readonly Member[])[] | null>())
  const [, setArrived] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was read belongs to one list of one body
  useEffect(() => {
    pages.current = new Map()
    setArrived((n) => n + 1)
  }, [handle, line])
  const want = useCallback(
    (first: number, past: number) => {
      const known = pages.current
      for (let page = Math.floor(first / PAGE); page * PAGE < Math.min(past, count); page += 1) {
        if (known.has(page)) continue
        known.set(page, null)
        handle.call('items', { line, from: page * PAGE, count: PAGE }).then(
          ({ items }) => {
            known.set(page, items)
            setArrived((n) => n + 1)
          },
          // The body was closed meanwhile: nothing is shown of it any more.
          () => known.delete(page),
        )
      }
    },
    [handle, line, count],
  )
  const at = (index: number) => pages.current.get(Math.floor(index / PAGE))?.[index % PAGE]
  return { at, want }
}
