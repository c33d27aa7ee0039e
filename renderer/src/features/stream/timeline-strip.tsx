import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Table,
  Undo2,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Timeline } from '#contract/timeline.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useWidth } from '@/shared/components/use-width.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useList } from '@/shared/deliveries/list.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { lateView } from '@/shared/i18n/texts.ts'
import { gapsOf } from '@/shared/live/coverage.ts'
import { valuesOf, without } from '@/shared/live/filter-edit.ts'
import { STREAM } from './actions.ts'
import { sweepHref } from './coverage-band.tsx'
import { useGoTo } from './go-to-time.tsx'
import { SPANS, useTimelineLook } from './layout.ts'
import { type Bars, barsOf, keysShown, SWATCH, swatchOf } from './stack.ts'
import { receivedIn, type Stretch, scaled, shifted, useTimelineWords } from './stretch.ts'
import { useShownView, useTimeline, useTimelineView } from './use-timeline.ts'

const TimelineChart = lateView([], async () => (await import('./timeline-chart.tsx')).TimelineChart)

const CHIP =
  'inline-flex items-center gap-3 h-20 pr-4 pl-6 border-0 rounded-4 chip-xs tabular-nums cursor-default [&_svg]:opacity-70 [&_svg]:size-12'

/** Buttons that change the time range. */
const MOVES = [
  { label: 'earlier', icon: <ChevronLeft />, to: (seen: Stretch, now: number) => shifted(seen, -0.5, now) },
  { label: 'later', icon: <ChevronRight />, to: (seen: Stretch, now: number) => shifted(seen, 0.5, now) },
  { label: 'zoomOut', kbd: '−', icon: <ZoomOut />, to: (seen: Stretch, now: number) => scaled(seen, 2, now) },
  { label: 'zoomIn', kbd: '+', icon: <ZoomIn />, to: (seen: Stretch, now: number) => scaled(seen, 0.5, now) },
] as const

const BAR = 'flex items-center gap-8 h-28 pt-2 pr-12 pl-8 text-xs whitespace-nowrap'

function Fold({ open }: { readonly open: boolean }) {
  const { t } = useTimelineWords()
  return (
    <IconButton
      small
      label={t(open ? 'hide' : 'show')}
      kbd={useKeyHint()(STREAM.timeline)}
      aria-expanded={open}
      icon={open ? <ChevronUp /> : <ChevronDown />}
      onClick={() => useTimelineLook.getState().keep({ open: !open })}
    />
  )
}

/** The timeline above the list: bars, coverage, and marks of actions. */
export function TimelineStrip() {
  const { t } = useTimelineWords()
  const open = useTimelineLook((s) => s.open)
  return (
    <section className="border-b border-line bg-panel text-fg-3" aria-label={t('title')}>
      {open ? (
        <Open />
      ) : (
        <div className={BAR}>
          <Fold open={false} />
          <span className="text-fg-2">{t('title')}</span>
        </div>
      )}
    </section>
  )
}

function Open() {
  const words = useTimelineWords()
  const { t } = words
  const refusalText = useRefusalText()
  const { by, keep } = useTimelineLook()
  const view = useShownView()
  const { past, show, unfilter, back } = useTimelineView()
  const { filter } = useList()
  const text = useFilter((s) => s.text)
  const body = useRef<HTMLDivElement>(null)
  const width = useWidth(body)
  const [asTable, setAsTable] = useState(false)
  // Without `received:`, so that the bars around the selected range stay visible.
  const asked = useMemo(() => without(filter, 'received'), [filter])
  const filtered = useMemo(() => receivedIn(valuesOf(text, 'received'), Date.now()), [text])
  const { timeline, refusal } = useTimeline({ view, by, filter: asked, width })
  const bars = useMemo(() => timeline && barsOf(timeline), [timeline])
  const stands = !('follows' in view)
  const { said, go } = useGoTo()
  const label = stands && timeline ? words.stretch(timeline) : t(`span.${stands ? 60 : view.follows}`)
  return (
    <>
      <div className={BAR}>
        <Fold open />
        <Menu
          trigger={
            <button
              type="button"
              className={cx(CHIP, 'py-0 bg-transparent text-fg hover:bg-hover data-[state=open]:bg-hover')}
              aria-label={`${t('range')}: ${label}`}
            >
              {label}
              <ChevronDown aria-hidden="true" />
            </button>
          }
          entries={[
            {
              type: 'radio',
              label: t('range'),
              value: stands ? '' : String(view.follows),
              onChange: (value) => {
                const span = SPANS.find((known) => String(known) === value) ?? 60
                keep({ span })
                show({ follows: span })
              },
              options: SPANS.map((span) => ({ value: String(span), label: t(`span.${span}`) })),
            },
          ]}
        />
        {timeline && bars ? (
          <span
            className="overflow-hidden text-ellipsis tabular-nums max-[760px]:hidden"
            title={timeline.exact ? undefined : t('notExactHint')}
          >
            {timeline.exact ? '' : `${t('notExact')} `}
            {t('total', { count: bars.total })}
            <span className="max-[1180px]:hidden">
              {' '}
              · {t('width', { width: words.step(timeline.bucketMs) })}
            </span>
          </span>
        ) : null}
        {filtered ? (
          <button
            type="button"
            className={cx(CHIP, 'py-0 bg-accent-weak text-accent-text')}
            title={t('unfilter')}
            onClick={unfilter}
          >
            {t('filtered', { range: words.stretch(filtered) })}
            <X aria-hidden="true" />
          </button>
        ) : null}
        {refusal ? (
          <span role="status" className="overflow-hidden text-invalid text-ellipsis">
            {t('failed', { reason: refusalText(refusal) })}
          </span>
        ) : null}
        {said === null ? null : (
          <span role="status" className="min-w-0 text-fg truncate" title={said}>
            {said}
          </span>
        )}
        <span className="flex-1" />
        <ul className="flex flex-none gap-10 max-[1180px]:hidden [&_li]:inline-flex [&_li]:items-center [&_li]:gap-4">
          {bars &&
            keysShown(bars).map(({ key }) => (
              <li key={key}>
                <span className={SWATCH} style={swatchOf(key)} />
                {words.key(key)}
              </li>
            ))}
        </ul>
        <SegmentedControl
          small
          label={t('by.label')}
          value={by}
          onChange={(one) => keep({ by: one })}
          segments={(['verdict', 'group'] as const).map((value) => ({ value, label: t(`by.${value}`) }))}
        />
        <div className="flex flex-none">
          {MOVES.map(({ label, to, ...button }) => (
            <IconButton
              key={label}
              small
              label={t(label)}
              {...button}
              disabled={!timeline || (label === 'later' && !stands)}
              onClick={() => timeline && show(to(timeline, Math.max(Date.now(), timeline.to)))}
            />
          ))}
          <IconButton small label={t('back')} icon={<Undo2 />} disabled={past.length === 0} onClick={back} />
          <IconButton
            small
            label={t('table')}
            pressed={asTable}
            icon={<Table />}
            onClick={() => setAsTable(!asTable)}
          />
        </div>
      </div>
      <div ref={body} className="relative min-h-88 mx-12 mb-2">
        {timeline && bars && width > 0 ? (
          asTable ? (
            <TimelineTable timeline={timeline} bars={bars} onGo={go} />
          ) : (
            <TimelineChart timeline={timeline} bars={bars} width={width} filtered={filtered} onGo={go} />
          )
        ) : null}
      </div>
    </>
  )
}

/** The chart as a table: non-empty bars and gaps in coverage. */
function TimelineTable(props: {
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
