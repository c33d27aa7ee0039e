import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import styles from './toggle.module.css'

export interface CheckboxProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly checked: boolean | 'indeterminate'
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A choice that belongs to a form or a selection. */
export function Checkbox({ label, hint, hideLabel, checked, onChange, disabled = false }: CheckboxProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <Radix.Root
        id={id}
        className={styles.check}
        checked={checked}
        onCheckedChange={(now) => onChange(now === true)}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...(hideLabel ? { 'aria-label': label } : {})}
      >
        <Radix.Indicator className={styles.tick}>
          {checked === 'indeterminate' ? <Minus aria-hidden="true" /> : <Check aria-hidden="true" />}
        </Radix.Indicator>
      </Radix.Root>
      {hideLabel ? null : (
        <label htmlFor={id} className={cx(styles.label, disabled && styles.disabled)}>
          {label}
        </label>
      )}
      {hint ? (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      ) : null}
    </div>
  )
}
