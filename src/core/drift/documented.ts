import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { lastName } from '../json/pointer.ts'

type Fields = ReadonlyMap<string, FieldSpec>

/** Undefined where the specification shows no fields, such as inside `Taxes` or inside an undocumented field. */
function fieldsWithin(kind: Kind, place: string): Fields | undefined {
  switch (place) {
    case '':
      return ENVELOPE_FIELDS
    case '/data':
      return BY_KIND.get(kind)
    case '/data/Lines/*':
      return BY_KIND.get(kind)?.has('Lines') ? LINE_FIELDS : undefined
    case '/data/Accounting':
      return BY_KIND.get(kind)?.has('Accounting') ? ACCOUNTING_FIELDS : undefined
    default:
      return undefined
  }
}

export function documentedField(kind: Kind, place: string): FieldSpec | undefined {
  if (place === '') return undefined
  return fieldsWithin(kind, place.slice(0, place.lastIndexOf('/')))?.get(lastName(place))
}

/** True for a documented field, and for the list items and objects that contain such fields. */
export const isDocumented = (kind: Kind, place: string): boolean =>
  fieldsWithin(kind, place) !== undefined || documentedField(kind, place) !== undefined

const BY_KIND: ReadonlyMap<Kind, Fields> = new Map(
  KINDS.map(({ kind, fields }) => [
    kind,
    new Map([...DATA_FIELDS].filter(([name]) => fields.includes(name))),
  ]),
)
