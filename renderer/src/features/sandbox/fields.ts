import { useTranslation } from 'react-i18next'
import { readTimestamp } from '#catalog/date-time.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import { addressProblem } from '#core/connect/reach.ts'
import type { Place } from '@/shared/forms/form.ts'

type Parameter = SandboxOperation['parameters'][number]
/** A field as the sandbox takes it: a parameter of an operation, or what a form of our own describes like one. */
export interface Rule extends Partial<Omit<Parameter, 'type' | 'name' | 'summary'>> {
  readonly type: Parameter['type'] | 'name' | 'url' | 'offset'
  /** A name that is taken. */
  readonly taken?: string
}

const FORMATS = {
  uuid: (text: string) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
  'date-time': (text: string) => 'instant' in readTimestamp(text),
  // A minus sign as it is printed, too.
  offset: (text: string) => /^[+−-](?:0\d|1[0-4]):[0-5]\d$/.test(text),
}
const isFormat = (type: Rule['type']): type is keyof typeof FORMATS => type in FORMATS

type FieldError = readonly [
  says:
    | `fields.${'required' | 'long' | 'character' | 'own' | 'url' | 'credentials' | keyof typeof FORMATS}`
    | `components:numbers.${'whole' | 'decimal'}`,
  named?: Readonly<Record<string, string | number>>,
]

function numberError({ type, minimum: least = 0, maximum: most = 999_999_999.99 }: Rule, value: number) {
  const exact = type === 'integer' ? Number.isInteger(value) : Math.round(value * 100) / 100 === value
  if (exact && value >= least && value <= most) return null
  return [`components:numbers.${type === 'integer' ? 'whole' : 'decimal'}`, { least, most }] as const
}

/** What the sandbox would refuse of a value for its shape alone; null and an empty text are none. It checks again, and is right. */
export function fieldError(rule: Rule, value: string | number | null): FieldError | null {
  const { type, values, required = false, maxLength = 1_000, taken } = rule
  const isNumber = (type === 'integer' || type === 'decimal') && !values
  if (typeof value === 'number' || isNumber)
    return value === null && !required ? null : numberError(rule, Number(value ?? Number.NaN))
  const text = (value ?? '').trim()
  if (text === '') return required ? ['fields.required'] : null
  if (isFormat(type)) return FORMATS[type](text) ? null : [`fields.${type}`]
  if (text.length > maxLength) return ['fields.long', { most: maxLength, length: text.length }]
  // A text may have lines; a name or an address has no control characters. Half of a surrogate pair has no UTF-8.
  const odd = (type === 'string' ? /[\0\p{Cs}]/u : /[\p{Cc}\p{Cs}]/u).exec(value ?? '')
  if (odd) {
    const code = odd[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    const at = [...(value ?? '').slice(0, odd.index)].length + 1
    return ['fields.character', { at, code: `U+${code}` }]
  }
  if (text === taken) return ['fields.own', { name: text }]
  const problem = type === 'url' ? addressProblem(text) : null
  if (problem === 'invalid') return ['fields.url']
  return problem === 'credentials' ? ['fields.credentials'] : null
}

/** What a sentence names, where it does not. */
const NOTHING = { most: '', length: '', at: '', code: '', name: '', least: '' }

export function useFieldErrors() {
  const { t } = useTranslation(['sandbox', 'components'])
  return (
    fields: readonly (readonly [field: string, rule: Rule, value: string | number | null])[],
  ): readonly Place<string>[] =>
    fields.flatMap(([field, rule, value]) => {
      const error = fieldError(rule, value)
      return error ? [[field, t(error[0], { ...NOTHING, ...error[1] })] as const] : []
    })
}

export const emptyOf = ({ type, values }: Parameter): string | null =>
  (type === 'integer' || type === 'decimal') && !values ? null : ''

/** Arguments as the sandbox takes them; empty fields are left out. */
export function argumentsOf(
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string | number | null>>,
): Record<string, unknown> {
  const given = parameters.filter(({ name }) => typed[name] != null && String(typed[name]).trim() !== '')
  return Object.fromEntries(
    given.map(({ name, type }) => {
      const value = typed[name]
      if (type === 'integer' || type === 'decimal') return [name, Number(value)]
      if (typeof value !== 'string' || type === 'string') return [name, value]
      return [name, type === 'boolean' ? value === 'true' : value.trim()]
    }),
  )
}
