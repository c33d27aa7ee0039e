import { readDate } from '#catalog/date-time.ts'
import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'

/** 8-4-4-4-12 hex digits of either case (readings, data per kind). */
export const UUID_PATTERN = `^${[8, 4, 4, 4, 12].map((length) => `[0-9A-Fa-f]{${length}}`).join('-')}$`

/** Longest text that `readTimestamp` reads. */
export const TIMESTAMP_LENGTH = 100

/** First two digits of a year, by their remainder modulo 4: the calendar repeats every 400 years. */
const CENTURIES = [
  '(?:[02468][048]|[13579][26])',
  '(?:[02468][159]|[13579][37])',
  '(?:[02468][26]|[13579][048])',
  '(?:[02468][37]|[13579][159])',
]

const two = (value: number): string => String(value).padStart(2, '0')

/** @returns a pattern of the years that have this day, such as `-366` */
function yearsWith(day: string): string {
  const years = CENTURIES.flatMap((century, rest) => {
    const found = Array.from({ length: 100 }, (_, year) => two(year)).filter(
      (year) => readDate(`${20 + rest}${year}${day}`) !== undefined,
    )
    return found.length === 0 ? [] : [`${century}(?:${found.join('|')})`]
  })
  return `(?:${years.join('|')})`
}
const LEAP = yearsWith('-366')
const LONG = yearsWith('-W53-1')

/** Date, time and offset as `readTimestamp` accepts them. @param dash and colon: the separators of the extended form, or nothing */
function form(dash: '-' | '', colon: ':' | ''): string {
  const monthDays = [
    `(?:0[13578]|1[02])${dash}(?:0[1-9]|[12][0-9]|3[01])`,
    `(?:0[469]|11)${dash}(?:0[1-9]|[12][0-9]|30)`,
    `02${dash}(?:0[1-9]|1[0-9]|2[0-8])`,
  ]
  const days = [
    ...monthDays,
    '(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-5])',
    `W(?:0[1-9]|[1-4][0-9]|5[0-2])${dash}[1-7]`,
  ]
  const date = [
    `[0-9]{4}${dash}(?:${days.join('|')})`,
    `${LEAP}${dash}(?:02${dash}29|366)`,
    `${LONG}${dash}W53${dash}[1-7]`,
  ]
  const time = [
    `(?:[01][0-9]|2[0-3])${colon}[0-5][0-9](?:${colon}(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?`,
    `24${colon}00(?:${colon}00(?:[.,]0+)?)?`,
  ]
  return `(?:${date.join('|')})T(?:${time.join('|')})`
}

/**
 * ISO 8601 date-time with UTC offset, as `readTimestamp` reads it (readings, The envelope). One difference: it accepts the second 60 in any
 * minute, since a pattern cannot compute the instant at which a leap second is possible.
 */
export const TIMESTAMP_PATTERN = `^(?:${form('-', ':')}|${form('', '')})(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)$`

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type Schema = { readonly [keyword: string]: Json }
type Schemas = Readonly<Record<string, Schema>>

export const jsonText = (schema: Schema): string => `${JSON.stringify(schema, null, 2)}\n`

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

interface Style {
  /** Path of the shared schemas in the document. */
  readonly at: '#/$defs/' | '#/components/schemas/'
  /**
   * Whether a member counts under its name in another case, as in Acuse's checks, where that is only a warning (readings, The envelope).
   * Then code generators do not recognise which members are mandatory.
   */
  readonly anyCase: boolean
}

const CHECKING: Style = { at: '#/$defs/', anyCase: true }
/** For documents that people and generators read: names as the service documents them. */
export const AS_DOCUMENTED: Style = { at: '#/components/schemas/', anyCase: false }

/** A member on which the specification states a rule. */
interface Ruled {
  readonly name: string
  readonly demanded: boolean
}

/** @returns title and documentation of a field; a field without a type is one of which no value is wrong */
const told = ({ label, documentation }: FieldSpec): Schema => ({
  title: label.en,
  description: documentation?.en ?? 'Type and format are not shown.',
})

function objectOf(
  properties: Schemas,
  ruled: readonly Ruled[],
  { anyCase }: Style,
): { readonly [keyword: string]: Json } {
  const demanded = ruled.filter((one) => one.demanded).map(({ name }) => name)
  if (!anyCase) return { type: 'object', properties, ...(demanded.length > 0 && { required: demanded }) }
  const others = ruled.map((one) => otherCase(one, properties[one.name] ?? {}))
  return { type: 'object', properties, ...(others.length > 0 && { allOf: others }) }
}

const anyCaseOf = (name: string): string =>
  `^${name.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)}$`

/** Where the exact name is absent, its rule applies to the name in another case; a mandatory member is missing only under any case. */
function otherCase({ name, demanded }: Ruled, schema: Schema): Schema {
  const pattern = anyCaseOf(name)
  const missing = { if: { not: { propertyNames: { not: { pattern } } } }, else: { required: [name] } }
  return {
    if: { required: [name] },
    else: { patternProperties: { [pattern]: schema }, ...(demanded && missing) },
  }
}

const fieldsOf = (fields: Iterable<readonly [string, FieldSpec]>): Schemas =>
  Object.fromEntries([...fields].map(([name, field]) => [name, told(field)]))

/** Schemas that several kinds share, by name. */
export const sharedSchemas = ({ at }: Pick<Style, 'at'>): Schemas => ({
  DocumentId: { ...told(field('DocumentId')), type: 'string', pattern: UUID_PATTERN },
  Timestamp: {
    ...told(envelopeField('Timestamp')),
    type: 'string',
    maxLength: TIMESTAMP_LENGTH,
    pattern: TIMESTAMP_PATTERN,
    examples: ['2026-11-21T09:20:41.1234567-04:00'],
  },
  Lines: {
    ...told(field('Lines')),
    type: ['array', 'null'],
    items: { $ref: `${at}Line` },
  },
  Line: {
    title: 'Item of Lines',
    type: 'object',
    properties: fieldsOf(LINE_FIELDS),
  },
  Accounting: {
    ...told(field('Accounting')),
    type: ['object', 'null'],
    properties: fieldsOf(ACCOUNTING_FIELDS),
  },
})

function field(name: string): FieldSpec {
  const found = DATA_FIELDS.get(name)
  if (found) return found
  throw new Error(`The catalogue has no field ${name}.`)
}
function envelopeField(name: string): FieldSpec {
  const found = ENVELOPE_FIELDS.get(name)
  if (found) return found
  throw new Error(`The envelope has no member ${name}.`)
}

/** @returns the rule of a field (readings, data per kind), or nothing where the specification states none */
function ruleOf({ name, type }: FieldSpec, spec: KindSpec, { at }: Style): Schema | undefined {
  switch (type) {
    case 'uuid':
    case 'lines':
    case 'accounting':
      return { $ref: `${at}${name}` }
    case 'integer':
      return spec.statusId === undefined ? { type: ['integer', 'null'] } : { const: spec.statusId }
    case 'unknown':
      return undefined
  }
}

/** A mandatory field: the document's identity, and the authority's answer in `dgii.*` (readings, data per kind). */
export const isDemanded = ({ type }: FieldSpec, spec: KindSpec): boolean =>
  type === 'uuid' || (type === 'integer' && spec.statusId !== undefined)

/** Fields of the item of Lines and of Accounting, with a name each, as far as one of the kinds has them. */
export const partsOf = (
  specs: readonly KindSpec[],
): readonly (readonly [name: string, fields: readonly FieldSpec[]])[] => {
  const has = (name: string) => specs.some(({ fields }) => fields.includes(name))
  return [
    ...(has('Lines') ? [['Line', [...LINE_FIELDS.values()]] as const] : []),
    ...(has('Accounting') ? [['Accounting', [...ACCOUNTING_FIELDS.values()]] as const] : []),
  ]
}

export const dataFields = (spec: KindSpec): readonly FieldSpec[] => spec.fields.map(field)

function dataSchema(spec: KindSpec, style: Style): Schema {
  const fields = dataFields(spec)
  const ruled: Ruled[] = []
  const properties: Record<string, Schema> = {}
  for (const one of fields) {
    const rule = ruleOf(one, spec, style)
    if (rule) ruled.push({ name: one.name, demanded: isDemanded(one, spec) })
    // A reference stands alone: in the dialect of AsyncAPI the keywords beside it do not count.
    properties[one.name] = rule && '$ref' in rule ? rule : { ...told(one), ...rule }
  }
  return objectOf(properties, ruled, style)
}

const ENVELOPE: readonly Ruled[] = [...ENVELOPE_FIELDS.keys()].map((name) => ({ name, demanded: true }))

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Schema of a kind's body: envelope and data. */
export function kindSchema(spec: KindSpec, style: Style): Schema {
  const properties = {
    Event: { ...told(envelopeField('Event')), const: spec.kind },
    Timestamp: { $ref: `${style.at}Timestamp` },
    data: dataSchema(spec, style),
  }
  return {
    title: spec.kind,
    description: sentence(`emitted when ${spec.emittedWhen.en}`),
    ...objectOf(properties, ENVELOPE, style),
  }
}

/** Schema of the envelope around any data, for all kinds. */
function envelopeSchema(style: Style): Schema {
  const properties = {
    Event: { ...told(envelopeField('Event')), enum: KINDS.map(({ kind }) => kind) },
    Timestamp: { $ref: `${style.at}Timestamp` },
    data: { ...told(envelopeField('data')), type: 'object' },
  }
  return { title: 'Envelope', ...objectOf(properties, ENVELOPE, style) }
}

export const kindSchemas = (specs: readonly KindSpec[], style: Style): Schemas =>
  Object.fromEntries(specs.map((spec) => [spec.kind, kindSchema(spec, style)]))

const ABOUT =
  'Documented rules only: a body fails exactly where Acuse reports an error. Fields that are not documented, and absent fields that the' +
  ' specification does not call mandatory, pass.'

/** JSON Schema 2020-12 of one kind, or of a body of any of the 28 kinds. It describes bodies after JSON parsing. */
export function jsonSchema(kind?: Kind): Schema {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const [only] = specs
  if (kind !== undefined && only) {
    const schema = kindSchema(only, CHECKING)
    return {
      $schema: DIALECT,
      $id: `urn:acuse:event:${kind}`,
      $comment: ABOUT,
      ...schema,
      $defs: usedBy(schema, sharedSchemas(CHECKING)),
    }
  }
  return {
    $schema: DIALECT,
    $id: 'urn:acuse:event',
    $comment: ABOUT,
    title: 'Event',
    description: 'Body of a webhook delivery of any of the 28 kinds.',
    $ref: '#/$defs/Envelope',
    oneOf: specs.map((spec) => ({ $ref: `#/$defs/${spec.kind}` })),
    $defs: {
      Envelope: envelopeSchema(CHECKING),
      ...sharedSchemas(CHECKING),
      ...kindSchemas(specs, CHECKING),
    },
  }
}

/** @returns the shared schemas that a schema refers to, directly or by another one */
export function usedBy(schema: Schema, shared: Schemas): Schemas {
  const used = new Set<string>()
  const follow = (one: Json): void => {
    for (const [, name = ''] of JSON.stringify(one).matchAll(
      /"\$ref":"#\/(?:\$defs|components\/schemas)\/(\w+)"/g,
    )) {
      if (used.has(name)) continue
      used.add(name)
      follow(shared[name] ?? {})
    }
  }
  follow(schema)
  return Object.fromEntries(Object.entries(shared).filter(([name]) => used.has(name)))
}
