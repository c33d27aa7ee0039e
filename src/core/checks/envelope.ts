import { readTimestamp } from '#catalog/date-time.ts'
import { ENVELOPE_FIELDS } from '#catalog/fields.ts'
import { type KindSpec, kindSpec } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { codeOf, type JsonTree, NULL, NUMBER, OBJECT, STRING, sourceOf, stringOf } from '../json/tree.ts'
import type { Analysis } from './analysis.ts'
import { checkField, statusOf } from './data.ts'
import { factsOf, WITH_FACTS } from './facts.ts'
import {
  ANY_DATA_TABLE,
  dataTable,
  ENVELOPE_TABLE,
  type FieldTable,
  type Matched,
  matchFields,
  slotOf,
} from './fields.ts'
import { type Findings, shorten, storable } from './findings.ts'
import { createSearchText, type SearchText } from './search-text.ts'

export type Extracted = Omit<Analysis, 'verdict' | 'findings' | 'findingCount'>

export const NOTHING: Extracted = {
  event: null,
  kind: null,
  group: null,
  documentId: null,
  number: null,
  statusId: null,
  party: null,
  timestamp: null,
  facts: null,
  searchText: '',
}

const ROW_TEXT = 200
const rowText = (value: string): string =>
  storable(value.length > ROW_TEXT ? value.slice(0, ROW_TEXT) : value)

const [EVENT = 0, TIMESTAMP = 1, DATA = 2] = [...ENVELOPE_FIELDS.keys()].map((_, slot) => slot)

export function checkEnvelope(tree: JsonTree, findings: Findings): Extracted {
  const envelope = matchFields(tree, 0, ENVELOPE_TABLE, findings)
  const event = eventOf(tree, envelope[EVENT] ?? -1, findings)
  const timestamp = timestampOf(tree, envelope[TIMESTAMP] ?? -1, findings)
  const spec = event === null ? undefined : kindSpec(event)
  const search = createSearchText(tree)
  const data = dataOf(tree, envelope[DATA] ?? -1, findings)
  return {
    ...NOTHING,
    ...(data < 0 ? {} : checkData(tree, data, spec, findings, search)),
    event: event === null ? null : rowText(event),
    kind: spec?.kind ?? null,
    group: spec?.group ?? null,
    timestamp,
    searchText: search.text(),
  }
}

function eventOf(tree: JsonTree, node: number, findings: Findings): string | null {
  if (node < 0) return null
  const code = codeOf(tree, node)
  if (code !== STRING) {
    findings.at(code === NULL ? 'envelope-null' : 'event-not-string', node)
    return null
  }
  const event = stringOf(tree, node)
  if (PLUGIN_EVENT_TYPES.some((type) => type === event)) findings.at('event-plugin', node, { found: event })
  else if (!kindSpec(event)) findings.at('event-unknown', node, { found: shorten(event) })
  return event
}

function timestampOf(tree: JsonTree, node: number, findings: Findings): Analysis['timestamp'] {
  if (node < 0) return null
  const code = codeOf(tree, node)
  const text = code === STRING ? stringOf(tree, node) : ''
  const reading = readTimestamp(text)
  if ('problem' in reading) {
    const wrong = reading.problem === 'no-offset' ? 'timestamp-without-offset' : 'timestamp-not-date-time'
    findings.at(code === NULL ? 'envelope-null' : wrong, node)
    return null
  }
  if (reading.zone === 'utc') findings.at('timestamp-utc', node)
  return { text, instant: reading.instant }
}

function dataOf(tree: JsonTree, node: number, findings: Findings): number {
  if (node < 0 || codeOf(tree, node) === OBJECT) return node
  findings.at(codeOf(tree, node) === NULL ? 'envelope-null' : 'data-not-object', node)
  return -1
}

function checkData(
  tree: JsonTree,
  data: number,
  spec: KindSpec | undefined,
  findings: Findings,
  search: SearchText,
): Pick<Extracted, 'documentId' | 'number' | 'statusId' | 'party' | 'facts'> {
  const table = spec ? dataTable(spec.kind) : ANY_DATA_TABLE
  // Without a kind nothing is known about the fields, so their values are extracted but not judged.
  const matched = matchFields(tree, data, table, spec && findings)
  search.take(table, matched)
  let accounting: Matched | undefined
  if (spec) {
    const checking = { tree, spec, findings, search }
    for (let slot = 0; slot < table.documented; slot++) {
      const field = table.fields[slot]
      const node = matched[slot] ?? -1
      if (field && field.type !== 'unknown' && node >= 0)
        accounting = checkField(checking, field, node) ?? accounting
    }
  }
  const status = matched[slotOf(table, 'StatusId')] ?? -1
  const documentId = textOf(tree, table, matched, 'DocumentId', false)
  const withFacts = spec && documentId !== null && WITH_FACTS.has(spec.kind)
  return {
    documentId,
    facts: withFacts ? factsOf(tree, table, matched, accounting) : null,
    number: textOf(tree, table, matched, 'Number', true),
    party: partyOf(tree, table, matched),
    statusId: status < 0 ? null : statusOf(tree, status),
  }
}

const PARTY = 'CustomerName CustomerTaxId SupplierName SupplierTaxId LegalName TaxIdentification'.split(' ')

function partyOf(tree: JsonTree, table: FieldTable, matched: Matched): string | null {
  let party = ''
  for (const name of PARTY) {
    const value = textOf(tree, table, matched, name, true)
    if (value) party += party === '' ? value : `\n${value}`
  }
  return party === '' ? null : party
}

function textOf(tree: JsonTree, table: FieldTable, matched: Matched, name: string, orDigits: boolean) {
  const node = matched[slotOf(table, name)] ?? -1
  if (node < 0) return null
  const code = codeOf(tree, node)
  if (code === STRING) return rowText(stringOf(tree, node))
  return orDigits && code === NUMBER ? rowText(sourceOf(tree, node)) : null
}
