import { createContext, useCallback, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { seeRow } from '@/shared/deliveries/columns.ts'
import { list, sortList, sortNow, useList } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import type { SourceState } from '@/shared/live/delivery-source.ts'
import { shownOf, useCursor, useFollow, useSelection } from '@/shared/live/pointing.ts'

/** Rows rendered beyond the edges. Few while following, which renders twenty times a second and does not scroll. */
const FOLLOWING_BEYOND = 4
const SCROLLING_BEYOND = 12

/** A row that keeps its place on screen when positions change. */
interface Anchor {
  readonly id: number
  readonly receivedAt: number
  readonly top: number
}

function anchorAt(offset: number, shown: number): Anchor | null {
  const index = Math.ceil(offset / ROW_PX)
  const row = list.row(shown - 1 - index)
  return row ? { id: row.id, receivedAt: row.receivedAt, top: index * ROW_PX - offset } : null
}

/** Rows are at index `shown - 1 - position`. Positions never change, and `shown` is constant while the list does not follow. */
export function useListView() {
  const state = useList()
  const follow = useFollow()
  const shown = shownNow(state, follow)
  const anchor = useRef<Anchor | null>(null)
  const [top, setTop] = useState<number | null>(null)
  const scrolled = useCallback((offset: number) => {
    anchor.current = anchorAt(offset, shownNow())
    setTop(topDay(anchor.current))
    const { following, paused, stop, resume } = useFollow.getState()
    if (offset > 0 && following) stop(list.state().total)
    else if (offset <= 0 && !following && !paused) resume()
  }, [])
  const rows = useVirtualRows({
    count: shown,
    rowPx: ROW_PX,
    headerPx: HEADER_PX,
    beyond: follow.following ? FOLLOWING_BEYOND : SCROLLING_BEYOND,
    onUserScroll: scrolled,
  })
  const { moveTo, reveal } = rows

  // Load the rendered rows and their neighbours. Indices count from the newest, positions from the oldest.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every version of the list can lack other rows
  useEffect(() => {
    if (shown > 0) list.ensure(shown - rows.past, shown - 1 - rows.first)
    for (let position = shown - rows.past; position < shown - rows.first; position++) {
      const row = list.row(position)
      if (row) seeRow(row)
    }
  }, [shown, rows.first, rows.past, state.version])

  useLayoutEffect(() => {
    if (follow.following) moveTo(0)
  }, [follow.following, moveTo])
  useLayoutEffect(() => {
    if (!state.sort) follow.fill(Math.min(state.total, rows.pageRows))
  }, [follow, state.sort, state.total, rows.pageRows])

  const sought = useCursor((s) => s.sought)
  useEffect(() => {
    const { cursor, found } = useCursor.getState()
    if (!sought || !cursor || shown === 0) return
    reveal(shown - 1 - cursor.position, 'center')
    found()
  }, [sought, shown, reveal])

  /** Epoch whose positions apply before the scroller has moved to them; until then the top row is the previous one. */
  const settling = useRef<number | null>(null)
  const seen = useRef({ epoch: state.epoch, filter: state.filter, sort: nameOf(state.sort) })
  useEffect(() => {
    if (seen.current.epoch === state.epoch) {
      if (settling.current !== null) return
      anchor.current = anchorAt(rows.offset(), shown)
      setTop(topDay(anchor.current))
      return
    }
    const { filter, sort } = seen.current
    seen.current = { epoch: state.epoch, filter: state.filter, sort: nameOf(state.sort) }
    const change = filter !== state.filter ? 'filter' : sort !== seen.current.sort ? 'sort' : null
    settling.current = state.epoch
    void settle(change, anchor.current, moveTo).finally(() => {
      if (settling.current === state.epoch) settling.current = null
    })
  })

  const point = useCallback(
    (position: number) => {
      const { total } = list.state()
      const last = shownNow() - 1
      if (last < 0) return
      useFollow.getState().stop(total)
      const at = Math.max(0, Math.min(last, position))
      const id = list.row(at)?.id ?? null
      useCursor.getState().point({ id, position: at })
      // Open details follow the cursor.
      if (useSelection.getState().id !== null && id !== null) useSelection.getState().select(id)
      reveal(last - at)
    },
    [reveal],
  )
  const open = useCallback((row: DeliveryRow, position: number) => {
    useFollow.getState().stop(list.state().total)
    useCursor.getState().point({ id: row.id, position })
    useSelection.getState().select(row.id)
  }, [])
  const toNewest = useCallback(() => {
    if (sortNow()) sortList(null)
    useFollow.getState().resume()
    moveTo(0)
  }, [moveTo])

  return { state, follow, shown, rows, top, point, open, toNewest }
}
export type ListView = ReturnType<typeof useListView>

/** A context, because the view changes with every push and scroll step, and components between screen and rows must not render. */
export const ListContext = createContext<ListView | null>(null)

/** @throws Error outside of the Stream screen: a defect */
export function useSharedView(): ListView {
  const view = useContext(ListContext)
  if (!view) throw new Error('no list is shown here')
  return view
}

const topDay = (anchor: Anchor | null): number | null => (anchor ? dayOf(anchor.receivedAt) : null)

/** Local midnight before an instant; both in microseconds. */
export const dayOf = (us: number): number => new Date(us / 1_000).setHours(0, 0, 0, 0) * 1_000

const nameOf = (sort: SourceState['sort']): string => (sort ? `${sort.by} ${sort.descending}` : '')

/** Number of shown rows. A sorted list has no newest end, so it never follows. */
const shownNow = ({ sort, total } = list.state(), follow = useFollow.getState()): number =>
  sort ? total : shownOf(follow, total)

/** After another set replaced the rows, restores the cursor, or else the top row, in it. */
async function settle(
  change: 'filter' | 'sort' | null,
  anchor: Anchor | null,
  moveTo: (offset: number) => void,
): Promise<void> {
  const { epoch, total } = list.state()
  const filtered = change === 'filter'
  const { following, paused, rebase, resume } = useFollow.getState()
  const { cursor, point } = useCursor.getState()
  const keep = cursor?.id ? { id: cursor.id, top: anchor?.id === cursor.id ? anchor.top : ROW_PX * 3 } : null
  const wanted = filtered ? keep : (anchor ?? keep)
  const locate = (id: number) => api.call('deliveries.locate', { ...list.asked(), id }).catch(() => null)
  // Another set replaced this one and restores by itself.
  const isOver = () => list.state().epoch !== epoch
  if (cursor?.id) {
    const found = await locate(cursor.id)
    if (isOver()) return
    point(found?.member ? { id: cursor.id, position: found.position } : null)
    if (found?.member === false && filtered && !paused) return resume()
  }
  if (change === 'sort') {
    // A user who sorts a list wants to see its beginning.
    if (!paused) resume()
    return moveTo(0)
  }
  if (following && !filtered) return
  if (filtered && !cursor && !paused) {
    resume()
    return moveTo(0)
  }
  rebase(total)
  if (!wanted) return moveTo(0)
  const found = await locate(wanted.id)
  // The scroller gets its new height with the next frame; an earlier scroll would be clamped to the old one.
  await new Promise(requestAnimationFrame)
  if (!isOver()) moveTo(found ? (total - 1 - found.position) * ROW_PX - wanted.top : 0)
}

export const ROW_PX = 28
export const HEADER_PX = 26
