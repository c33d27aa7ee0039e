import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
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

export interface TextAreaProps extends FieldFrame {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly mono?: boolean
  readonly rows?: number
  readonly placeholder?: string | undefined
}

/** Several lines of text; grows by its handle, never past its container. */
export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, hint, error, className, value, onChange, mono, rows = 4, placeholder } = props
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(links) => (
        <div className={cx(styles.box, styles.area)}>
          <textarea
            {...links}
            rows={rows}
            placeholder={placeholder}
            spellCheck={false}
            className={cx(styles.input, mono && styles.mono)}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}

type Native = Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'value' | 'className' | 'id'>

export interface TextFieldProps extends FieldFrame, Native {
  readonly value: string
  readonly onChange: (value: string) => void
  /** For identifiers, paths, header names. */
  readonly mono?: boolean
  readonly leading?: ReactNode
  /** A small button or a unit at the end of the box. */
  readonly trailing?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, className, value, onChange, mono, leading, trailing, ...native } =
    props
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(links) => (
        <div className={cx(styles.box, trailing ? styles.tight : null)}>
          {leading}
          <input
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...native}
            {...links}
            className={cx(styles.input, mono && styles.mono)}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {trailing}
        </div>
      )}
    </Field>
  )
}
