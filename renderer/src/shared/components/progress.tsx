import { Progress as Radix } from 'radix-ui'
import { cx } from '@/shared/components/cx.ts'
import styles from './progress.module.css'

export interface ProgressProps {
  readonly label: string
  /** 0 to `max`; null when it cannot be known. */
  readonly value: number | null
  readonly max?: number
}

/** A thin bar; `label` is read, not drawn. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  const share = value === null ? null : max > 0 ? Math.min(1, value / max) : 1
  return (
    <Radix.Root
      className={cx(styles.track, 'relative overflow-hidden h-4 rounded-2 bg-sunken')}
      value={value}
      max={Math.max(1, max)}
      aria-label={label}
    >
      <Radix.Indicator
        className={share === null ? styles.unknown : styles.bar}
        style={share === null ? undefined : { transform: `scaleX(${share})` }}
      />
    </Radix.Root>
  )
}
