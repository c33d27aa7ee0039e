import { type ComponentPropsWithRef, type KeyboardEvent, type ReactNode, useId } from 'react'
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
