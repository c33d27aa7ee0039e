import type { Shape } from '#contract/drift.ts'
import { SHAPE_TYPES, STRING_FORMATS } from '#contract/values.ts'

/** Shapes as small numbers: formats of strings first, in their order, then the other types. */
export const FORMS: readonly Shape[] = [
  ...STRING_FORMATS.map((format): Shape => ({ type: 'string', format })),
  ...SHAPE_TYPES.filter((type) => type !== 'string').map((type): Shape => ({ type, format: null })),
]

/** @returns -1 for names that are none */
export const formOf = (type: string, format: string | null): number =>
  FORMS.findIndex((form) => form.type === type && form.format === format)

const named = (type: Shape['type'], format: Shape['format'] = null): number => formOf(type, format)

export const UUID = named('string', 'uuid')
export const INSTANT = named('string', 'instant')
export const DATE_TIME = named('string', 'date-time')
export const DATE = named('string', 'date')
export const EMAIL = named('string', 'email')
export const DIGITS = named('string', 'digits')
export const MONEY = named('string', 'money')
export const EMPTY = named('string', 'empty')
export const TEXT = named('string', 'text')
export const INTEGER = named('integer')
export const DECIMAL = named('decimal')
export const BOOLEAN = named('boolean')
export const NOTHING = named('null')
export const OBJECT_FORM = named('object')
export const ARRAY_FORM = named('array')

/** Forms of strings stand below this. */
export const STRINGS = STRING_FORMATS.length

/** Among what may be any text, a more particular form says nothing new; nor does a whole number among decimals. Emptiness always does. */
export function isParticular(form: number, seen: (form: number) => boolean): boolean {
  if (form === INTEGER) return seen(DECIMAL)
  if (form >= STRINGS || form === EMPTY) return false
  return seen(TEXT) || (form === DIGITS && seen(MONEY))
}
