import { RadioGroup } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '@/shared/components/cx.ts'

export interface Segment<V extends string> {
  readonly value: V
  readonly label: string
  readonly icon?: ReactNode
}
export interface SegmentedControlProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly onChange: (value: V) => void
  readonly segments: readonly Segment<V>[]
  /** For a bar of chips, which is lower. */
  readonly small?: boolean
}

/** A selection among a few visible options. A radio group to assistive technology: arrow keys move the selection. */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>) {
  const { label, value, onChange, segments, small } = props
  return (
    <RadioGroup.Root
      className={cx(
        'inline-flex flex-none gap-1 rounded bg-sunken [box-shadow:inset_0_0_0_1px_var(--line)]',
        small ? 'h-22 p-1' : 'h-control p-2',
      )}
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => {
        const chosen = segments.find((segment) => segment.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      {segments.map((segment) => (
        <RadioGroup.Item
          key={segment.value}
          value={segment.value}
          className={cx(
            'inline-flex items-center gap-5 px-9 py-0 border border-transparent rounded-4 bg-transparent',
            small ? 'chip-xs' : 'chip-s',
            'text-fg-2 whitespace-nowrap cursor-default',
            'hover:text-fg focus-visible:outline-offset-0 data-[state=checked]:border-line-strong',
            'data-[state=checked]:bg-panel data-[state=checked]:text-fg',
            '[&_svg]:size-14',
            'forced-colors:data-[state=checked]:bg-[Highlight]',
            'forced-colors:data-[state=checked]:text-[HighlightText]',
            'forced-colors:data-[state=checked]:forced-color-adjust-none',
          )}
        >
          {segment.icon}
          {segment.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
