import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './segmented-control.module.css'

export interface Segment<V extends string> {
  readonly value: V
  readonly label: string
  readonly icon?: ReactNode
}
export interface SegmentedControlProps<V extends string> {
  /** Accessible name of the choice. */
  readonly label: string
  readonly value: V
  readonly onChange: (value: V) => void
  readonly segments: readonly Segment<V>[]
  readonly disabled?: boolean
}

/** One of a few, all in sight. A radio group to assistive technology: arrows move the choice. */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>) {
  const { label, value, onChange, segments, disabled = false } = props
  return (
    <RadioGroup.Root
      className={styles.group}
      aria-label={label}
      orientation="horizontal"
      value={value}
      disabled={disabled}
      onValueChange={(next) => {
        const chosen = segments.find((segment) => segment.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      {segments.map((segment) => (
        <RadioGroup.Item key={segment.value} value={segment.value} className={styles.segment}>
          {segment.icon}
          {segment.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
