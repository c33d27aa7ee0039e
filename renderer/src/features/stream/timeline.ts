import type { TimelineBy } from '#contract/timeline.ts'
import { TIMELINE_BY } from '#contract/values.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { store } from '@/shared/live/store.ts'

/** Ranges that follow the present, in minutes; 0: all times. */
export const SPANS = [15, 60, 360, 1_440, 10_080, 43_200, 0] as const
export type Span = (typeof SPANS)[number]

interface Kept {
  readonly open: boolean
  readonly by: TimelineBy
  readonly span: Span
}

const FALLBACK: Kept = { open: true, by: 'verdict', span: 60 }

function read(stored: unknown): Kept | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { open, by, span } = stored as Partial<Record<keyof Kept, unknown>>
  return {
    open: open !== false,
    by: TIMELINE_BY.find((known) => known === by) ?? FALLBACK.by,
    span: SPANS.find((known) => known === span) ?? FALLBACK.span,
  }
}

export const useTimelineLook = store(remembered('timeline', read, FALLBACK))((set, get) => ({
  keep: (change: Partial<Kept>) => {
    set(change)
    const { open, by, span } = get()
    remember('timeline', { open, by, span })
  },
}))
