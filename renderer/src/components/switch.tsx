import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import styles from './toggle.module.css'

export interface SwitchProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

/** On or off, taking effect at once. */
export function Switch({ label, hint, hideLabel, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.row}>
      <Radix.Root
        id={id}
        className={styles.track}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...(hideLabel ? { 'aria-label': label } : {})}
      >
        <Radix.Thumb className={styles.thumb} />
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
