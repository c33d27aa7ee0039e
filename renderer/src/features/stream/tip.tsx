import type { Timeline } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import type { Bars } from './stack.ts'
import type { Stretch } from './stretch.ts'
import swatches from './swatches.module.css'
import styles from './tip.module.css'
import { useTimelineWords } from './words.ts'

/** What one bar holds, beside it. The pointer's; the keyboard's is told by the slider itself. */
export function Tip({
  bars,
  index,
  stretch,
  timeline,
}: {
  readonly bars: Bars
  readonly index: number
  readonly stretch: Stretch
  readonly timeline: Timeline
}) {
  const { t, format, key: name, stretch: text } = useTimelineWords()
  const total = bars.totals[index] ?? 0
  const states = timeline.coverage.filter(
    ({ state, from, to }) => state !== 'listening' && from < stretch.to && to > stretch.from,
  )
  const share = (index + 0.5) / bars.counts.length
  return (
    <div
      aria-hidden="true"
      className={styles.tip}
      style={share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` }}
    >
      <p className="flex items-center tabular-nums gap-14 text-fg">
        <span>{text(stretch)}</span>
        <b>{format.number(total)}</b>
      </p>
      {bars.keys
        .map((key, place) => ({ key, n: bars.counts[index]?.[place] ?? 0 }))
        .filter(({ n }) => n > 0)
        .toReversed()
        .map(({ key, n }) => (
          <p key={key} className="flex items-center gap-6 tabular-nums">
            <span className={swatches.swatch} data-swatch={key} />
            <span>{name(key)}</span>
            <b>{format.number(n)}</b>
          </p>
        ))}
      {[...new Set(states.map(({ state }) => state))].map((state) => (
        <p key={state} className="flex items-center gap-6 tabular-nums">
          <span className={cx(swatches.swatch, swatches.hatched)} />
          <span>
            {t('coverage')}: {t(`state.${state}`)}
          </span>
        </p>
      ))}
      <p className="mt-3 text-fg-3 whitespace-nowrap">{t('goTo.hint')}</p>
    </div>
  )
}
