import { CornerUpRight, RotateCcw, Scale } from 'lucide-react'
import type { TimelineMark } from '#contract/timeline.ts'
import { cx } from '@/shared/components/cx.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import styles from './activity-mark.module.css'
import { stretchAround } from './mark-groups.ts'
import { useTimelineView } from './view-store.ts'
import { useTimelineWords } from './words.ts'

/** Of marks that stand together, so many are named. */
const NAMED = 6

/** Marks at one place: one leads to what it stands for, several are looked at closer. */
export function ActivityMarks({
  marks,
  left,
}: {
  readonly marks: readonly TimelineMark[]
  readonly left: number
}) {
  const { t } = useTimelineWords()
  const words = useMarkWords()
  const look = useTimelineView((s) => s.look)
  const [first] = marks
  if (!first) return null
  if (marks.length === 1) return <ActivityMark mark={first} left={left} />
  const named = marks.slice(0, NAMED).map(words).join('; ')
  const label = t('together', { count: marks.length, named: marks.length > NAMED ? `${named}; …` : named })
  return (
    <button
      type="button"
      className={cx(styles.mark, styles.together)}
      title={label}
      aria-label={label}
      style={{ left }}
      onClick={() => look(stretchAround(marks))}
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

/** What was done then: leads to the jobs, the sweeps, or the delivery that was sent by hand. */
function ActivityMark({ mark, left }: { readonly mark: TimelineMark; readonly left: number }) {
  const label = useMarkWords()(mark)
  const { id } = mark
  if (mark.type === 'attempt') {
    const { delivery } = mark
    return (
      <button
        type="button"
        className={styles.mark}
        title={label}
        aria-label={label}
        style={{ left }}
        onClick={() => void openDelivery(delivery, id)}
      >
        <CornerUpRight aria-hidden="true" />
      </button>
    )
  }
  const Icon = mark.type === 'replay' ? RotateCcw : Scale
  return (
    <a
      href={mark.type === 'replay' ? `#/replays/job-${id}` : '#/reconcile'}
      className={styles.mark}
      title={label}
      aria-label={label}
      style={{ left }}
    >
      <Icon aria-hidden="true" />
    </a>
  )
}
