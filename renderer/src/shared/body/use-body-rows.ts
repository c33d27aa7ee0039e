import { useCallback, useRef, useState } from 'react'
import type { BodyHandle } from './client.ts'
import type { BodyRow, BodyView } from './protocol.ts'

const PAGE = 100
/** Pages kept: what is in sight and a good way around it. */
const KEPT = 40

export interface BodyRows {
  readonly total: number
  /** The row if it has come; an older drawing of it while a newer one is on its way. */
  at(row: number): BodyRow | undefined
  want(first: number, past: number): void
  /** Something changed how rows look, or how many there are. */
  redraw(total?: number): void
}

interface Cache {
  readonly of: string
  epoch: number
  total: number
  readonly pages: Map<number, { readonly epoch: number; readonly rows: readonly BodyRow[] }>
  readonly asked: Map<number, number>
}

const handles = new WeakMap<BodyHandle, number>()
let lastHandle = 0
function nameOf(handle: BodyHandle): number {
  const known = handles.get(handle)
  if (known !== undefined) return known
  lastHandle += 1
  handles.set(handle, lastHandle)
  return lastHandle
}

/** The visible rows of a body, a few pages of them; all the others stay in the worker. */
export function useBodyRows(
  handle: BodyHandle,
  view: BodyView,
  bytesPerRow: number,
  unfolded: number,
): BodyRows {
  const [, setDrawn] = useState(0)
  const of = `${nameOf(handle)}/${view}/${view === 'hex' ? bytesPerRow : ''}`
  const cache = useRef<Cache>(undefined)
  if (cache.current?.of !== of) {
    cache.current = { of, epoch: 0, total: unfolded, pages: new Map(), asked: new Map() }
  }
  const present = cache.current

  const want = useCallback(
    (first: number, past: number) => {
      const { epoch } = present
      for (let page = Math.floor(first / PAGE); page * PAGE < past; page += 1) {
        if (present.asked.get(page) === epoch || present.pages.get(page)?.epoch === epoch) continue
        present.asked.set(page, epoch)
        handle.call('rows', { view, from: page * PAGE, count: PAGE, bytesPerRow }).then(
          ({ rows, total }) => {
            if (present.epoch !== epoch) return
            present.total = total
            present.pages.delete(page)
            present.pages.set(page, { epoch, rows })
            for (const oldest of present.pages.keys()) {
              if (present.pages.size <= KEPT) break
              present.pages.delete(oldest)
              present.asked.delete(oldest)
            }
            if (cache.current === present) setDrawn((n) => n + 1)
          },
          // The body was closed meanwhile.
          () => present.asked.delete(page),
        )
      }
    },
    [present, handle, view, bytesPerRow],
  )
  const redraw = useCallback(
    (total?: number) => {
      present.epoch += 1
      if (total !== undefined) present.total = total
      setDrawn((n) => n + 1)
    },
    [present],
  )
  const at = (row: number) => present.pages.get(Math.floor(row / PAGE))?.rows[row % PAGE]
  return { total: present.total, at, want, redraw }
}
