import { useCallback, useMemo, useState } from 'react'
import type { BodyHandle } from '@/shared/body/client.ts'
import type { OpenBody } from '@/shared/body/open-body.ts'
import type { Member } from '@/shared/body/protocol.ts'

const PAGE = 50
/** Pages kept: what is in sight and a good way around it. All of 200,000 lines would be gigabytes of objects. */
const KEPT = 60

export interface Items {
  /** Members of an item, undefined until they have come. */
  at(index: number): readonly Member[] | undefined
  /** Asks for what is about to be looked at. */
  want(first: number, past: number): void
}

type Pages = Map<number, readonly (readonly Member[])[] | null>
/** What was read belongs to one list of one body; another one begins with nothing. */
const emptyPages = (_handle: BodyHandle, _line: number): Pages => new Map()

/**
 * Items of a list in the body, page by page as they are looked at.
 * @param keep an item that is shown elsewhere too, wherever the table has been scrolled to
 */
export function useItems(
  body: OpenBody,
  list: { readonly line: number; readonly count: number },
  keep: number | null,
): Items {
  const { handle } = body
  const kept = keep === null ? null : Math.floor(keep / PAGE)
  const { line, count } = list
  const [, setArrived] = useState(0)
  const pages = useMemo(() => emptyPages(handle, line), [handle, line])
  const want = useCallback(
    (first: number, past: number) => {
      for (let page = Math.floor(first / PAGE); page * PAGE < Math.min(past, count); page += 1) {
        const known = pages.get(page)
        if (known !== undefined) {
          // Looked at last, let go of last.
          pages.delete(page)
          pages.set(page, known)
          continue
        }
        pages.set(page, null)
        for (const oldest of pages.keys()) {
          if (pages.size <= KEPT) break
          if (oldest !== kept) pages.delete(oldest)
        }
        handle.call('items', { line, from: page * PAGE, count: PAGE }).then(
          ({ items }) => {
            // Let go of again while it was on its way: asked for anew when it is looked at.
            if (!pages.has(page)) return
            pages.set(page, items)
            setArrived((n) => n + 1)
          },
          // The body was closed meanwhile: nothing is shown of it any more.
          () => pages.delete(page),
        )
      }
    },
    [pages, handle, line, count, kept],
  )
  const at = (index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  return { at, want }
}
