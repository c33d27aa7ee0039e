import { useTranslation } from 'react-i18next'
import { readTimestamp } from '#catalog/date-time.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import type { Place } from '@/shared/forms/form.ts'

export type Parameter = SandboxOperation['parameters'][number]
/** What the user typed for each parameter; null is no number. */
export type Arguments = Readonly<Record<string, string | number | null>>

const isNumber = ({ type, values }: Pick<Parameter, 'type' | 'values'>): boolean =>
  (type === 'integer' || type === 'decimal') && !values

/** What the sandbox would refuse of a value for its shape alone: the key of a sentence, and what that names. The sandbox checks again. */
export function fieldError(parameter: Omit<Parameter, 'name' | 'summary'>, value: string | number | null) {
  const { type, required, minimum: least = 0, maximum: most = 999_999_999.99, maxLength = 1_000 } = parameter
  const text = String(value ?? '').trim()
  if (text === '' && !(required && isNumber(parameter)))
    return required ? (['fields.required', {}] as const) : null
  if (isNumber(parameter)) {
    const number = text === '' ? Number.NaN : Number(value)
    const exact = type === 'integer' ? Number.isInteger(number) : Math.round(number * 100) / 100 === number
    const says = `components:numbers.${type === 'integer' ? 'whole' : 'decimal'}` as const
    return exact && number >= least && number <= most ? null : ([says, { least, most }] as const)
  }
  if (type === 'uuid' && !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text))
    return ['fields.uuid', {}] as const
  if (type === 'date-time' && !('instant' in readTimestamp(text))) return ['fields.date-time', {}] as const
  if (text.length > maxLength) return ['fields.long', { most: maxLength, length: text.length }] as const
  // NUL, and half of a surrogate pair, which has no UTF-8.
  const odd = /[\0\p{Cs}]/u.exec(text)
  return odd ? (['fields.character', { at: [...text.slice(0, odd.index)].length + 1 }] as const) : null
}

/** What a sentence names, where it does not. */
const NOTHING = { most: '', length: '', at: '', least: '' }

export function useFieldErrors() {
  const { t } = useTranslation(['sandbox', 'components'])
  return (parameters: readonly Parameter[], typed: Arguments): readonly Place<string>[] =>
    parameters.flatMap((one) => {
      const error = fieldError(one, typed[one.name] ?? null)
      return error ? [[`params.${one.name}`, t(error[0], { ...NOTHING, ...error[1] })] as const] : []
    })
}

export const emptyOf = (parameter: Parameter): string | null => (isNumber(parameter) ? null : '')

/** Arguments as the sandbox takes them; empty fields are left out. */
export function argumentsOf(parameters: readonly Parameter[], typed: Arguments): Record<string, unknown> {
  const given = parameters.filter(({ name }) => String(typed[name] ?? '').trim() !== '')
  return Object.fromEntries(
    given.map(({ name, type }) => {
      const value = typed[name]
      if (type === 'integer' || type === 'decimal') return [name, Number(value)]
      if (typeof value !== 'string' || type === 'string') return [name, value]
      return [name, type === 'boolean' ? value === 'true' : value.trim()]
    }),
  )
}
