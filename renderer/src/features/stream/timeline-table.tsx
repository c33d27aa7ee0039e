import type { Timeline } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { sweepHref } from './coverage-band.tsx'
import { type Bars, gapsOf } from './stack.ts'
import type { Stretch } from './stretch.ts'
import styles from './timeline-table.module.css'
import { useTimelineWords } from './words.ts'

/** The same as the chart, in words and figures: bars that hold something, and the gaps. */
export function TimelineTable({
  timeline,
  bars,
  onGo,
}: {
  readonly timeline: Timeline
  readonly bars: Bars
  /** Leads the list to the deliveries of a time range. */
  readonly onGo: (stretch: Stretch) => void
}) {
  const words = useTimelineWords()
  const { t, format } = words
  const gaps = gapsOf(timeline.coverage)
  const shown = bars.keys.flatMap((key, place) =>
    bars.counts.some((parts) => (parts[place] ?? 0) > 0) ? [{ key, place }] : [],
  )
  return (
    <ScrollRegion
      className={cx(
        styles.table,
        'flex gap-32 h-180 overflow-auto text-s [&_table]:self-start [&_table]:border-collapse [&_td]:text-fg [&_ul]:m-0 [&_ul]:p-0 [&_ul]:list-none [&_a]:text-accent-text',
      )}
      label={t('chart')}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            <th scope="col">{t('sum')}</th>
            {shown.map(({ key }) => (
              <th key={key} scope="col">
                {words.key(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.counts.map((parts, index) => {
            const from = bars.from + index * bars.step
            const stretch = { from, to: from + bars.step }
            const time = words.stretch(stretch)
            return (bars.totals[index] ?? 0) === 0 ? null : (
              <tr key={from}>
                <th scope="row">
                  <button
                    type="button"
                    className={styles.go}
                    title={t('goTo.title')}
                    aria-label={t('goTo.label', { time })}
                    onClick={() => onGo(stretch)}
                  >
                    {time}
                  </button>
                </th>
                <td>{format.number(bars.totals[index] ?? 0)}</td>
                {shown.map(({ key, place }) => (
                  <td key={key}>{format.number(parts[place] ?? 0)}</td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <div>
        <h2>{t('gaps')}</h2>
        {gaps.length === 0 ? <p>{timeline.coverage.length === 0 ? t('noCoverage') : t('noGaps')}</p> : null}
        <ul>
          {gaps.map((gap) => (
            <li key={gap.from}>
              {words.gap(gap)} · <a href={sweepHref(gap)}>{t('sweep')}</a>
            </li>
          ))}
        </ul>
      </div>
    </ScrollRegion>
  )
}
