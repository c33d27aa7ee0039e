import { create } from 'zustand'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { without } from '@/shared/live/filter-edit.ts'
import { receivedText, type Stretch, type View } from './stretch.ts'
import { useTimelineLook } from './timeline.ts'

interface Step {
  readonly view: View
  /** The filter at that time. */
  readonly filter: string
}
interface ViewStore {
  readonly view: View
  /** What was looked at before, the latest last. */
  readonly past: readonly Step[]
  look(view: View): void
  /** Looks at a stretch and shows only what arrived in it. */
  filterBy(stretch: Stretch): void
  /** Shows all times again, and goes on looking at the same stretch. */
  unfilter(): void
  back(): void
}

/** Steps back that are kept. */
const MOST = 50
const FIELD = 'received'

/** What the timeline looks at, and the way back. */
export const useTimelineView = create<ViewStore>()((set) => {
  const step = ({ view, past }: ViewStore): readonly Step[] =>
    [...past, { view, filter: useFilter.getState().text }].slice(-MOST)
  return {
    view: { follows: useTimelineLook.getState().span },
    past: [],
    look: (view) => set((now) => ({ view, past: step(now) })),
    filterBy: (stretch) => {
      set((now) => ({ view: stretch, past: step(now) }))
      const { text, set: setFilter } = useFilter.getState()
      const rest = without(text, FIELD)
      setFilter(`${FIELD}:${receivedText(stretch)}${rest === '' ? '' : ` ${rest}`}`)
    },
    unfilter: () => {
      const { text, set: setFilter } = useFilter.getState()
      setFilter(without(text, FIELD))
    },
    back: () =>
      set(({ view, past }) => {
        const last = past.at(-1)
        if (!last) return {}
        const { text, set: setFilter } = useFilter.getState()
        if (last.filter !== text) setFilter(last.filter)
        return { view: last.view ?? view, past: past.slice(0, -1) }
      }),
  }
})
