import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { cx } from '@/shared/components/cx.ts'
import styles from './toggle.module.css'
import { type ToggleProps, ToggleRow } from './toggle-row.tsx'

export interface CheckboxProps extends ToggleProps {
  readonly checked: boolean | 'indeterminate'
  readonly onChange: (checked: boolean) => void
}

/** A choice that belongs to a form or a selection. */
export function Checkbox({ checked, onChange, ...row }: CheckboxProps) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <Radix.Root
          {...control}
          className={cx(
            styles.check,
            'grid place-items-center p-0 border border-fg-3 rounded-4 bg-bg text-on-accent size-15',
          )}
          checked={checked}
          onCheckedChange={(now) => onChange(now === true)}
        >
          <Radix.Indicator className={styles.tick}>
            {checked === 'indeterminate' ? <Minus aria-hidden="true" /> : <Check aria-hidden="true" />}
          </Radix.Indicator>
        </Radix.Root>
      )}
    </ToggleRow>
  )
}
