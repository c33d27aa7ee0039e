import { useTranslation } from 'react-i18next'
import { GROUPS } from '#catalog/kinds.ts'
import { localTime } from '@/shared/formats/local-time.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import type { Gap } from '@/shared/live/coverage.ts'
import type { Stretch } from './stretch.ts'

const DAY = 86_400_000

/** Local time as short as the range allows. @param step milliseconds between two labels */
export function timeText(at: number, step: number, locale: string): string {
  const clock = localTime(at).slice('2026-11-22T'.length)
  if (step >= DAY || (step >= DAY / 8 && clock.startsWith('00:00')))
    return new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'short' })
  return clock.slice(0, step < 60_000 ? '20:57:12'.length : '20:57'.length)
}

export function useTimelineWords() {
  const { t } = useTranslation(['timeline', 'common'])
  const format = useFormat()
  const language = useLanguage()
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
