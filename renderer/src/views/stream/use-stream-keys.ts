import { useEffect, useRef } from 'react'
import { api } from '@/live/api.ts'
import { list, reopenList } from '@/live/list.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useLayout } from '@/stores/layout.ts'
import { type SheetSource, useReplaySheet } from '@/stores/replay-sheet.ts'
import { useSelection } from '@/stores/selection.ts'
import { closeDetail } from './detail-split.tsx'
import { togglePause } from './filter-bar.tsx'
import { focusDetail, focusFilter, isPressable, takesKeys } from './focus.ts'
import { ROW_PX } from './measures.ts'
import type { ListView } from './use-list-view.ts'

/** Pins the row pointed at, or frees it. The list learns of it by a push; a host that sends none is asked again. */
async function togglePin(): Promise<void> {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (!row) return
  const pinned = !row.marks.includes('pinned')
  const { changed } = await api.call('deliveries.pin', { ids: [row.id], pinned })
  const now = list.row(cursor.position)
  if (changed > 0 && now?.marks.includes('pinned') !== pinned) reopenList()
}

/** Sends what is pointed at, or asks how. What sends comes with code of its own, and its answer in a notice. */
function replay(how: 'now' | 'sheet'): void {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  const { filter, total } = list.state()
  const source: SheetSource = {
    delivery: row?.id ?? null,
    documentId: row?.documentId ?? null,
    ids: [],
    filter: { text: filter, total },
  }
  if (how === 'sheet') useReplaySheet.getState().open(source)
  else void import('@/views/replay-sheet/quick.ts').then(({ replayNow }) => replayNow(source))
}

function move(view: ListView, key: string): boolean {
  const { cursor } = useCursor.getState()
  const newest = view.shown - 1
  const page = Math.max(1, view.rows.pageRows - 1)
  // Nothing is pointed at yet: begin with the uppermost row in view.
  const from = cursor?.position ?? newest - Math.ceil(view.rows.offset() / ROW_PX) + 1
  const steps: Readonly<Record<string, number>> = {
    j: -1,
    ArrowDown: -1,
    k: 1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
  }
  const step = steps[key]
  if (step !== undefined) view.point(from + step)
  else if (key === 'Home') view.point(newest)
  else if (key === 'End') view.point(0)
  else return false
  return true
}

function enter(view: ListView): void {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (!row) return
  if (useSelection.getState().id === row.id) focusDetail()
  else view.open(row, cursor.position)
}

function letGo(): void {
  if (useSelection.getState().id !== null) closeDetail()
  else useCursor.getState().point(null)
}

/** @returns whether the key meant something here */
function press(view: ListView, event: KeyboardEvent): boolean {
  const inGrid = event.target === document.body || (event.target as Element).closest('[data-grid]') !== null
  const anywhere = event.key === 'j' || event.key === 'k'
  const onHeading = (event.target as Element).closest('[data-heading]') !== null
  if ((anywhere || (inGrid && !onHeading)) && move(view, event.key)) return true
  switch (event.key) {
    case '/':
      focusFilter()
      return true
    case ' ':
      if (isPressable(event.target)) return false
      togglePause()
      return true
    case 'Enter':
      if (isPressable(event.target)) return false
      enter(view)
      return true
    case 'Escape':
      letGo()
      return true
    case 'p':
      togglePin().catch(() => undefined)
      return true
    case 'f':
      view.toNewest()
      return true
    case 'r':
      replay('now')
      return true
    case 'R':
      replay('sheet')
      return true
    case 'd': {
      const { dock, setDock } = useLayout.getState()
      setDock(dock === 'right' ? 'bottom' : 'right')
      return true
    }
    default:
      return false
  }
}

/** The keys of the list, wherever the focus is, unless it is where keys are text. */
export function useStreamKeys(view: ListView): void {
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (takesKeys(event.target)) return
      if (press(latest.current, event)) event.preventDefault()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
