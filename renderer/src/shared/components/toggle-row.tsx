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
