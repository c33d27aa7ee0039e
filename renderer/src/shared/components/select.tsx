import { ChevronDown } from 'lucide-react'
import { cx } from './cx.ts'
import { BOX, Field, type FieldFrame } from './text-field.tsx'

export interface SelectOption<V extends string> {
  readonly value: V
  readonly label: string
}
export interface SelectProps<V extends string> extends FieldFrame {
  readonly value: V
  readonly onChange: (value: V) => void
  readonly options: readonly SelectOption<V>[]
}

/** The native select: Radix's injects a <style> element, which our content security policy refuses. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, hideLabel, hint, error, className, value, onChange, options } = props
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(links) => (
        <div className="relative grid">
          <select
            {...links}
            className={cx(
              BOX,
              'appearance-none w-full h-control pr-26 pl-8 bg-panel body-s truncate [&_option]:bg-panel [&_option]:text-fg',
            )}
            value={value}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value)
              if (chosen) onChange(chosen.value)
            }}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown
            className="absolute top-7 right-7 text-fg-3 pointer-events-none size-14"
            aria-hidden="true"
          />
        </div>
      )}
    </Field>
  )
}
