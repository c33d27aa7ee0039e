import { GROUPS } from '#catalog/kinds.ts'
import type { Timeline } from '#contract/timeline.ts'
import { spanOf } from '#core/filter/spans.ts'
import { localTime } from '@/shared/formats/local-time.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import type { Gap } from '@/shared/live/coverage.ts'
import type { Span } from './layout.ts'

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Stretch {
  readonly from: number
  readonly to: number
}
/** Time range of the timeline: the last minutes, which follow the present, or a fixed range. */
export type View = { readonly follows: Span } | Stretch

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Bar widths with common names. */
const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAY),
]
/** Smallest width of a bar, px. */
const BAR_PX = 12
const SHORTEST = 60 * SECOND

export function stepFor(span: number, width: number): number {
  const most = Math.max(8, Math.floor(width / BAR_PX))
  return STEPS.find((step) => span / step <= most) ?? 365 * DAY
}

/** Start of the bar that contains an instant: a round local time. */
export function floorLocal(at: number, step: number): number {
  const offset = step < HOUR ? 0 : new Date(at).getTimezoneOffset() * MINUTE
  return Math.floor((at - offset) / step) * step + offset
}

/** Smallest distance of two tick labels, px. */
const TICK_PX = 90

/** Ticks of a time range of a width in px, at round local times. */
export function ticksOf({ from, to }: Stretch, width: number) {
  const most = width / TICK_PX
  const apart = STEPS.find((step) => (to - from) / step <= most) ?? 365 * DAY
  const first = floorLocal(from, apart)
  // Rounded from the middle of each step, so that a daylight saving change keeps ticks at round times.
  const ticks = Array.from({ length: Math.ceil((to - first) / apart) + 1 }, (_, i) =>
    floorLocal(first + (i + 0.5) * apart, apart),
  )
  return { ticks, apart }
}

/** Current time range of a view, in whole bars. @param stored times of the oldest and newest delivery */
export function stretchOf(
  view: View,
  now: number,
  width: number,
  stored: Timeline['stored'],
): Stretch & { readonly step: number } {
  const wanted =
    'follows' in view
      ? {
          from:
            view.follows === 0
              ? Math.min(stored?.from ?? now - HOUR, now - 15 * MINUTE)
              : now - view.follows * MINUTE,
          to: now,
        }
      : view
  const step = stepFor(wanted.to - wanted.from, width)
  const to = floorLocal(wanted.to - 1, step) + step
  return { from: floorLocal(wanted.from, step), to, step }
}

/** Scales a range around its middle, up to the present. */
export function scaled(
  { from, to }: Stretch,
  factor: number,
  now: number,
  around = (from + to) / 2,
): Stretch {
  const span = Math.max(SHORTEST, (to - from) * factor)
  const share = (around - from) / (to - from)
  const start = Math.max(0, around - span * share)
  const end = Math.min(now, start + span)
  return { from: Math.max(0, Math.min(start, end - span)), to: Math.max(end, SHORTEST) }
}

export function shifted({ from, to }: Stretch, share: number, now: number): Stretch {
  const by = Math.max(-from, Math.min((to - from) * share, Math.max(0, now - to)))
  return { from: from + by, to: to + by }
}

/** A range as a value of `received:`, whose end is inclusive. */
export function receivedText({ from, to }: Stretch): string {
  const seconds = from % MINUTE !== 0 || to % MINUTE !== 0
  const text = (at: number) => localTime(at).slice(0, seconds ? -'.000'.length : -':00.000'.length)
  return `${text(from)}..${text(to - (seconds ? SECOND : MINUTE))}`
}

/** Range of `received:` values. @param now end of a range without one @returns null: none, several, or a range without a start */
export function receivedIn([value, other]: readonly string[], now: number): Stretch | null {
  if (value === undefined || other !== undefined) return null
  const span = spanOf(value, { now: () => now })
  if (!span || span.from === null) return null
  const from = span.from / 1_000
  const to = span.to === null ? now : (span.to + 1) / 1_000
  return to > from ? { from, to } : null
}

/** Local time as short as the range allows. @param step milliseconds between two labels */
export function timeText(at: number, step: number, locale: string): string {
  const clock = localTime(at).slice('2026-11-22T'.length)
  if (step >= DAY || (step >= DAY / 8 && clock.startsWith('00:00')))
    return new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short' })
  return clock.slice(0, step < 60_000 ? '20:57:12'.length : '20:57'.length)
}

export function useTimelineWords() {
  const { t, format, language } = useTexts(['timeline', 'common'])
  const { locale } = format
  const date = (at: number) => new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short' })
  const sameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString()
  return {
    t,
    format,
    locale,
    key(key: string): string {
      if (key === 'none') return t('none')
      if (key === 'unjudged') return t('unjudged')
      const group = GROUPS.find(({ slug }) => slug === key)
      return group ? group.name[language] : t(`common:verdict.${key as 'valid'}`)
    },
    /** A range from its start to its exclusive end; with the date unless it is today. */
    stretch({ from, to }: Stretch): string {
      const step = from % 60_000 === 0 && to % 60_000 === 0 ? 60_000 : 1_000
      const day = (at: number) => (sameDay(at, Date.now()) ? '' : `${date(at)} `)
      const end = sameDay(from, to) ? '' : day(to)
      return `${day(from)}${timeText(from, step, locale)}–${end}${timeText(to, step, locale)}`
    },
    gap: (gap: Gap): string => {
      // With seconds when both ends are in one minute.
      const step = Math.floor(gap.from / 60_000) === Math.floor(gap.to / 60_000) ? 1_000 : 60_000
      const ends = { from: timeText(gap.from, step, locale), to: timeText(gap.to, step, locale) }
      const day = sameDay(gap.from, Date.now()) ? '' : `${date(gap.from)} `
      return t('gap', {
        why: [...new Set(gap.spans.map(({ state }) => t(`state.${state}`)))].join(', '),
        ...ends,
        from: `${day}${ends.from}`,
      })
    },
    /** The width of a bar. */
    step(ms: number): string {
      if (ms < 60_000) return t('unit.second', { count: ms / 1_000 })
      if (ms < 3_600_000) return t('unit.minute', { count: ms / 60_000 })
      if (ms < DAY) return t('unit.hour', { count: ms / 3_600_000 })
      return t('unit.day', { count: Math.round(ms / DAY) })
    },
  }
}
export type TimelineWords = ReturnType<typeof useTimelineWords>
