import { useTranslation } from 'react-i18next'
import { readTimestamp } from '#catalog/date-time.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'
import type { Place } from '@/shared/forms/form.ts'

type Parameter = SandboxOperation['parameters'][number]
/** A field that holds a text, as the sandbox takes it. */
export interface TextRule {
  readonly type: Parameter['type'] | 'name' | 'url' | 'offset'
  readonly required?: boolean
  readonly maxLength?: number
  /** A name that is taken. */
  readonly taken?: string
}

/** A key of sandbox:fields, and what its sentence names. */
export type TextError = readonly [
  reason: 'required' | 'long' | 'character' | 'own' | UrlError | Format,
  named?: Partial<Readonly<Record<'most' | 'length' | 'at' | 'code' | 'name', string | number>>>,
]
type UrlError = 'url' | 'scheme' | 'credentials'
type Format = 'uuid' | 'date-time' | 'offset'

const FORMATS: Readonly<Partial<Record<TextRule['type'], (text: string) => boolean>>> = {
  uuid: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
  'date-time': (text) => 'instant' in readTimestamp(text),
  // A minus sign as it is printed, too.
  offset: (text) => /^[+−-](?:0\d|1[0-4]):[0-5]\d$/.test(text),
}
const isFormat = (type: TextRule['type']): type is Format => type in FORMATS

function urlError(text: string): UrlError | null {
  if (!URL.canParse(text)) return 'url'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'scheme'
  return username !== '' || password !== '' ? 'credentials' : null
}

/** What the sandbox would refuse of a text for its shape alone. It checks again, and is right. */
export function textError(rule: TextRule, typed: string): TextError | null {
  const { type, required = false, maxLength = 1_000, taken } = rule
  const text = typed.trim()
  if (text === '') return required ? ['required'] : null
  if (isFormat(type)) return FORMATS[type]?.(text) ? null : [type]
  if (text.length > maxLength) return ['long', { most: maxLength, length: text.length }]
  // A text may have lines; a name or an address has no control characters. Half of a surrogate pair has no UTF-8.
  const odd = (type === 'string' ? /[\0\p{Cs}]/u : /[\p{Cc}\p{Cs}]/u).exec(typed)
  if (odd) {
    const code = odd[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return ['character', { at: [...typed.slice(0, odd.index)].length + 1, code: `U+${code}` }]
  }
  if (text === taken) return ['own', { name: text }]
  const wrong = type === 'url' ? urlError(text) : null
  return wrong && [wrong]
}

/** What a sentence names, where it does not. */
const NOTHING = { most: '', length: '', at: '', code: '', name: '' }

/** @returns what is wrong with texts, as sentences at their fields */
export function useTextErrors() {
  const { t } = useTranslation('sandbox')
  return function* (
    texts: Readonly<Record<string, readonly [rule: TextRule, typed: string]>>,
  ): Iterable<Place<string>> {
    for (const [field, [rule, typed]] of Object.entries(texts)) {
      const error = textError(rule, typed)
      if (error) yield [field, t(`fields.${error[0]}`, { ...NOTHING, ...error[1] })]
    }
  }
}

/** The field of an operation's parameter before anything is typed. */
export const emptyOf = ({ type, values }: Parameter): string | null =>
  (type === 'integer' || type === 'decimal') && !values ? null : ''

/** What is wrong with the number of a parameter: its bounds. */
export function numberError({ type, minimum, maximum, required }: Parameter, value: number | null) {
  if (value === null && !required) return null
  const [least, most] = [minimum ?? 0, maximum ?? 999_999_999.99]
  const exact =
    type === 'integer' ? Number.isInteger(value) : value !== null && Math.round(value * 100) / 100 === value
  return value !== null && exact && value >= least && value <= most ? null : { least, most }
}

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
