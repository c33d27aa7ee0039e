import type { Timeline } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { gapsOf } from '@/shared/live/coverage.ts'
import { sweepHref } from './coverage-band.tsx'
import { type Bars, keysShown } from './stack.ts'
import type { Stretch } from './stretch.ts'
import { useTimelineWords } from './words.ts'

/** The chart as a table: non-empty bars and gaps in coverage. */
export function TimelineTable(props: {
  readonly timeline: Timeline
  readonly bars: Bars
  readonly onGo: (stretch: Stretch) => void
}) {
  const { timeline, bars, onGo } = props
  const words = useTimelineWords()
  const { t, format } = words
  const gaps = gapsOf(timeline.coverage)
  const up = timeline.coverage.filter(({ receivers = [] }) => receivers.length > 0)
  const shown = keysShown(bars)
  return (
    <ScrollRegion
      className={cx(
        'flex gap-32 h-180 overflow-auto text-s',
        '[&_table]:self-start [&_table]:border-collapse [&_td]:text-fg [&_a]:text-accent-text',
        '[&_:is(th,td)]:py-2 [&_:is(th,td)]:pr-14 [&_:is(th,td)]:pl-0 [&_:is(th,td)]:text-end',
        '[&_:is(th,td)]:tabular-nums [&_:is(th,td)]:font-normal [&_:is(th,td)]:whitespace-nowrap',
        '[&_th:first-child]:text-start [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:bg-panel',
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
                    className="p-0 border-0 bg-transparent text-accent-text tabular-nums cursor-default hover:underline"
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
        <h2 className="my-2 text-fg-3 text-s font-normal">{t('gaps')}</h2>
        {gaps.length === 0 ? <p>{timeline.coverage.length === 0 ? t('noCoverage') : t('noGaps')}</p> : null}
        <ul>
          {gaps.map((gap) => (
            <li key={gap.from}>
              {words.gap(gap)} · <a href={sweepHref(gap)}>{t('sweep')}</a>
            </li>
          ))}
        </ul>
      </div>
      {up.length > 0 ? (
        <div>
          <h2 className="my-2 text-fg-3 text-s font-normal">{t('receivers')}</h2>
          <ul>
            {up.map((span) => (
              <li key={span.from}>
                {words.stretch(span)}: {span.receivers?.join(', ')}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </ScrollRegion>
  )
}
