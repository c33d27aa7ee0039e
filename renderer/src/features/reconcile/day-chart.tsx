import { type MouseEvent, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { instantOf } from '#core/time/zone.ts'
import { openMenu } from '@/shared/actions/context.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { cx } from '@/shared/components/cx.ts'
import { rowFor } from '@/shared/components/list-steps.ts'
import { useWidth } from '@/shared/components/use-width.ts'
import { filterActions } from '@/shared/deliveries/value-actions.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { daysSection } from './range.ts'

const HEIGHT = 70
const COVERAGE = 4
const LABEL = 14

const INK: Readonly<Record<Layer, string>> = {
  matched: 'fill-[color-mix(in_srgb,var(--valid)_45%,var(--panel))]',
  recovered: 'fill-valid',
  others: 'fill-line-strong',
  webhookOnly: 'fill-fg-3',
  cannotTell: 'fill-[color-mix(in_srgb,var(--warning)_45%,var(--panel))]',
  differs: 'fill-warning',
  missing: 'fill-invalid',
}
/** Colours of Stream's timeline: green while listening, hatched otherwise. */
const LISTENING = 'fill-[color-mix(in_srgb,var(--valid)_38%,var(--panel))]'

/** Documents by day of issue, with the receiver's downtime below each day. A slider moves between days. */
export function DayChart(props: {
  readonly days: ReconciliationSummary['days']
  readonly zone: string
  readonly connection: string
  /** Selects the documents of a day. */
  readonly onFind: (day: string) => void
}) {
  const { days, zone, connection, onFind } = props
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const hatch = useId()
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const bars = useMemo(() => dayBars(days, zone), [days, zone])
  const known = useCoverage(bars)
  const highest = Math.max(1, ...bars.map(({ total }) => total))
  const step = bars.length === 0 ? 0 : Math.min(56, width / bars.length)
  const every = Math.max(1, Math.ceil(26 / Math.max(1, step)))
  const off = (bar: DayBar) => (known ? notListening(bar, known.spans, known.at) : 0)
  const [pointed, setPointed] = useState(0)
  const at = Math.min(pointed, bars.length - 1)
  const current = bars[at]
  const told = (bar: DayBar) => {
    const { day, total: count, layers } = bar
    const present = LAYERS.filter((layer) => layers[layer] > 0)
    const counts = present.map((layer) => `${format.number(layers[layer])} ${t(`chart.layer.${layer}`)}`)
    const share = wholePercent(off(bar))
    return [t('chart.title', { day, count }), ...counts, t('chart.notListening', { share })].join(', ')
  }
  const ask = (event: MouseEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    // A key opens the menu without a pointer position.
    const bar = bars[event.nativeEvent.isTrusted ? Math.floor((event.clientX - left) / step) : at]
    if (!bar) return
    openMenu(event, () => [
      [
        ...filterActions(bar.day, onFind).slice(0, 1),
        onThis('sweep-day', 'on.sweepDay', () =>
          useRoute.getState().go('reconcile', daysSection(bar, connection)),
        ),
      ],
      [copyAction('copy-counts', 'on.copyCounts', told(bar))],
    ])
  }
  return (
    <div ref={box} className="relative flex-[1_1_220px] min-w-220 min-h-92">
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('chart.label')}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={at}
        aria-valuetext={current && told(current)}
        className="group absolute inset-0 rounded-3 outline-none focus-visible:outline-2 focus-visible:outline-offset-2"
        onContextMenu={ask}
        onKeyDown={(event) => {
          // Left and right act as up and down do in a list.
          const key = event.key.replace('Left', 'Up').replace('Right', 'Down')
          const next = rowFor(key, at, 7, bars.length)
          if (next !== undefined) setPointed(next)
          else if (event.key === 'Enter' && current) onFind(current.day)
          else return
          event.preventDefault()
        }}
      >
        <svg
          aria-hidden="true"
          className="absolute inset-0 block forced-color-adjust-none"
          width={width}
          height={HEIGHT + COVERAGE + LABEL + 3}
          viewBox={`0 0 ${Math.max(1, width)} ${HEIGHT + COVERAGE + LABEL + 3}`}
        >
          <pattern
            id={hatch}
            width={4}
            height={4}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect
              width={4}
              height={4}
              className="fill-[color-mix(in_srgb,var(--invalid)_25%,var(--panel))]"
            />
            <rect width={2} height={4} className="fill-invalid" />
          </pattern>
          {bars.map((bar, index) => {
            let y = HEIGHT
            const x = index * step + (step > 6 ? 1 : 0)
            const wide = Math.max(1, step - (step > 6 ? 2 : 0))
            return (
              <g key={bar.day}>
                <title>{told(bar)}</title>
                <rect
                  {...{ x: index * step, y: 0, width: step, height: HEIGHT }}
                  className={cx(
                    'fill-transparent [g:hover>&]:fill-hover',
                    index === at && 'group-focus-visible:fill-selected',
                  )}
                />
                {LAYERS.map((layer) => {
                  const count = bar.layers[layer]
                  // One missing document among thousands must stay visible.
                  const tall = count === 0 ? 0 : Math.max(2, (count / highest) * (HEIGHT - 6))
                  y -= tall
                  return count === 0 ? null : (
                    <rect key={layer} x={x} y={y} width={wide} height={tall} className={INK[layer]} />
                  )
                })}
                <rect x={x} y={HEIGHT + 2} width={wide} height={COVERAGE} className={LISTENING} />
                {off(bar) > 0 ? (
                  <rect
                    x={x}
                    y={HEIGHT + 2}
                    width={Math.max(2, wide * off(bar))}
                    height={COVERAGE}
                    fill={`url(#${hatch})`}
                  />
                ) : null}
                {index % every === 0 ? (
                  <text
                    x={x + wide / 2}
                    y={HEIGHT + COVERAGE + LABEL}
                    textAnchor="middle"
                    className="fill-fg-3 [font:10px_/_1_var(--font-code)]"
                  >
                    {Number(bar.day.slice(8))}
                  </text>
                ) : null}
              </g>
            )
          })}
        </svg>
        {current ? (
          <p
            aria-hidden="true"
            className="absolute z-float top-full left-0 hidden group-focus-visible:block mt-4 px-8 py-4 border border-line-strong rounded-6 bg-panel shadow-float text-fg-2 text-xs"
          >
            {told(current)}
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** Coverage of the bars' days, requested after every comparison; null until it is known. */
function useCoverage(bars: readonly DayBar[]) {
  const [from, to] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 0]
  const ask = async () => ({ ...(await api.call('coverage.list', { from, to })), at: Date.now() })
  const { data, refusal } = useAnswer(bars.length === 0 ? null : `${from} ${to}`, ask, bars)
  // After a refusal the chart shows no coverage, because old spans may be wrong.
  return refusal ? null : data
}

const LAYERS = ['matched', 'recovered', 'others', 'webhookOnly', 'cannotTell', 'differs', 'missing'] as const
type Layer = (typeof LAYERS)[number]

const LAYER_OF: Readonly<Record<DocumentClass, Layer>> = {
  matched: 'matched',
  missing: 'missing',
  differs: 'differs',
  'webhook-only': 'webhookOnly',
  'not-yet-due': 'others',
  'date-unknown': 'others',
  'not-subscribed': 'others',
  'cannot-tell': 'cannotTell',
  recovered: 'recovered',
}
const DAY_MS = 86_400_000

interface DayBar {
  readonly day: string
  /** Milliseconds since the epoch at which the day begins and ends in the connection's zone. */
  readonly from: number
  readonly to: number
  readonly total: number
  readonly layers: Readonly<Record<Layer, number>>
}

/** One bar per day from first to last, also for days without documents. @param zone IANA name */
export function dayBars(days: ReconciliationSummary['days'], zone: string): readonly DayBar[] {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return []
  const byDay = new Map(days.map(({ day, counts }) => [day, counts]))
  const bars: DayBar[] = []
  const end = Date.parse(`${last.day}T00:00:00Z`)
  for (let at = Date.parse(`${first.day}T00:00:00Z`); at <= end; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const layers = Object.fromEntries(LAYERS.map((layer) => [layer, 0])) as Record<Layer, number>
    for (const [name, count] of Object.entries(byDay.get(day) ?? {}))
      layers[LAYER_OF[name as DocumentClass]] += count
    const total = LAYERS.reduce((sum, layer) => sum + layers[layer], 0)
    bars.push({ day, from: instantOf(zone, at), to: instantOf(zone, at + DAY_MS), total, layers })
  }
  return bars
}

/** Share of a day in which the receiver was not listening. Time without a span counts as not listening. @param now time after it is excluded */
export function notListening(
  bar: Pick<DayBar, 'from' | 'to'>,
  spans: readonly CoverageSpan[],
  now: number,
): number {
  const end = Math.min(bar.to, now)
  if (end <= bar.from) return 0
  const listened = spans.reduce(
    (sum, { state, from, to }) =>
      state === 'listening' ? sum + Math.max(0, Math.min(to, end) - Math.max(from, bar.from)) : sum,
    0,
  )
  return Math.max(0, Math.min(1, 1 - listened / (end - bar.from)))
}

/** Rounds a share to whole percent; only 0 gives 0, and only 1 gives 100. */
export function wholePercent(share: number): number {
  if (share <= 0 || share >= 1) return share <= 0 ? 0 : 100
  return Math.min(99, Math.max(1, Math.round(share * 100)))
}
