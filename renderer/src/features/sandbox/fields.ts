import { readTimestamp } from '#catalog/date-time.ts'
import type { SandboxOperation } from '#contract/sandbox.ts'

type Described = SandboxOperation['parameters'][number]

/** What a form knows of a field: a parameter as the sandbox describes it, or a member of a command's schema. */
export interface Field extends Omit<Described, 'type' | 'summary'> {
  readonly type: Described['type'] | 'name' | 'url' | 'offset'
  readonly summary?: string
  /** A name that is taken. */
  readonly taken?: string
}

/** As the user typed it, by the name of the field; empty or absent: left to the sandbox. */
export type Typed = Readonly<Record<string, string>>

/** What zod says of a schema; most members stand on some types only. */
interface Facets {
  readonly def: { readonly type: string; readonly innerType?: Facets }
  readonly isInt?: boolean
  readonly minValue?: number | null
  readonly maxValue?: number | null
  readonly maxLength?: number | null
  readonly options?: readonly unknown[]
}

const bare = (schema: Facets): Facets => (schema.def.innerType ? bare(schema.def.innerType) : schema)

/** A schema as a field. `own` says what the schema does not, such as a format. */
export function fieldOf(name: string, schema: Facets, own: Partial<Field> = {}): Field {
  const { def, isInt, minValue, maxValue, maxLength, options } = bare(schema)
  return {
    name,
    type: def.type === 'number' ? (isInt ? 'integer' : 'decimal') : 'string',
    required: schema.def.type !== 'optional',
    ...(options ? { values: options.map(String) } : {}),
    ...(minValue == null ? {} : { minimum: minValue }),
    ...(maxValue == null ? {} : { maximum: maxValue }),
    ...(maxLength == null ? {} : { maxLength }),
    ...own,
  }
}

/** Fields, and the schema that their arguments fit together. */
export interface FieldSet<A = Readonly<Record<string, unknown>>> {
  readonly fields: readonly Field[]
  readonly schema: { parse(args: Readonly<Record<string, unknown>>): A }
}

/** The parameters of an operation of the sandbox. */
export const describedFields = (fields: readonly Field[]): FieldSet => ({
  fields,
  schema: { parse: (args) => args },
})

/** Members of a schema as fields. */
export const fieldsOf = <S extends Readonly<Record<string, Facets>>, A>(
  schema: FieldSet<A>['schema'] & { readonly shape: S },
  own: { readonly [K in keyof S]?: Partial<Field> } = {},
): FieldSet<A> => ({
  fields: Object.entries(schema.shape).map(([name, member]) => fieldOf(name, member, own[name])),
  schema,
})

/** A key of sandbox:fields, and what its sentence names. */
export type FieldError = readonly [
  reason: 'required' | 'integer' | 'decimal' | 'long' | 'character' | 'own' | UrlError | Format,
  named?: Partial<Readonly<Record<'least' | 'most' | 'length' | 'at' | 'code' | 'name', string | number>>>,
]
type UrlError = 'url' | 'scheme' | 'credentials'
type Format = 'uuid' | 'date-time' | 'offset'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
// A minus sign as it is printed, too.
const OFFSET = /^[+−-](?:0\d|1[0-4]):[0-5]\d$/
const FORMATS: Readonly<Record<Format, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  'date-time': (text) => 'instant' in readTimestamp(text),
  offset: (text) => OFFSET.test(text),
}
const INTEGER = /^\d{1,15}$/
const DECIMAL = /^\d{1,15}(?:[.,]\d{1,2})?$/
const isFormat = (type: Field['type']): type is Format => Object.hasOwn(FORMATS, type)
const numberIn = (text: string) => Number(text.replace(',', '.'))

function urlError(text: string): UrlError | null {
  if (!URL.canParse(text)) return 'url'
  const { protocol, username, password } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'scheme'
  return username !== '' || password !== '' ? 'credentials' : null
}

/** What the sandbox would refuse for its shape alone. It checks again, and is right. */
export function fieldError(field: Field, typed: string): FieldError | null {
  const { type, required, minimum = 0, maximum = 999_999_999.99, maxLength = 1_000, taken } = field
  const text = typed.trim()
  const isNumber = type === 'integer' || type === 'decimal'
  if (text === '' && !(isNumber && required)) return required ? ['required'] : null
  if (isFormat(type)) return FORMATS[type](text) ? null : [type]
  if (isNumber) {
    const value = (type === 'integer' ? INTEGER : DECIMAL).test(text) ? numberIn(text) : Number.NaN
    return value >= minimum && value <= maximum ? null : [type, { least: minimum, most: maximum }]
  }
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

/** Arguments as the sandbox takes them; empty fields are left out. */
export function argumentsOf(fields: readonly Field[], typed: Typed): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (const { name, type } of fields) {
    const text = (typed[name] ?? '').trim()
    if (text === '') continue
    if (type === 'boolean') args[name] = text === 'true'
    else if (type === 'integer' || type === 'decimal') args[name] = numberIn(text)
    else args[name] = type === 'offset' ? text.replace('−', '-') : type === 'string' ? typed[name] : text
  }
  return args
}
