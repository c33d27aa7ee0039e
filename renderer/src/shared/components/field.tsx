import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import styles from './field.module.css'

export interface FieldFrame {
  readonly label: string
  /** Keeps the label for assistive technology only. */
  readonly hideLabel?: boolean
  /** What the value is for, or its unit and limits. */
  readonly hint?: ReactNode
  /** What is wrong with the value and what to do; shown in place of the hint. */
  readonly error?: string | null | undefined
  readonly className?: string | undefined
}

/** What the control inside a frame must carry. */
export interface FieldLinks {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

/** Label, control, then hint or error, tied together for assistive technology. */
export function Field(props: FieldFrame & { readonly children: (links: FieldLinks) => ReactNode }) {
  const { label, hideLabel, hint, error, className, children } = props
  const id = useId()
  const note = error || hint
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : 'text-fg-2 label-s'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {note ? (
        <div
          id={`${id}-note`}
          className={error ? styles.error : 'text-fg-3 text-xs leading-[1.4]'}
          role={error ? 'alert' : undefined}
        >
          {note}
        </div>
      ) : null}
    </div>
  )
}
