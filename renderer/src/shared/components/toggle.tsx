import { Check, Minus } from 'lucide-react'
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import styles from './toggle.module.css'

export interface ToggleProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly hideLabel?: boolean
  readonly disabled?: boolean
}

/** What the control itself takes: its name, or what names it. */
export interface ToggleControl {
  readonly id: string
  readonly disabled: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-label'?: string
}

export interface ToggleRowProps extends ToggleProps {
  readonly children: (control: ToggleControl) => ReactNode
}

/** A control that is on or off, with its label beside it and its hint below. */
export function ToggleRow({ label, hint, hideLabel, disabled = false, children }: ToggleRowProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-8 gap-y-2">
      {children({
        id,
        disabled,
        'aria-describedby': hint ? `${id}-hint` : undefined,
        ...(hideLabel ? { 'aria-label': label } : {}),
      })}
      {hideLabel ? null : (
        <label htmlFor={id} className={cx('text-fg text-s leading-[1.4]', disabled && styles.disabled)}>
          {label}
        </label>
      )}
      {hint ? (
        <div id={`${id}-hint`} className="col-[2] text-fg-3 text-xs leading-[1.4]">
          {hint}
        </div>
      ) : null}
    </div>
  )
}

export interface CheckboxProps extends ToggleProps {
  readonly checked: boolean | 'indeterminate'
  readonly onChange: (checked: boolean) => void
}

/** A choice that belongs to a form or a selection. */
export function Checkbox({ checked, onChange, ...row }: CheckboxProps) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <RadixCheckbox.Root
          {...control}
          className={cx(
            styles.check,
            'grid place-items-center p-0 border border-fg-3 rounded-4 bg-bg text-on-accent size-15',
          )}
          checked={checked}
          onCheckedChange={(now) => onChange(now === true)}
        >
          <RadixCheckbox.Indicator className={styles.tick}>
            {checked === 'indeterminate' ? <Minus aria-hidden="true" /> : <Check aria-hidden="true" />}
          </RadixCheckbox.Indicator>
        </RadixCheckbox.Root>
      )}
    </ToggleRow>
  )
}

export interface SwitchProps extends ToggleProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** On or off, taking effect at once. */
export function Switch({ checked, onChange, ...row }: SwitchProps) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <RadixSwitch.Root
          {...control}
          className={cx(styles.track, 'relative w-28 h-16 p-0 border border-fg-3 rounded-8 bg-sunken')}
          checked={checked}
          onCheckedChange={onChange}
        >
          <RadixSwitch.Thumb className={cx(styles.thumb, 'block m-2 rounded-[50%] bg-fg-3 size-10')} />
        </RadixSwitch.Root>
      )}
    </ToggleRow>
  )
}
