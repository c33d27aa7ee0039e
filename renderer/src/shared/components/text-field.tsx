import {
  type ComponentPropsWithRef,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { cx } from './cx.ts'

/** Styles of a control's box. Height, background and padding come from the control. */
export const BOX = cx(
  'flex items-center gap-6 min-w-0 border border-line-strong rounded text-fg outline-offset-0',
  '[transition:border-color_var(--ease)]',
  'not-focus-within:hover:border-fg-3 focus-within:border-accent focus-within:outline-2',
  'focus-within:outline-[color-mix(in_srgb,var(--accent)_35%,transparent)]',
  'has-[:disabled]:border-line has-[:disabled]:bg-sunken has-[[aria-invalid]]:border-invalid',
  '[&_svg]:flex-none [&_svg]:text-fg-3 [&_svg]:size-14',
  'forced-colors:focus-within:outline-[Highlight]',
)
/** Placeholders are never monospaced: a hint is a sentence, whatever the user types. */
export const inputClass = (mono = false): string =>
  cx(
    'flex-1 min-w-0 h-full p-0 border-0 bg-transparent outline-none placeholder:text-fg-3 placeholder:font-ui placeholder:opacity-100',
    mono ? 'code-s tabular-nums' : 'body-s',
  )

export interface FieldFrame {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  /** The error and its remedy; shown in place of the hint. */
  readonly error?: string | null | undefined
  readonly className?: string | undefined
}

export interface FieldLinks {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export function Field(props: FieldFrame & { readonly children: (links: FieldLinks) => ReactNode }) {
  const { label, hideLabel, hint, error, className, children } = props
  const id = useId()
  const note = error || hint
  return (
    <div className={cx('grid content-start gap-4 min-w-0', className)}>
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
          className={cx('text-xs leading-[1.4]', error ? 'text-invalid' : 'text-fg-3')}
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

/** A multi-line text field; resizable within its container. */
export function TextArea(props: TextAreaProps) {
  const { label, hideLabel, hint, error, className, value, onChange, mono, rows = 4, placeholder } = props
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(links) => (
        <div className={cx(BOX, 'px-8 py-6 bg-bg')}>
          <textarea
            {...links}
            rows={rows}
            placeholder={placeholder}
            spellCheck={false}
            className={cx(inputClass(mono), 'min-h-64 resize-y')}
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
  readonly mono?: boolean
  readonly onEnter?: (event: KeyboardEvent) => void
  readonly onEscape?: () => void
  readonly leading?: ReactNode
  readonly trailing?: ReactNode
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, hint, error, className, value, onChange, mono, leading, trailing, ...others } =
    props
  const { onEnter, onEscape, ...native } = others
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && onEnter) onEnter(event)
    else if (event.key === 'Escape' && onEscape) onEscape()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false}>
      {(links) => (
        <div className={cx(BOX, 'h-control pl-8 bg-bg', trailing ? 'pr-2' : 'pr-8')}>
          {leading}
          <input
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onKeyDown={press}
            {...native}
            {...links}
            className={inputClass(mono)}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {trailing}
        </div>
      )}
    </Field>
  )
}

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
