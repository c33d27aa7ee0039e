import { Progress as Radix } from 'radix-ui'
import { cx } from '@/shared/components/cx.ts'
import styles from './progress.module.css'

const BAR =
  'h-full bg-accent origin-[0_50%] [transition:transform_var(--ease)] forced-color-adjust-none forced-colors:bg-[Highlight]'
const UNKNOWN = 'w-[35%] motion-reduce:w-full motion-reduce:opacity-40'

export interface ProgressProps {
  readonly label: string
  /** 0 to `max`; null for indeterminate. */
  readonly value: number | null
  readonly max?: number
}

/** A thin progress bar; `label` is for assistive technology only. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  const share = value === null ? null : max > 0 ? Math.min(1, value / max) : 1
  return (
    <Radix.Root
      className={cx(
        'relative overflow-hidden h-4 rounded-2 bg-sunken [box-shadow:inset_0_0_0_1px_var(--line)]',
        'forced-colors:border forced-colors:border-[CanvasText]',
      )}
      value={value}
      max={Math.max(1, max)}
      aria-label={label}
    >
      <Radix.Indicator
        className={cx(BAR, share === null ? cx(styles.unknown, UNKNOWN) : 'w-full')}
        style={share === null ? undefined : { transform: `scaleX(${share})` }}
      />
    </Radix.Root>
  )
}
