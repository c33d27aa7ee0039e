import type { ReactNode } from 'react'
import { parseFilter } from '#core/filter/parse.ts'
import { FormChoice, WIDE } from '@/shared/components/form-dialog.tsx'
import { Select, type SelectOption } from '@/shared/components/select.tsx'
import {
  NumberField,
  type NumberFieldProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { FilterField } from '@/shared/filter/filter-field.tsx'

export interface Look
  extends Partial<Pick<TextFieldProps, 'type' | 'autoComplete' | 'trailing' | 'className' | 'title'>>,
    Partial<Pick<NumberFieldProps, 'decimals' | 'min' | 'max' | 'optional'>>,
    Partial<Pick<TextAreaProps, 'rows'>> {
  readonly unit?: string | undefined
  readonly placeholder?: string | undefined
  readonly label?: string
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly error?: string | null
  readonly disabled?: boolean
  readonly wide?: boolean
  readonly filter?: boolean
  /** They are headers, with or without a mark of those that are secrets. */
  readonly headers?: 'plain' | 'secrets'
  /** A part of a whole: from 0 to 1, typed in per cent. */
  readonly share?: boolean
  readonly select?: boolean
  /** The values of a choice, or of several, where the words do not list them. */
  readonly options?: readonly SelectOption<string>[]
  readonly warning?: string | false | null
}

interface ControlProps extends Look {
  readonly label: string
  readonly value: unknown
  /** The values of a choice of a few, and their words. */
  readonly segments?: readonly SelectOption<string>[] | undefined
  readonly onChange: (value: unknown) => void
}

/** A field of a form, drawn by its value: a switch, a choice, several of a few, a number, a filter or a text. */
export function Control(props: ControlProps) {
  const { value, segments, options, rows, filter, wide, share, ...others } = props
  const { headers: _, select: __, warning: ___, ...field } = others
  const { unit, decimals = 0, min = 0, max = Number.MAX_SAFE_INTEGER, optional = false, ...text } = field
  const { label, hint, onChange, disabled = false, className } = text
  const frame = { ...text, disabled, className: wide ? WIDE : className }
  if (typeof value === 'boolean') return <Switch {...{ label, hint, onChange }} checked={value} />
  if (Array.isArray(value)) return <Several {...text} chosen={value} options={options ?? []} />
  if (typeof value !== 'string') {
    const number = typeof value === 'number' ? value : null
    if (share) return <Share {...text} value={number} />
    return <NumberField {...frame} {...{ unit, decimals, min, max, optional }} value={number} />
  }
  if (segments) return <FormChoice {...{ label, hint, value, segments, onChange }} />
  if (options) return <Select {...frame} value={value} options={options} />
  if (rows !== undefined) return <TextArea {...frame} mono rows={rows} value={value} />
  if (!filter) return <TextField {...frame} mono value={value} />
  const parsed = parseFilter(value)
  return (
    <div className="grid gap-4 text-fg-2 [&>span]:label-s [&>small]:text-fg-3 [&>small]:text-xs [&>small]:leading-[1.4]">
      <span aria-hidden="true">{label}</span>
      <FilterField
        label={label}
        text={value}
        problem={parsed.ok ? null : parsed}
        placeholder={field.placeholder ?? ''}
        onType={onChange}
      />
      <small>{hint}</small>
    </div>
  )
}

interface SeveralProps extends Pick<ControlProps, 'label' | 'hint' | 'error' | 'onChange' | 'className'> {
  readonly chosen: readonly unknown[]
  readonly options: readonly SelectOption<string>[]
}

function Several({ label, hint, error, chosen, options, onChange, className }: SeveralProps) {
  const values = options.map(({ value }) => value)
  const put = (one: string, on: boolean) =>
    onChange(values.filter((value) => (value === one ? on : chosen.includes(value))))
  return (
    <fieldset className="grid gap-6 min-w-0 m-0 p-0 border-0" aria-label={label}>
      <div
        className={`grid gap-x-12 gap-y-4 ${className ?? 'grid-cols-[repeat(auto-fill,minmax(190px,1fr))]'}`}
      >
        {options.map((one) => (
          <Checkbox
            key={one.value}
            label={one.label}
            checked={chosen.includes(one.value)}
            onChange={(on) => put(one.value, on)}
          />
        ))}
      </div>
      {error ? (
        <p role="alert" className="text-invalid text-xs leading-[1.4]">
          {error}
        </p>
      ) : hint ? (
        <p className="text-fg-3 text-xs leading-[1.4]">{hint}</p>
      ) : null}
    </fieldset>
  )
}

interface ShareProps extends Pick<ControlProps, 'label' | 'hideLabel' | 'hint' | 'error' | 'onChange'> {
  readonly value: number | null
}

/** A share as a slider and as a number, in per cent with at most two decimals. */
function Share({ label, hideLabel, hint, error, value, onChange }: ShareProps) {
  const percent = value === null ? null : Math.round(value * 10_000) / 100
  const change = (next: number | null) => onChange(next === null ? null : Math.round(next * 100) / 10_000)
  return (
    <div className="grid grid-cols-[minmax(80px,1fr)_92px] items-center gap-x-10 gap-y-4">
      {hideLabel ? null : (
        <span className="col-span-full text-fg-2 label-s" aria-hidden="true">
          {label}
        </span>
      )}
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        className="w-full h-20 m-0 accent-accent focus-visible:outline-offset-2 focus-visible:rounded-4"
        aria-label={label}
        aria-valuetext={`${percent ?? 0} %`}
        value={percent ?? 0}
        onChange={(event) => change(Number(event.target.value))}
      />
      <NumberField
        {...{ label, hint, error }}
        hideLabel
        unit="%"
        decimals={2}
        max={100}
        value={percent}
        onChange={change}
      />
    </div>
  )
}
