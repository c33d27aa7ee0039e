import { type KeyboardEvent, type MouseEvent, type PointerEvent, useMemo, useState } from 'react'
import type { Timeline } from '#contract/timeline.ts'
import { openMenu } from '@/shared/actions/context.ts'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { CoverageBand, labelledGap } from './coverage-band.tsx'
import { type Bars, HATCHED, partsOf, SWATCH, sums, swatchOf } from './stack.ts'
import { type Stretch, scaled, ticksOf, timeText, useTimelineWords } from './stretch.ts'
import { useTimelineView } from './use-timeline.ts'

const CHART_PX = 88
const BAR_PX = 56
const BASE_PX = 62
const LABEL_PX = 25
/** Smallest movement of a drag; a shorter one clicks a bar. */
const DRAG_PX = 4

const SHADE =
  'absolute top-0 bottom-26 pointer-events-none forced-colors:border forced-colors:border-[Highlight]'

/** All bars of one part as one path, from the baseline to `tops`. */
const barsPath = (tops: readonly number[], most: number, width: number): string => {
  const bar = width / tops.length
  return tops
    .map((top, i) =>
      top > 0 ? `M${i * bar},${BASE_PX}v${(-top / most) * BAR_PX}h${Math.max(1, bar - 1)}V${BASE_PX}z` : '',
    )
    .join('')
}

export function TimelineChart(props: {
  readonly timeline: Timeline
  readonly bars: Bars
  readonly width: number
  /** Range of the filter's `received:`; null without one. */
  readonly filtered: Stretch | null
  readonly onGo: (stretch: Stretch) => void
}) {
  const { timeline, bars, width, filtered, onGo } = props
  const words = useTimelineWords()
  const { t, locale } = words
  const selective = useFilter((s) => s.text.trim() !== '')
  const [hover, setHover] = useState<number | null>(null)
  const [cursor, setCursor] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  /** Start of the drag, px. */
  const [pressed, setPressed] = useState<number | null>(null)
  const { show, filterBy, back } = useTimelineView()
  const { from, to, bucketMs: step } = timeline
  const count = bars.counts.length
  const { tops, most } = useMemo(() => sums(bars, BAR_PX), [bars])
  const stretchAt = (a: number, b: number): Stretch => ({
    from: from + Math.min(a, b) * step,
    to: from + (Math.max(a, b) + 1) * step,
  })
  const label = labelledGap(timeline, width, words)
  const { ticks, apart } = ticksOf({ from, to }, width)
  const x = (instant: number) => ((instant - from) / (to - from)) * width
  // Omit labels that the edge or a gap's label would cut off.
  const whole = (left: number) =>
    left >= LABEL_PX &&
    left + LABEL_PX <= width &&
    (!label || left + LABEL_PX <= label.left || left - LABEL_PX >= label.right)

  const at = cursor === null ? count - 1 : Math.max(0, Math.min(count - 1, cursor))
  const chosen = anchor === null ? null : stretchAt(anchor, at)
  const move = (next: number, range: boolean) => {
    setAnchor(range ? (anchor ?? at) : null)
    setCursor(Math.max(0, Math.min(count - 1, next)))
  }
  const zoom = (factor: number) =>
    show(
      scaled(
        { from, to },
        factor,
        Math.max(Date.now(), to),
        cursor === null ? undefined : from + (at + 0.5) * step,
      ),
    )
  const press = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false
    const page = Math.max(1, Math.round(count / 10))
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowDown: at - 1,
      ArrowUp: at + 1,
      PageDown: at - page,
      PageUp: at + page,
      Home: 0,
      End: count - 1,
    }
    const next = steps[event.key]
    if (next !== undefined) move(next, event.shiftKey)
    else if (event.key === 'Enter') filterBy(chosen ?? stretchAt(at, at))
    else if (event.key === '+' || event.key === '=') zoom(0.5)
    else if (event.key === '-') zoom(2)
    else if (event.key === 'Backspace') back()
    else if (event.key === 'Escape' && (cursor !== null || anchor !== null)) {
      setCursor(null)
      setAnchor(null)
    } else return false
    return true
  }
  const told = (index: number) => {
    const parts = partsOf(bars, index).map(({ key, n }) => `${words.key(key)} ${words.format.number(n)}`)
    const sum = t('total', { count: bars.totals[index] ?? 0 })
    return `${words.stretch(stretchAt(index, index))}: ${[sum, ...parts].join(', ')}`
  }
  const barAt = ({ currentTarget, clientX }: MouseEvent, px = clientX) => {
    const box = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(count - 1, Math.floor(((px - box.left) / box.width) * count)))
  }
  const lift = (event: PointerEvent) => {
    if (pressed === null) return
    setPressed(null)
    if (!chosen) return move(barAt(event), false)
    filterBy(chosen)
    setCursor(null)
    setAnchor(null)
  }
  const percent = (instant: number) => `${((instant - from) / (to - from)) * 100}%`
  const shade = (stretch: Stretch, look: string) => {
    const left = percent(Math.max(from, stretch.from))
    const right = `calc(100% - ${percent(Math.min(to, stretch.to))})`
    return <div className={cx(SHADE, look)} style={{ left, right }} />
  }
  const pointed = hover ?? (cursor === null ? null : at)
  return (
    <div className="relative h-88">
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('chart')}
        aria-describedby="timeline-keys"
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={at}
        aria-valuetext={told(at)}
        className="relative h-88 rounded-3 text-fg-3 outline-none focus-visible:[box-shadow:0_0_0_2px_var(--accent)]"
        onKeyDown={(event) => {
          if (press(event)) event.preventDefault()
        }}
        onBlur={() => setCursor(null)}
        onContextMenu={(event) => {
          // A key opens the menu without a pointer: use the bar or range at the cursor.
          const index = event.nativeEvent.isTrusted ? barAt(event) : at
          const stretch = chosen ?? stretchAt(index, index)
          openMenu(event, async () =>
            (await import('./bar-menu.ts')).barMenu(stretch, { onGo, onFilter: filterBy, onShow: show }),
          )
        }}
      >
        <svg
          data-bars=""
          aria-hidden="true"
          className="block w-full h-full cursor-crosshair select-none touch-pan-y"
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setPressed(event.clientX)
            setAnchor(null)
          }}
          onPointerMove={(event) => {
            setHover(barAt(event))
            if (pressed === null || (!chosen && Math.abs(event.clientX - pressed) < DRAG_PX)) return
            setAnchor(barAt(event, pressed))
            setCursor(barAt(event))
          }}
          onPointerUp={lift}
          onPointerCancel={() => setPressed(null)}
          onPointerLeave={() => setHover(null)}
          onDoubleClick={(event) => onGo(stretchAt(barAt(event), barAt(event)))}
        >
          {/* The highest sum first, because lower ones are painted over it. */}
          {bars.keys
            .map((key, part) => (
              <path
                key={key}
                className={SWATCH}
                style={swatchOf(key)}
                fill="currentColor"
                d={barsPath(tops[part] ?? [], most, width)}
              />
            ))
            .toReversed()}
          {ticks.map((at) =>
            whole(x(at)) ? (
              <text
                key={at}
                x={x(at)}
                y={CHART_PX - 5}
                textAnchor="middle"
                className="fill-current [font:10px_var(--font-code)]"
              >
                {timeText(at, apart, locale)}
              </text>
            ) : null,
          )}
        </svg>
        {filtered && filtered.to > from && filtered.from < to
          ? shade(filtered, 'border-x border-accent bg-[color-mix(in_srgb,var(--accent)_8%,transparent)]')
          : null}
        {chosen ? shade(chosen, 'bg-[color-mix(in_srgb,var(--accent)_20%,transparent)]') : null}
        {pointed !== null && !chosen
          ? shade(stretchAt(pointed, pointed), 'bg-[color-mix(in_srgb,var(--text)_12%,transparent)]')
          : null}
      </div>
      <p id="timeline-keys" hidden>
        {t('keys')}
      </p>
      <CoverageBand timeline={timeline} width={width} />
      {bars.total === 0 ? (
        <p className="absolute inset-x-0 top-18 text-center text-s pointer-events-none">
          {t(selective ? 'emptyFiltered' : 'empty')}
        </p>
      ) : null}
      {pointed !== null && pointed < count ? (
        <Tip bars={bars} index={pointed} stretch={stretchAt(pointed, pointed)} timeline={timeline} />
      ) : null}
    </div>
  )
}

/** Contents of a bar for the pointer; the slider announces them for the keyboard. */
function Tip(props: {
  readonly bars: Bars
  readonly index: number
  readonly stretch: Stretch
  readonly timeline: Timeline
}) {
  const { bars, index, stretch, timeline } = props
  const { t, format, key: name, stretch: text } = useTimelineWords()
  const total = bars.totals[index] ?? 0
  const spans = timeline.coverage.filter(({ from, to }) => from < stretch.to && to > stretch.from)
  const states = spans.filter(({ state }) => state !== 'listening')
  const receivers = new Set(spans.flatMap((span) => span.receivers ?? []))
  const share = (index + 0.5) / bars.counts.length
  return (
    <div
      aria-hidden="true"
      className={cx(
        'absolute z-float top-4 min-w-150 mx-10 px-9 py-6 border border-line-strong rounded-6 bg-panel',
        'shadow-float text-fg-2 text-xs leading-[1.5] whitespace-nowrap pointer-events-none',
        '[&_b]:ml-auto [&_b]:text-fg [&_b]:font-semibold',
      )}
      style={share > 0.5 ? { right: `${(1 - share) * 100}%` } : { left: `${share * 100}%` }}
    >
      <p className="flex items-center tabular-nums gap-14 text-fg">
        <span>{text(stretch)}</span>
        <b>{format.number(total)}</b>
      </p>
      {partsOf(bars, index)
        .toReversed()
        .map(({ key, n }) => (
          <p key={key} className="flex items-center gap-6 tabular-nums">
            <span className={SWATCH} style={swatchOf(key)} />
            <span>{name(key)}</span>
            <b>{format.number(n)}</b>
          </p>
        ))}
      {[...new Set(states.map(({ state }) => state))].map((state) => (
        <p key={state} className="flex items-center gap-6 tabular-nums">
          <span className={cx('flex-none size-7 rounded-2', HATCHED)} />
          <span>
            {t('coverage')}: {t(`state.${state}`)}
          </span>
        </p>
      ))}
      {receivers.size > 0 ? (
        <p>
          {t('receivers')}: {[...receivers].toSorted().join(', ')}
        </p>
      ) : null}
      <p className="mt-3 text-fg-3 whitespace-nowrap">{t('goTo.hint')}</p>
    </div>
  )
}
