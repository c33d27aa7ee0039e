import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { afterOf, endOf, isEscaped, type JsonTree, startOf, stringOf } from '../json/tree.ts'
import type { Code } from './codes.ts'
import type { Findings } from './findings.ts'

interface FieldCodes {
  readonly absent: Code
  readonly demanded?: ReadonlyMap<string, Code>
  readonly wrongCase: Code
  readonly extra: Code
}

/** Documented fields of an object. A slot is the index of a field. */
export interface FieldTable {
  readonly fields: readonly FieldSpec[]
  /** Slots below this are documented for this object; higher ones are fields of other objects, only read for their values. */
  readonly documented: number
  readonly slots: ReadonlyMap<string, number>
  readonly folded: ReadonlyMap<string, number>
  readonly codes: FieldCodes
  readonly searched: readonly number[]
}

/** Indexed fields. Ids of units, terms or sequences repeat in every event and would only enlarge the index. */
const SEARCHED =
  /^(?:(?:Document|Customer|Supplier|Product|CreditNote|ModifiedReference)Id|TaxIdentification|ReferenceSecuence)$|(?:Number|Name|TaxId|Code|Description|Phone|Email)$/

/** Folds ASCII letters only: full case folding would equate the Kelvin sign with k. */
const fold = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

export function fieldTable(
  documented: readonly FieldSpec[],
  codes: FieldCodes,
  known: readonly FieldSpec[] = [],
): FieldTable {
  const fields = [...documented, ...known.filter((field) => !documented.includes(field))]
  return {
    fields,
    documented: documented.length,
    slots: new Map(fields.map((field, slot) => [field.name, slot])),
    folded: new Map(documented.map((field, slot) => [fold(field.name), slot])),
    codes,
    searched: fields.flatMap(({ name }, slot) => (SEARCHED.test(name) ? [slot] : [])),
  }
}

export const slotOf = (table: FieldTable, name: string): number => table.slots.get(name) ?? -1

export type Matched = readonly number[]

/**
 * Matches an object's members with the table and reports absent, extra and wrongly cased names. Of duplicate names the last counts, as in
 * JSON.parse. A wrongly cased name counts only when the exact one is absent; of several the last counts.
 * @param findings absent when only the values are wanted
 * @returns the value node per slot, -1 where missing
 */
export function matchFields(tree: JsonTree, object: number, table: FieldTable, findings?: Findings): Matched {
  const { fields, documented } = table
  // A plain array: typed arrays of this size live outside the heap and cost more than the whole loop.
  const matched = new Array<number>(fields.length).fill(-1)
  const end = afterOf(tree, object)
  let others = 0
  let missing = documented
  let expected = 0
  for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) {
    const slot = slotFor(tree, key, table, expected)
    if (slot < 0) others++
    else {
      if (matched[slot] === -1 && slot < documented) missing--
      if (slot >= documented) others++
      matched[slot] = key + 1
      expected = slot + 1
    }
  }
  if (others > 0) missing -= matchOthers(tree, object, table, matched, findings)
  if (missing > 0 && findings) {
    for (let slot = 0; slot < documented; slot++) {
      const name = fields[slot]?.name ?? ''
      if (matched[slot] === -1)
        findings.absent(table.codes.demanded?.get(name) ?? table.codes.absent, object, name)
    }
  }
  return matched
}

/** Tries the field after the previous one before any look-up, since senders keep one order. */
function slotFor(tree: JsonTree, key: number, table: FieldTable, expected: number): number {
  const start = startOf(tree, key) + 1
  const length = endOf(tree, key) - 1 - start
  const guess = table.fields[expected]?.name
  if (guess !== undefined && guess.length === length && tree.text.startsWith(guess, start)) return expected
  // Documented names are far shorter than 64 characters; keys may be megabytes long.
  if (length > 64 && !isEscaped(tree, key)) return -1
  return table.slots.get(stringOf(tree, key)) ?? -1
}

/** @returns the number of absent fields found under another case */
function matchOthers(
  tree: JsonTree,
  object: number,
  table: FieldTable,
  matched: number[],
  findings?: Findings,
): number {
  const exact = matched.slice()
  const end = afterOf(tree, object)
  let found = 0
  for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) {
    const slot = slotFor(tree, key, table, -1)
    if (slot >= 0 && slot < table.documented) continue
    const meant = slot >= 0 ? undefined : table.folded.get(fold(stringOf(tree, key)))
    if (meant === undefined || exact[meant] !== -1) {
      findings?.at(table.codes.extra, key)
      continue
    }
    const before = matched[meant] ?? -1
    if (before === -1) found++
    else findings?.at(table.codes.extra, before - 1)
    matched[meant] = key + 1
  }
  if (findings && found > 0)
    for (const [slot, value] of matched.entries())
      if (value !== exact[slot])
        findings.at(table.codes.wrongCase, value - 1, { expected: table.fields[slot]?.name ?? '' })
  return found
}

const ENVELOPE_CODES = {
  absent: 'envelope-missing',
  wrongCase: 'envelope-case',
  extra: 'envelope-extra',
} as const
const DATA_CODES = { absent: 'field-absent', wrongCase: 'field-case', extra: 'field-not-documented' } as const

const allData = [...DATA_FIELDS.values()]
const named = (names: readonly string[]): FieldSpec[] =>
  names.map((name) => DATA_FIELDS.get(name)).filter((field) => field !== undefined)

export const ENVELOPE_TABLE = fieldTable([...ENVELOPE_FIELDS.values()], ENVELOPE_CODES)
export const LINE_TABLE = fieldTable([...LINE_FIELDS.values()], DATA_CODES)
export const ACCOUNTING_TABLE = fieldTable([...ACCOUNTING_FIELDS.values()], DATA_CODES)

/** For an unknown event: all fields of all kinds, read for their values and never judged. */
export const ANY_DATA_TABLE = fieldTable(allData, DATA_CODES)

/** Fields that an event must have (readings, data per kind). */
const DOCUMENT_ID = ['DocumentId', 'document-id-absent'] as const
const DGII_STATUS = ['StatusId', 'dgii-status-absent'] as const

const byKind: ReadonlyMap<Kind, FieldTable> = new Map(
  KINDS.map(({ kind, fields, statusId }) => {
    const demanded = new Map<string, Code>(
      statusId === undefined ? [DOCUMENT_ID] : [DOCUMENT_ID, DGII_STATUS],
    )
    return [kind, fieldTable(named(fields), { ...DATA_CODES, demanded }, allData)]
  }),
)
export const dataTable = (kind: Kind): FieldTable => byKind.get(kind) ?? ANY_DATA_TABLE
