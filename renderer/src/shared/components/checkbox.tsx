import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
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
          className={styles.check}
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
