import { CornerUpRight, RotateCcw, Scale } from 'lucide-react'
import { useMemo } from 'react'
import type { Timeline, TimelineMark } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { type Gap, gapsOf } from '@/shared/live/coverage.ts'
import { HATCHED, markGroups, stretchAround } from './stack.ts'
import { type TimelineWords, useTimelineWords } from './stretch.ts'
import { useTimelineView } from './use-timeline.ts'

/** Smallest width of a gap with a link; the table lists all gaps. */
const LINK_PX = 4
/** Width of a character of a gap's label, and of its margins, px. */
const CHARACTER_PX = 6.1
const AROUND_PX = 14
/** Nearer marks would overlap. */
const MARK_PX = 14

const LISTENING =
  'bg-[color-mix(in_srgb,var(--valid)_38%,var(--panel))] forced-colors:bg-[CanvasText] forced-color-adjust-none'
const MARK = cx(
  'absolute top-0 grid place-items-center h-14 p-0 border-0 rounded-full -translate-x-1/2 bg-panel',
  '[box-shadow:0_0_0_1px_var(--line-strong)]',
  'hover:text-accent-text hover:outline-2 hover:outline-accent focus-visible:text-accent-text',
  '[&_svg]:size-9',
)

export const sweepHref = ({ from, to }: Pick<Gap, 'from' | 'to'>): string =>
  `#/reconcile/gap/${Math.floor(from)}-${Math.ceil(to)}`

/** The longest gap, and the position in px of its label and link. */
export function labelledGap({ from, to, coverage }: Timeline, width: number, words: TimelineWords) {
  const widest = gapsOf(coverage).reduce<Gap | null>(
    (best, gap) => (best && best.to - best.from >= gap.to - gap.from ? best : gap),
    null,
  )
  if (!widest) return null
  const x = (at: number) => ((Math.max(from, Math.min(to, at)) - from) / (to - from)) * width
  const half = ((words.gap(widest).length + words.t('sweep').length + 3) * CHARACTER_PX + AROUND_PX) / 2
  const middle = Math.max(half, Math.min(width - half, (x(widest.from) + x(widest.to)) / 2))
  return { gap: widest, middle, left: middle - half, right: middle + half }
}

/** Coverage below the bars, with marks of replays and sweeps. */
export function CoverageBand({ timeline, width }: { readonly timeline: Timeline; readonly width: number }) {
  const words = useTimelineWords()
  const { t } = words
  const { from, to, coverage, marks, bucketMs } = timeline
  const gaps = useMemo(() => gapsOf(coverage), [coverage])
  const x = (at: number) => ((Math.max(from, Math.min(to, at)) - from) / (to - from)) * width
  const labelled = labelledGap(timeline, width, words)
  const groups = markGroups(marks, x, MARK_PX)
  return (
    <>
      <div className="absolute right-0 bottom-19 left-0 h-5 overflow-hidden rounded-3 bg-line-soft">
        {coverage.map((span, index) => {
          // Extend the current span to the end of the last bar, whose time range is not over.
          const running = index === coverage.length - 1 && to - span.to < bucketMs
          return (
            <span
              key={span.from}
              className={cx('absolute top-0 bottom-0', span.state === 'listening' ? LISTENING : HATCHED)}
              style={{ left: x(span.from), width: Math.max(1, x(running ? to : span.to) - x(span.from)) }}
            />
          )
        })}
        {gaps
          .filter((gap) => x(gap.to) - x(gap.from) >= LINK_PX && gap.from !== labelled?.gap.from)
          .map((gap) => (
            <a
              key={gap.from}
              href={sweepHref(gap)}
              className="absolute top-0 bottom-0 focus-visible:-outline-offset-1"
              title={t('sweepGap', { gap: words.gap(gap) })}
              aria-label={t('sweepGap', { gap: words.gap(gap) })}
              style={{ left: x(gap.from), width: x(gap.to) - x(gap.from) }}
            >
              <span className="visually-hidden">{t('sweep')}</span>
            </a>
          ))}
      </div>
      {labelled ? (
        <a
          href={sweepHref(labelled.gap)}
          className={cx(
            'absolute bottom-0 -translate-x-1/2 px-6 pt-1 pb-2 rounded-3 bg-panel text-fg-2 whitespace-nowrap',
            'no-underline [font:10px_/_13px_var(--font-code)]',
            '[&_span]:text-accent-text [&_span]:underline [&_span]:underline-offset-2',
          )}
          title={t('sweepGap', { gap: words.gap(labelled.gap) })}
          style={{ left: labelled.middle }}
        >
          {words.gap(labelled.gap)} · <span>{t('sweep')}</span>
        </a>
      ) : null}
      {groups.map((group) => (
        <ActivityMarks key={group[0]?.at} marks={group} left={x(group[0]?.at ?? from)} />
      ))}
    </>
  )
}

const NAMED = 6

/** Marks at one place. A single one opens its item, several zoom in. */
export function ActivityMarks(props: { readonly marks: readonly TimelineMark[]; readonly left: number }) {
  const { marks, left } = props
  const { t } = useTimelineWords()
  const words = useMarkWords()
  const show = useTimelineView((s) => s.show)
  const [first] = marks
  if (!first) return null
  if (marks.length === 1) return <ActivityMark mark={first} left={left} />
  const named = marks.slice(0, NAMED).map(words).join('; ')
  const label = t('together', { count: marks.length, named: marks.length > NAMED ? `${named}; …` : named })
  return (
    <button
      type="button"
      className={cx(MARK, 'min-w-16 text-fg [font:600_9px_/_14px_var(--font-ui)] cursor-zoom-in')}
      title={label}
      aria-label={label}
      style={{ left }}
      onClick={() => show(stretchAround(marks))}
    >
      {marks.length > 9 ? '9+' : marks.length}
    </button>
  )
}

function useMarkWords(): (mark: TimelineMark) => string {
  const { t } = useTimelineWords()
  return (mark) =>
    mark.type === 'attempt'
      ? t('byHand', { count: mark.times, delivery: mark.delivery, label: mark.label })
      : t(mark.type === 'replay' ? 'replay' : 'sweepMark', { id: mark.id, label: mark.label })
}

/** A mark that opens its job, its sweep, or the delivery that the user sent. */
function ActivityMark({ mark, left }: { readonly mark: TimelineMark; readonly left: number }) {
  const label = useMarkWords()(mark)
  const shown = {
    className: cx(MARK, 'w-14 text-fg-2'),
    title: label,
    'aria-label': label,
    style: { left },
  }
  const { id } = mark
  if (mark.type === 'attempt') {
    const { delivery } = mark
    return (
      <button type="button" {...shown} onClick={() => void openDelivery(delivery, id)}>
        <CornerUpRight aria-hidden="true" />
      </button>
    )
  }
  const Icon = mark.type === 'replay' ? RotateCcw : Scale
  return (
    <a href={mark.type === 'replay' ? `#/replays/job-${id}` : '#/reconcile'} {...shown}>
      <Icon aria-hidden="true" />
    </a>
  )
}
