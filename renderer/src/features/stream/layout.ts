import { useSyncExternalStore } from 'react'
import type { TimelineBy } from '#contract/timeline.ts'
import { TIMELINE_BY } from '#contract/values.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { store } from '@/shared/live/store.ts'

export type Dock = 'right' | 'bottom'

interface Kept {
  readonly dock: Dock
  readonly share: Readonly<Record<Dock, number>>
}

const FALLBACK: Kept = { dock: 'right', share: { right: 34, bottom: 45 } }
const percent = (value: unknown, fallback: number): number =>
  typeof value === 'number' && value >= 10 && value <= 90 ? value : fallback

function read(stored: unknown): Kept | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { dock, share } = stored as { dock?: unknown; share?: { right?: unknown; bottom?: unknown } | null }
  return {
    dock: dock === 'bottom' ? 'bottom' : 'right',
    share: {
      right: percent(share?.right, FALLBACK.share.right),
      bottom: percent(share?.bottom, FALLBACK.share.bottom),
    },
  }
}

export const useLayout = store(remembered('layout', read, FALLBACK))((set, get) => {
  const keep = (change: Partial<Kept>) => {
    set(change)
    const { dock, share } = get()
    remember('layout', { dock, share })
  }
  const setShare = (dock: Dock, share: number) => keep({ share: { ...get().share, [dock]: share } })
  return {
    setDock: (dock: Dock) => keep({ dock }),
    setShare,
    resetShare: (dock: Dock) => setShare(dock, FALLBACK.share[dock]),
  }
})

export type DetailPlace = Dock | 'over'

/** Smallest window width, px, for list and details side by side. */
const BESIDE_PX = 800
/** Smallest window height, px, for details below the list. */
const BELOW_PX = 560

/** Place of the details for a dock and a window size in px. */
export function placeFor(dock: Dock, width: number, height: number): DetailPlace {
  if (width >= BESIDE_PX) return dock
  return height >= BELOW_PX ? 'bottom' : 'over'
}

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}

export function useDetailPlace(): DetailPlace {
  const dock = useLayout((s) => s.dock)
  return useSyncExternalStore(onResize, () => placeFor(dock, innerWidth, innerHeight))
}

/** Ranges that follow the present, in minutes; 0: all times. */
export const SPANS = [15, 60, 360, 1_440, 10_080, 43_200, 0] as const
export type Span = (typeof SPANS)[number]

interface KeptTimeline {
  readonly open: boolean
  readonly by: TimelineBy
  readonly span: Span
}

const FIRST_TIMELINE: KeptTimeline = { open: true, by: 'verdict', span: 60 }

function readTimeline(stored: unknown): KeptTimeline | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { open, by, span } = stored as Partial<Record<keyof KeptTimeline, unknown>>
  return {
    open: open !== false,
    by: TIMELINE_BY.find((known) => known === by) ?? FIRST_TIMELINE.by,
    span: SPANS.find((known) => known === span) ?? FIRST_TIMELINE.span,
  }
}

export const useTimelineLook = store(remembered('timeline', readTimeline, FIRST_TIMELINE))((set, get) => ({
  keep: (change: Partial<KeptTimeline>) => {
    set(change)
    const { open, by, span } = get()
    remember('timeline', { open, by, span })
  },
}))
