import { CornerUpRight, RotateCcw, Scale } from 'lucide-react'
import type { TimelineMark } from '#contract/timeline.ts'
import { openDelivery } from '@/views/attempts/open-delivery.ts'
import styles from './timeline.module.css'
import { useTimelineWords } from './words.ts'

/** What was done then: leads to the jobs, the sweeps, or the delivery that was sent by hand. */
export function ActivityMark({ mark, left }: { readonly mark: TimelineMark; readonly left: number }) {
  const { t } = useTimelineWords()
  const { id, label: to } = mark
  if (mark.type === 'attempt') {
    const { delivery, times } = mark
    const label = t('byHand', { count: times, delivery, label: to })
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
  const label = t(mark.type === 'replay' ? 'replay' : 'sweepMark', { id, label: to })
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
