import { useEffect, useLayoutEffect, useRef } from 'react'
import { api } from '@/live/api.ts'
import { list } from '@/live/list.ts'
import { openAlone } from '@/live/new-window.ts'
import { useChosen } from '@/stores/chosen.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useFollow } from '@/stores/follow.ts'
import { useGoing } from '@/stores/going.ts'
import { useLayout } from '@/stores/layout.ts'
import { useSelection } from '@/stores/selection.ts'
import { useTimelineLook } from '@/stores/timeline.ts'
import { annotate, chooseTo, compare, copy, remove, removeShown, replay } from './choosing.ts'
import { closeDetail } from './detail-split.tsx'
import { togglePause } from './filter-bar.tsx'
import { focusDetail, focusFilter, focusGrid, focusHeadings, isPressable, takesKeys } from './focus.ts'
import { ROW_PX } from './measures.ts'
import type { ListView } from './use-list-view.ts'

/** Pins the row pointed at, or frees it. The list learns of it by a push. */
async function togglePin(): Promise<void> {
  const { cursor } = useCursor.getState()
  const row = cursor && list.row(cursor.position)
  if (row) await api.call('deliveries.pin', { ids: [row.id], pinned: !row.marks.includes('pinned') })
}

/** Goes to another row; with `range`, everything on the way is chosen. */
function move(view: ListView, key: string, range: boolean): boolean {
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
  const now = useCursor.getState().cursor
  if (range && now) void chooseTo(now.position, cursor?.position ?? null)
  else useChosen.getState().clear()
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
  const { all, ids, clear } = useChosen.getState()
  if (all || ids.size > 0) clear()
  else if (useSelection.getState().id !== null) closeDetail()
  else useCursor.getState().point(null)
}

const inGrid = (event: KeyboardEvent): boolean =>
  event.target === document.body || (event.target as Element).closest('[data-grid]') !== null

/** @returns whether the key meant something here */
function press(view: ListView, event: KeyboardEvent): boolean {
  const anywhere = event.key === 'j' || event.key === 'k'
  const onHeading = (event.target as Element).closest('[data-heading]') !== null
  if ((anywhere || (inGrid(event) && !onHeading)) && move(view, event.key, event.shiftKey)) {
    // The row pointed at shows only in a list that has the keyboard.
    if (event.target === document.body) focusGrid()
    return true
  }
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
    case 'Delete':
    case 'Backspace':
      if (!inGrid(event) || onHeading) return false
      if (event.shiftKey) removeShown()
      else remove()
      return true
    case 'l':
      annotate('tags')
      return true
    case 'm':
      annotate('note')
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
    case 'c':
      compare()
      return true
    case 'd': {
      const { dock, setDock } = useLayout.getState()
      setDock(dock === 'right' ? 'bottom' : 'right')
      return true
    }
    case 'y':
      copy('json')
      return true
    case 'Y':
      copy('curl')
      return true
    case 's':
      focusHeadings()
      return true
    case 'G':
      useGoing.getState().ask(true)
      return true
    case 't': {
      const { open, keep } = useTimelineLook.getState()
      keep({ open: !open })
      return true
    }
    default:
      return false
  }
}

/** The keys of the list, wherever the focus is, unless it is where keys are text. */
export function useStreamKeys(view: ListView): void {
  const latest = useRef(view)
  useLayoutEffect(() => {
    latest.current = view
  })
  // What another filter hides must not be sent by accident.
  const { filter } = view.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that clears
  useEffect(() => useChosen.getState().clear(), [filter])
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || takesKeys(event.target)) return
      if (event.ctrlKey || event.metaKey) {
        if (event.key === 'Enter' && !event.shiftKey && !isPressable(event.target)) {
          const { cursor } = useCursor.getState()
          if (cursor?.id) openAlone(cursor.id)
          return event.preventDefault()
        }
        if (event.shiftKey || !inGrid(event)) return
        const key = event.key.toLowerCase()
        if (key === 'c') {
          // Words that are marked are what is meant to be copied.
          if (!getSelection()?.isCollapsed) return
          copy('text')
          return event.preventDefault()
        }
        if (key !== 'a') return
        useFollow.getState().stop(list.state().total)
        useChosen.getState().setAll()
        return event.preventDefault()
      }
      if (press(latest.current, event)) event.preventDefault()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
