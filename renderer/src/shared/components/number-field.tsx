import { useEffect, useState } from 'react'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface NumberFieldProps
  extends Omit<TextFieldProps, 'value' | 'onChange' | 'onKeyDown' | 'mono' | 'min' | 'max'> {
  /** null: empty, or (unless `optional`) not yet a number. */
  readonly value: number | null
  readonly onChange: (value: number | null) => void
  readonly min?: number
  readonly max?: number
  /** An empty field is valid. Invalid text is then NaN, to tell it from empty. */
  readonly optional?: boolean
  /** Maximum decimal places; 0 allows integers only. */
  readonly decimals?: number
  readonly unit?: string | undefined
}

/** Parses the typed number; null or NaN for invalid text. Accepts a decimal comma, as on Spanish keyboards. */
function parse(text: string, decimals: number, optional: boolean): number | null {
  const plain = text.trim().replace(',', '.')
  const shape = decimals > 0 ? /^\d+(\.\d*)?$/ : /^\d+$/
  if (shape.test(plain)) return Number(plain)
  return optional && plain !== '' ? Number.NaN : null
}

/** A text box for a number, without wheel and spinner buttons; arrow keys step by one. The typed text is never reformatted. */
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
