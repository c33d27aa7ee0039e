import { readTimestamp } from '#catalog/date-time.ts'
import { ACCOUNTING_FIELDS, DATA_FIELDS, type FieldSpec, LINE_FIELDS } from '#catalog/fields.ts'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { scanJson } from '#core/json/scan.ts'
import type { JsonTree } from '#core/json/tree.ts'

/** An envelope as an object, before it is serialised. */
export interface EventObject {
  Event: unknown
  Timestamp: unknown
  data: Record<string, unknown>
}

export interface EventOverrides {
  readonly Event?: unknown
  readonly Timestamp?: unknown
  /** Replaces documented fields; `undefined` omits a field from the body. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** @returns a UUID that ends with this number in hexadecimal */
export const aUuid = (n = 1): string => `5f0c1d2e-3b4a-4c5d-8e6f-${n.toString(16).padStart(12, '0')}`

/** Realistic values by the end of a field's name. Types that the specification does not state are assumptions. */
const VALUES: readonly (readonly [RegExp, unknown])[] = [
  [/^DocumentId$/, aUuid()],
  [/^StatusId$/, 1],
  [/^Number$/, 'E310000000001'],
  [/^(?:Customer|Supplier|Product|CreditNote|ModifiedReference|ProductVariant|Line|Warehouse)Id$/, aUuid(2)],
  [/^ReferenceSecuence$/, 'E310000000007'],
  [/^(?:DocumentTypeId|SequenceTypeId|SequenceSourceId)$/, 31],
  [/(?:TaxId|TaxIdentification)$/, '131246789'],
  [/Id$/, 3],
  [/Name$/, 'Comercial Peña & Hijos, S.R.L.'],
  [/Phone$/, '809-555-0142'],
  [/Email$/, 'compras@example.com.do'],
  [/Address$/, 'Av. 27 de Febrero 12, Santo Domingo'],
  [/^(?:IssuedAt|LimitDate)$/, '2026-11-30T00:00:00-04:00'],
  [/^(?:Is|Was|Awaits)/, false],
  [/^Order$/, 1],
  [/Code$/, 'DOP'],
  [/Description$/, 'Servicio de instalación'],
  [/^(?:Taxes|Withholdings)$/, []],
  [/./, 1250.5],
]

function valueFor(field: FieldSpec): unknown {
  if (field.type === 'lines') return [aLine()]
  if (field.type === 'accounting') return objectOf(ACCOUNTING_FIELDS)
  return VALUES.find(([name]) => name.test(field.name))?.[1] ?? null
}

const objectOf = (fields: Iterable<readonly [string, FieldSpec]>): Record<string, unknown> =>
  Object.fromEntries([...fields].map(([name, field]) => [name, valueFor(field)]))

export const aLine = (overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  ...objectOf(LINE_FIELDS),
  ...overrides,
})

/** Makes a valid envelope of a kind with every documented field. */
export function anEvent(kind: Kind, overrides: EventOverrides = {}): EventObject {
  const spec = kindSpec(kind)
  if (!spec) throw new Error(`no such kind: ${kind}`)
  const data: Record<string, unknown> = {}
  for (const name of spec.fields) {
    const field = DATA_FIELDS.get(name)
    if (field) data[name] = valueFor(field)
  }
  if (spec.statusId !== undefined) data.StatusId = spec.statusId
  return structuredClone({
    Event: 'Event' in overrides ? overrides.Event : kind,
    Timestamp: 'Timestamp' in overrides ? overrides.Timestamp : '2026-11-21T09:20:41.1234567-04:00',
    data: { ...data, ...overrides.data },
  })
}

/** @returns microseconds since the epoch of a date-time with offset */
export function microsOf(text: string): number {
  const read = readTimestamp(text)
  if ('instant' in read) return read.instant
  throw new Error(`${read.problem}: ${text}`)
}

/** @returns UTF-8 bytes of a text, or of a value's JSON */
export const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

/** @returns the parsed tree of a text, or of a value's JSON */
export function treeOf(value: unknown): JsonTree {
  const tree = scanJson(typeof value === 'string' ? value : JSON.stringify(value))
  if ('problem' in tree) throw new Error(`${tree.problem} at ${tree.offset}`)
  return tree
}

export const aBody = (kind: Kind, overrides: EventOverrides = {}): Uint8Array =>
  bytesOf(anEvent(kind, overrides))
