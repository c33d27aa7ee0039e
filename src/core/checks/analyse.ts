import { readTimestamp } from '#catalog/date-time.ts'
import { ENVELOPE_FIELDS } from '#catalog/fields.ts'
import { type KindSpec, kindSpec } from '#catalog/kinds.ts'
import { DELIVERY_METHODS, PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { SELF_TEST_EVENT } from '#contract/values.ts'
import { decodeText } from '../json/decode.ts'
import { eachDuplicateKey } from '../json/duplicates.ts'
import { type JsonReason, scanJson } from '../json/scan.ts'
import {
  codeOf,
  type JsonTree,
  MAX_NODES,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  sourceOf,
  stringOf,
} from '../json/tree.ts'
import type { Analysis, Judged, See } from './analysis.ts'
import type { Code } from './codes.ts'
import { checkField, createSearchText, type SearchText, statusOf } from './data.ts'
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
import { createFindings, type Findings, shorten, storable } from './findings.ts'

const UNREADABLE: { readonly [R in JsonReason]: Code } = {
  empty: 'body-empty',
  end: 'json-cut-off',
  unexpected: 'json-unexpected',
  trailing: 'json-trailing',
  control: 'json-control-character',
  escape: 'json-escape',
  number: 'json-number',
  'too-many': 'json-too-many-values',
}

/** Room for 4,000 nodes, enough for most events; allocating per event would cost a tenth of the analysis. No tree outlives its analysis. */
const scratch = new Uint32Array(12_000)

interface Read {
  readonly text: string
  readonly tree: JsonTree | undefined
  readonly extracted: Extracted
}

/**
 * Judges one delivery using only its content and the catalogue (spec: readings). Never throws. Takes time and memory linear in the body, up
 * to 256 MiB and 16 million values.
 * @param see called with the tree of a body of one of the 28 kinds after judging; the tree is invalid afterwards
 */
export function analyse(delivery: Judged, see?: See, values = MAX_NODES): Analysis {
  let current: JsonTree | undefined
  const findings = createFindings(() => current)
  checkMethod(delivery.method, findings)
  checkContentType(delivery.contentType, findings)
  const { text, tree, extracted } = readBody(delivery.body, findings, values, (found) => {
    current = found
  })
  if (extracted.event === SELF_TEST_EVENT)
    return { ...extracted, verdict: 'test', findings: [], findingCount: 0 }
  const { count, verdict, kept } = findings.finish(text, tree)
  if (see && tree && extracted.kind !== null) see(extracted.kind, tree)
  return { ...extracted, verdict, findings: kept, findingCount: count }
}

function readBody(body: Judged['body'], findings: Findings, values: number, hold: (tree: JsonTree) => void) {
  const unread = (text = ''): Read => ({ text, tree: undefined, extracted: NOTHING })
  if ('undecodable' in body) {
    const { coding, reason } = body.undecodable
    findings.delivery('coding-failed', { coding: shorten(coding), reason: shorten(reason, 200) })
    return unread()
  }
  if ('unread' in body) {
    findings.delivery(body.unread, body.params)
    return unread()
  }
  const decoded = textOf(body.bytes, findings)
  if (decoded === undefined) return unread()
  if ('before' in decoded) return unread(decoded.before)

  const { text, bytes } = decoded
  const tree = scanJson(text, bytes, scratch, values)
  if ('problem' in tree) {
    const found = tree.offset < text.length ? shorten(characterAt(text, tree.offset)) : ''
    const params = tree.problem === 'too-many' ? { limit: values } : { found }
    findings.delivery(UNREADABLE[tree.problem], params, tree.problem === 'empty' ? 0 : tree.offset)
    return unread(text)
  }
  hold(tree)
  if (codeOf(tree, 0) !== OBJECT) {
    findings.at('body-not-object', 0, { found: shorten(sourceOf(tree, 0)) })
    return { text, tree, extracted: NOTHING }
  }
  eachDuplicateKey(tree, (key) => findings.at('duplicate-key', key))
  return { text, tree, extracted: checkEnvelope(tree, findings) }
}

/** Decodes the body as UTF-8. @returns `before`: the text in front of the first invalid byte; undefined when nothing is text */
function textOf(
  bytes: Uint8Array,
  findings: Findings,
): { text: string; bytes: Uint8Array } | { before: string } | undefined {
  const decoded = decodeText(bytes)
  if ('text' in decoded) {
    if (decoded.bom) findings.delivery('body-bom', {}, 0)
    return decoded
  }
  switch (decoded.problem) {
    case 'not-utf8':
      findings.delivery(
        'body-not-utf8',
        { found: `0x${decoded.byte.toString(16).padStart(2, '0')}`, offset: decoded.byteOffset },
        decoded.before.length,
      )
      return { before: decoded.before }
    case 'other-encoding':
      findings.delivery('body-other-encoding', { found: decoded.encoding }, 0)
      return undefined
    case 'too-large':
      findings.delivery('body-too-large', { found: bytes.length, limit: decoded.limit })
      return undefined
  }
}

function characterAt(text: string, offset: number): string {
  const point = text.codePointAt(offset) ?? 0
  return point <= 0x20 || (point >= 0x7f && point <= 0xa0)
    ? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
    : String.fromCodePoint(point)
}

/** Compares case-sensitively (RFC 9110, 9.1). */
export function checkMethod(method: string, findings: Findings): void {
  if (DELIVERY_METHODS.some((documented) => documented === method)) return
  findings.delivery('method-not-documented', {
    found: shorten(method),
    expected: DELIVERY_METHODS.join(', '),
  })
}

const JSON_TYPE = /^\s*[\w!#$&^.+-]{1,100}\/(?:json|[\w!#$&^.-]{1,100}\+json)\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Notes a Content-Type other than JSON or a charset other than UTF-8: both contradict the promised body. A missing one is fine. */
export function checkContentType(contentType: string | null, findings: Findings): void {
  if (contentType === null) return
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return
  const value = contentType.slice(0, 1_000)
  const charset = CHARSET.exec(value)?.[1]
  if (JSON_TYPE.test(value) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  findings.delivery('content-type', { found: shorten(contentType) })
}

type Extracted = Omit<Analysis, 'verdict' | 'findings' | 'findingCount'>

const NOTHING: Extracted = {
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

function checkEnvelope(tree: JsonTree, findings: Findings): Extracted {
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
  const documentId = fieldText(tree, table, matched, 'DocumentId', false)
  const withFacts = spec && documentId !== null && WITH_FACTS.has(spec.kind)
  return {
    documentId,
    facts: withFacts ? factsOf(tree, table, matched, accounting) : null,
    number: fieldText(tree, table, matched, 'Number', true),
    party: partyOf(tree, table, matched),
    statusId: status < 0 ? null : statusOf(tree, status),
  }
}

const PARTY = 'CustomerName CustomerTaxId SupplierName SupplierTaxId LegalName TaxIdentification'.split(' ')

function partyOf(tree: JsonTree, table: FieldTable, matched: Matched): string | null {
  let party = ''
  for (const name of PARTY) {
    const value = fieldText(tree, table, matched, name, true)
    if (value) party += party === '' ? value : `\n${value}`
  }
  return party === '' ? null : party
}

function fieldText(tree: JsonTree, table: FieldTable, matched: Matched, name: string, orDigits: boolean) {
  const node = matched[slotOf(table, name)] ?? -1
  if (node < 0) return null
  const code = codeOf(tree, node)
  if (code === STRING) return rowText(stringOf(tree, node))
  return orDigits && code === NUMBER ? rowText(sourceOf(tree, node)) : null
}
