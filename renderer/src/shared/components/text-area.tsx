import { cx } from './cx.ts'
import styles from './field.module.css'
import { Field, type FieldFrame } from './field.tsx'

export interface TextAreaProps extends FieldFrame {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly mono?: boolean
  readonly rows?: number
  readonly placeholder?: string
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
