import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { lastName } from '../json/pointer.ts'

type Fields = ReadonlyMap<string, FieldSpec>

/**
 * Fields that the specification documents for the object at a place of a kind; undefined where it shows none (the insides of `Taxes`,
 * of a field that is not documented, of a kind without `Lines`).
 */
export function fieldsWithin(kind: Kind, place: string): Fields | undefined {
  switch (place) {
    case '':
      return ENVELOPE_FIELDS
    case '/data':
      return dataFields(kind)
    case '/data/Lines/*':
      return dataFields(kind).has('Lines') ? LINE_FIELDS : undefined
    case '/data/Accounting':
      return dataFields(kind).has('Accounting') ? ACCOUNTING_FIELDS : undefined
    default:
      return undefined
  }
}

/** What the catalogue says of the field at a place; undefined when it is not documented. */
export function documentedField(kind: Kind, place: string): FieldSpec | undefined {
  if (place === '') return undefined
  return fieldsWithin(kind, place.slice(0, place.lastIndexOf('/')))?.get(lastName(place))
}

/** Whether the place is one that the specification shows: a documented field, or the list items and objects that hold such fields. */
export const isDocumented = (kind: Kind, place: string): boolean =>
  fieldsWithin(kind, place) !== undefined || documentedField(kind, place) !== undefined

const byKind = new Map<Kind, Fields>()

function dataFields(kind: Kind): Fields {
  const known = byKind.get(kind)
  if (known) return known
  const fields = (kindSpec(kind)?.fields ?? []).flatMap((name) => {
    const field = DATA_FIELDS.get(name)
    return field ? [[name, field] as const] : []
  })
  const table: Fields = new Map(fields)
  byKind.set(kind, table)
  return table
}
