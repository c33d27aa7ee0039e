import {
  ACCOUNTING_FIELDS,
  DATA_FIELDS,
  ENVELOPE_FIELDS,
  type FieldSpec,
  LINE_FIELDS,
} from '#catalog/fields.ts'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { Code } from './codes.ts'
import { type FieldTable, fieldTable } from './fields.ts'

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

/** For an unknown event: every field of any kind, read for its value and never judged. */
export const ANY_DATA_TABLE = fieldTable(allData, DATA_CODES)

/** What an event cannot do without (readings, data per kind). */
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
