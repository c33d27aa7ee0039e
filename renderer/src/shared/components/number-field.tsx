import { useEffect, useState } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface NumberFieldProps
  extends Omit<TextFieldProps, 'value' | 'onChange' | 'onKeyDown' | 'mono' | 'min' | 'max'> {
  /** null: empty, or (unless `optional`) something that is no number yet. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly min?: number
  readonly max?: number
  /** Empty is an answer too: then what is no number is NaN, so that it is not taken for empty. */
  readonly optional?: boolean
  /** Digits after the point that are taken; 0 makes it whole numbers. */
  readonly decimals?: number
  readonly unit?: string | undefined
}

/** What was typed as a number, or null or NaN. Takes a decimal comma too, as Spanish keyboards give it. */
function parse(text: string, decimals: number, optional: boolean): number | null {
  const plain = text.trim().replace(',', '.')
  const shape = decimals > 0 ? /^\d+(\.\d*)?$/ : /^\d+$/
  if (shape.test(plain)) return Number(plain)
  return optional && plain !== '' ? Number.NaN : null
}

/** A text box for a number: no wheel changes, no spinner buttons; arrows step by one. What was typed stays typed. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, unit, decimals = 0, optional = false, ...others } = props
  const { min = 0, max = Number.MAX_SAFE_INTEGER, ...field } = others
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  // A value set from outside replaces the text, unless the text already means it ("05" while typing 5).
  useEffect(() => {
    setTyped((present) =>
      Object.is(parse(present, decimals, optional), value) || value === null ? present : String(value),
    )
  }, [value, decimals, optional])
  const change = (text: string) => {
    setTyped(text)
    onChange(parse(text, decimals, optional))
  }
  const step = (by: number) => change(String(Math.min(max, Math.max(min, (value || min) + by))))
  return (
    <TextField
      {...field}
      mono
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      value={typed}
      onChange={change}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        step(event.key === 'ArrowUp' ? 1 : -1)
      }}
      trailing={unit === undefined ? null : <span className="flex-none pr-6 text-fg-3 text-s">{unit}</span>}
    />
  )
}
