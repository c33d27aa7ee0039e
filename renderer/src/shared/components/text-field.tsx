import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './field.module.css'
import { Field, type FieldFrame } from './field.tsx'

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
