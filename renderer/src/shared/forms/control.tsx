import type { ReactNode } from 'react'
import { parseFilter } from '#core/filter/parse.ts'
import { FormChoice, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField, type NumberFieldProps } from '@/shared/components/number-field.tsx'
import { Select, type SelectOption } from '@/shared/components/select.tsx'
import {
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { FilterField } from '@/shared/filter/filter-field.tsx'

/** What a form says of a field beyond its words. */
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
  /** It takes most of its row. */
  readonly wide?: boolean
  /** It is a filter. */
  readonly filter?: boolean
  /** The values of a choice, where the words do not list them. */
  readonly options?: readonly SelectOption<string>[]
  /** Shown below it, and below its row. */
  readonly warning?: string | false | null
}

interface ControlProps extends Look {
  readonly label: string
  readonly value: unknown
  /** The values of a choice of a few, and their words. */
  readonly segments?: readonly SelectOption<string>[] | undefined
  readonly onChange: (value: unknown) => void
}

/** A field of a form, drawn by its value: a switch, a choice, a number, a filter or a text. */
export function Control({
  value,
  segments,
  options,
  rows,
  filter,
  wide,
  warning: _,
  ...field
}: ControlProps) {
  const { unit, decimals = 0, min = 0, max = Number.MAX_SAFE_INTEGER, optional = false, ...text } = field
  const { label, hint, onChange, disabled = false, className } = text
  const frame = { ...text, disabled, className: wide ? WIDE : className }
  if (typeof value === 'boolean') return <Switch {...{ label, hint, onChange }} checked={value} />
  if (typeof value !== 'string') {
    const number = typeof value === 'number' ? value : null
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
