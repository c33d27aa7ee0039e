import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Timeline } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { CoverageBand, labelledGap } from './coverage-band.tsx'
import { AXIS_PX, Plot } from './plot.ts'
import { type Bars, sums } from './stack.ts'
import { type Stretch, scaled } from './stretch.ts'
import swatches from './swatches.module.css'
import styles from './timeline-chart.module.css'
import { useTimelineView } from './use-timeline.ts'
import { timeText, useTimelineWords } from './words.ts'

export const CHART_PX = 88

/** Colours come from the legend's swatches, where stylesheets choose them for theme and forced colours. */
function lookOf(box: HTMLElement, keys: readonly string[]) {
  const colour = (key: string) => {
    const swatch = box.querySelector<HTMLElement>(`[data-key="${key}"]`)
    return swatch ? getComputedStyle(swatch).color : 'CanvasText'
  }
  const label = getComputedStyle(box)
  return {
    colours: keys.map(colour),
    text: label.color,
    font: `10px ${label.getPropertyValue('--font-code')}`,
  }
}

/** Rises when the colours change under the canvas. */
function usePaint(): number {
  const [paint, setPaint] = useState(0)
  useEffect(() => {
    const again = () => setPaint((now) => now + 1)
    const observer = new MutationObserver(again)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const forced = matchMedia('(forced-colors: active)')
    forced.addEventListener('change', again)
    return () => {
      observer.disconnect()
      forced.removeEventListener('change', again)
    }
  }, [])
  return paint
}

/** The bars, the band of coverage under them, and how they are used by pointer and keyboard. */
export function TimelineChart({
  timeline,
  bars,
  width,
  filtered,
  onGo,
}: {
  readonly timeline: Timeline
  readonly bars: Bars
  readonly width: number
  /** What the filter selects of it; null when all times are shown. */
  readonly filtered: Stretch | null
  /** Leads the list to the deliveries of a time range. */
  readonly onGo: (stretch: Stretch) => void
}) {
  const words = useTimelineWords()
  const { t, locale } = words
  const selective = useFilter((s) => s.text.trim() !== '')
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const paint = usePaint()
  const [hover, setHover] = useState<number | null>(null)
  const [cursor, setCursor] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const { look, filterBy, back } = useTimelineView()
  const { from, to, bucketMs: step } = timeline
  const count = bars.counts.length
  const stacked = useMemo(() => sums(bars, CHART_PX - AXIS_PX), [bars])
  const stretchAt = (a: number, b: number): Stretch => ({
    from: from + Math.min(a, b) * step,
    to: from + (Math.max(a, b) + 1) * step,
  })
  const keys = bars.keys.join()
  const go = useRef<(index: number) => void>(() => undefined)
  useEffect(() => {
    go.current = (index) => onGo(stretchAt(index, index))
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot for new parts, colours or words only; data and size come below
  useEffect(() => {
    const element = box.current
    if (!element) return
    const made = new Plot(
      element,
      { width: element.clientWidth, height: CHART_PX },
      lookOf(element.closest<HTMLElement>('section') ?? element, bars.keys),
      {
        hover: setHover,
        chosen: (stretch) => useTimelineView.getState().filterBy(stretch),
        pressed: (index) => {
          setCursor(index)
          setAnchor(null)
        },
        doubled: (index) => go.current(index),
      },
      (at, apart) => timeText(at, apart, locale),
    )
    plot.current = made
    return () => {
      plot.current = null
      made.destroy()
    }
  }, [keys, paint, locale])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new plot is empty
  useEffect(() => plot.current?.resize(width, CHART_PX), [width, keys, paint, locale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(
    () =>
      plot.current?.draw({ from, to, step }, stacked.tops, stacked.most, labelledGap(timeline, width, words)),
    [stacked, from, to, step, timeline.coverage, width, keys, paint, locale],
  )

  const at = cursor === null ? count - 1 : Math.max(0, Math.min(count - 1, cursor))
  const chosen = anchor === null ? null : stretchAt(anchor, at)
  const move = (next: number, range: boolean) => {
    setAnchor(range ? (anchor ?? at) : null)
    setCursor(Math.max(0, Math.min(count - 1, next)))
  }
  const zoom = (factor: number) =>
    look(
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
    const parts = bars.keys
      .map((key, place) => [key, bars.counts[index]?.[place] ?? 0] as const)
      .filter(([, n]) => n > 0)
      .map(([key, n]) => `${words.key(key)} ${words.format.number(n)}`)
    const total = bars.totals[index] ?? 0
    const sum = t('total', { count: total, formatted: words.format.number(total) })
    return `${words.stretch(stretchAt(index, index))}: ${[sum, ...parts].join(', ')}`
  }
  const percent = (instant: number) => `${((instant - from) / (to - from)) * 100}%`
  const shade = (stretch: Stretch) => ({
    left: percent(Math.max(from, stretch.from)),
    right: `calc(100% - ${percent(Math.min(to, stretch.to))})`,
  })
  const pointed = hover ?? cursor
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
        className={styles.plot}
        onKeyDown={(event) => {
          if (press(event)) event.preventDefault()
        }}
        onBlur={() => setCursor(null)}
      >
        <div ref={box} className={cx(styles.canvas, 'h-full overflow-hidden')} />
        {filtered && filtered.to > from && filtered.from < to ? (
          <div
            className={cx(styles.shade, 'absolute top-0 bottom-26 pointer-events-none', styles.filtered)}
            style={shade(filtered)}
          />
        ) : null}
        {chosen ? (
          <div
            className={cx(styles.shade, 'absolute top-0 bottom-26 pointer-events-none', styles.chosen)}
            style={shade(chosen)}
          />
        ) : null}
        {cursor !== null && !chosen ? (
          <div
            className={cx(styles.shade, 'absolute top-0 bottom-26 pointer-events-none', styles.cursor)}
            style={shade(stretchAt(at, at))}
          />
        ) : null}
      </div>
      <p id="timeline-keys" hidden>
        {t('keys')}
      </p>
      <CoverageBand timeline={timeline} width={width} />
      {bars.total === 0 ? (
        <p className={cx(styles.empty, 'absolute text-center text-s pointer-events-none')}>
          {t(selective ? 'emptyFiltered' : 'empty')}
        </p>
      ) : null}
      {pointed !== null && pointed >= 0 && pointed < count ? (
        <Tip bars={bars} index={pointed} stretch={stretchAt(pointed, pointed)} timeline={timeline} />
      ) : null}
    </div>
  )
}

/** What one bar holds, beside it. For the pointer; the slider itself says it to the keyboard. */
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
