import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '#contract/errors.ts'
import type { Timeline, TimelineBy } from '#contract/timeline.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { list } from '@/shared/deliveries/list.ts'
import { api, host } from '@/shared/live/api.ts'
import { valuesOf, without } from '@/shared/live/filter-edit.ts'
import { atReset, useStatus } from '@/shared/live/status.ts'
import { store } from '@/shared/live/store.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { useTimelineLook } from './layout.ts'
import { receivedText, type Stretch, stretchOf, type View } from './stretch.ts'

/** Shortest pause between requests, and the pause as a multiple of the last duration: expensive filters are queried rarely. */
const PAUSE_MS = 1_000
const PAUSE_RATIO = 10
/** Longest pause while the range follows the present. */
const LONGEST_PAUSE_MS = 30_000

export interface TimelineState {
  readonly timeline: Timeline | null
  readonly refusal: Refusal | null
}

interface Asked {
  readonly view: View
  readonly by: TimelineBy
  readonly filter: string
  readonly width: number
}

const WHOLE: View = { follows: 0 }

/** The view that the user chose; a session is shown whole until then. */
export function useShownView(): View {
  const view = useTimelineView((s) => s.view)
  const session = useStatus((s) => s.info?.session)
  return session && view === first.view ? WHOLE : view
}

/** The bars of the view, updated as deliveries arrive. Keeps its identity without a change, so that nothing renders. */
export function useTimeline({ view, by, filter, width }: Asked): TimelineState {
  const [state, setState] = useState<TimelineState>({ timeline: null, refusal: null })
  const stored = useRef<Timeline['stored']>(null)
  const known = useRef('')
  useEffect(() => {
    if (width === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let current = true
    let changed = false
    let asking = false
    let pause = PAUSE_MS
    const follows = 'follows' in view
    const ask = async () => {
      clearTimeout(timer)
      timer = undefined
      changed = false
      asking = true
      const began = performance.now()
      // A session ends with its last delivery.
      const now = useStatus.getState().info?.session ? (stored.current?.to ?? Date.now()) : Date.now()
      const { from, to, step } = stretchOf(view, now, width, stored.current)
      try {
        const timeline = await api.call('timeline.get', { from, to, bucketMs: step, by, filter })
        if (!current) return
        const before = stored.current
        stored.current = timeline.stored
        const text = JSON.stringify(timeline)
        if (text !== known.current) setState({ timeline, refusal: null })
        known.current = text
        pause = Math.max(PAUSE_MS, (performance.now() - began) * PAUSE_RATIO)
        // Without an index the store counts in steps, some with each request.
        if (!timeline.exact) changed = true
        // A range of all times is known only after the first answer.
        if (follows && view.follows === 0 && before?.from !== timeline.stored?.from) changed = true
      } catch (error) {
        if (current) setState((now) => ({ ...now, refusal: refusalOf(error) }))
      }
      asking = false
      if (changed) later()
      else if (follows)
        timer = setTimeout(() => void ask(), Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, step)))
    }
    const later = () => {
      changed = true
      if (asking) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        // A hidden window requests when it is visible again.
        if (document.hidden)
          document.addEventListener('visibilitychange', () => current && void ask(), { once: true })
        else void ask()
      }, pause)
    }
    let waiting = false
    const soon = () => {
      if (waiting || changed) return
      waiting = true
      queueMicrotask(() => {
        waiting = false
        if (current) later()
      })
    }
    const ended = !follows && view.to < Date.now() - 60_000
    let total = list.state().total
    let epoch = list.state().epoch
    const stopList = list.subscribe(() => {
      const now = list.state()
      // A past range changes only when deliveries are deleted or restored.
      if (ended ? now.epoch !== epoch || now.total < total : true) soon()
      total = now.total
      epoch = now.epoch
    })
    const stopPushes = host().onPush(({ push }) => {
      if (push === 'sweeps.changed' || push === 'replays.changed') soon()
    })
    const stopResets = atReset(() => {
      if (asking || document.hidden) later()
      else void ask()
    })
    void ask()
    return () => {
      current = false
      clearTimeout(timer)
      stopList()
      stopPushes()
      stopResets()
    }
  }, [view, by, filter, width])
  return state
}

interface Step {
  readonly view: View
  readonly filter: string
}
interface Looking {
  readonly view: View
  readonly past: readonly Step[]
  /** View before the user drew a range; null without one. */
  readonly before: View | null
}
const first: Looking = { view: { follows: useTimelineLook.getState().span }, past: [], before: null }

const MOST = 50
const FIELD = 'received'

export const useTimelineView = store(first)((set) => {
  const filter = useFilter.getState
  const step = ({ view, past }: Looking): readonly Step[] =>
    [...past, { view, filter: filter().text }].slice(-MOST)
  return {
    show: (view: View) => set((now) => ({ view, past: step(now) })),
    filterBy: (stretch: Stretch) => {
      set((now) => ({ view: stretch, past: step(now), before: now.before ?? now.view }))
      const rest = without(filter().text, FIELD)
      filter().set(`${FIELD}:${receivedText(stretch)}${rest === '' ? '' : ` ${rest}`}`)
    },
    unfilter: () => filter().set(without(filter().text, FIELD)),
    back: () =>
      set(({ past }) => {
        const last = past.at(-1)
        if (!last) return {}
        if (last.filter !== filter().text) filter().set(last.filter)
        return { view: last.view, past: past.slice(0, -1), before: null }
      }),
  }
})

// The user can clear the range by its chip, in the filter, or with the whole filter.
useFilter.subscribe(({ text }) => {
  const { before } = useTimelineView.getState()
  if (before && valuesOf(text, FIELD).length === 0) useTimelineView.setState({ view: before, before: null })
})
