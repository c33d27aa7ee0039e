import type { DeliveryDetail, DeliveryRow, Finding } from '#contract/delivery.ts'
import type { DocumentEntry, DocumentLife } from '#contract/documents.ts'
import type { Fault } from '#contract/faults.ts'
import type { DocumentRow, ReconciliationSummary, Sweep } from '#contract/reconcile.ts'
import { type Code, isCode } from '#core/checks/codes.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { utc } from '../shared/records.ts'
import { type AnswerMask, FORMS } from './mask.ts'

/** Findings, headers, events of a document that one answer holds. */
const MOST = 50

export const deliveryRecord = (row: DeliveryRow, mask: AnswerMask) => ({
  id: row.id,
  receivedAt: utc(row.receivedAt),
  endpoint: row.endpoint,
  method: mask.text(row.method),
  url: mask.target(row.url),
  event: mask.formed(row.event, FORMS.event),
  documentId: mask.formed(row.documentId, FORMS.id),
  number: mask.textOrNull(row.document?.number ?? row.number),
  party: mask.personal(row.document?.party ?? null),
  total: row.document?.total ?? null,
  statusId: row.statusId,
  verdict: row.verdict,
  findings: row.findings,
  answer: row.answer,
  rejected: row.rejected,
  marks: row.marks,
  tags: row.tags.map((tag) => mask.text(tag)),
})

export const detailRecord = (detail: DeliveryDetail, mask: AnswerMask) => ({
  ...deliveryRecord(detail, mask),
  timestamp: mask.formed(detail.timestamp, FORMS.date),
  malformed: detail.malformed,
  bodyBytes: detail.size,
  headers: detail.headers.slice(0, MOST).map((one) => mask.header(one)),
  answeredBy:
    detail.answeredBy?.by === 'target'
      ? { by: 'target', target: mask.formed(detail.answeredBy.target, /^(?!.*:\/\/)/) }
      : detail.answeredBy,
  findingList: detail.findingList.slice(0, MOST).map((one) => findingRecord(one, mask)),
  note: mask.textOrNull(detail.noteText?.text ?? null),
})

export const faultRecords = (faults: readonly Fault[], mask: AnswerMask) => ({
  faults: faults.slice(0, MOST).map((one) => ({ ...one, filter: mask.formed(one.filter, FORMS.filter) })),
})

/** Forms of the values that findings quote; all other findings quote what may be personal. */
const QUOTED: { readonly [C in Code]?: RegExp } = {
  'document-id-not-uuid': FORMS.id,
  'status-not-integer': FORMS.number,
  'dgii-status': FORMS.number,
  'event-unknown': FORMS.event,
  'event-plugin': FORMS.event,
  'timestamp-not-date-time': FORMS.date,
  'timestamp-without-offset': FORMS.date,
  'timestamp-utc': FORMS.date,
  'method-not-documented': /^[A-Z-]{1,20}$/,
  'content-type': /^[\w.+/;= -]{1,80}$/,
  'json-unexpected': /^.{0,6}$/,
  'json-trailing': /^.{0,6}$/,
  'json-number': /^.{0,6}$/,
}

export function findingRecord(finding: Finding, mask: AnswerMask) {
  const { level, code, pointer, rule, line, column } = finding
  const shown = (name: string, value: string): string =>
    name !== 'found' || quotedForm(code)?.test(value.replace(/^"|"$/g, ''))
      ? mask.text(value)
      : mask.token(value)
  const params = Object.fromEntries(
    Object.entries(finding.params).map(([name, value]) => [
      name,
      typeof value === 'string' ? shown(name, value) : value,
    ]),
  )
  return {
    ...{
      level,
      code,
      pointer: mask.text(pointer),
      message: findingMessage({ ...finding, params }, 'en'),
      rule,
    },
    ...(line === undefined ? {} : { line, column }),
  }
}

const quotedForm = (code: string): RegExp | undefined => (isCode(code) ? QUOTED[code] : undefined)

export const documentRecord = (entry: DocumentEntry, mask: AnswerMask) => ({
  key: mask.formed(entry.key, FORMS.id),
  family: entry.family,
  number: mask.textOrNull(entry.number),
  party: mask.personal(entry.party),
  total: entry.total,
  currency: entry.currency,
  statusId: entry.statusId,
  lastKind: entry.lastKind,
  events: entry.events,
  recovered: entry.recovered,
  firstAt: utc(entry.firstAt),
  lastAt: utc(entry.lastAt),
  gaps: entry.gaps,
  verdict: entry.verdict,
})

export const lifeRecord = ({ entry, steps, more }: DocumentLife, mask: AnswerMask) => ({
  ...documentRecord(entry, mask),
  steps: steps.slice(0, MOST).map(({ row, changed, gap }) => ({
    delivery: row.id,
    receivedAt: utc(row.receivedAt),
    event: mask.formed(row.event, FORMS.event),
    verdict: row.verdict,
    marks: row.marks,
    gap,
    changed: changed.map(({ fact, before, after }) => ({
      fact,
      before: fact === 'party' ? mask.personal(before) : mask.textOrNull(before),
      after: fact === 'party' ? mask.personal(after) : mask.text(after),
    })),
  })),
  moreSteps: more + Math.max(0, steps.length - MOST),
})

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export const sweepRecord = (sweep: Sweep) => ({
  id: sweep.id,
  connection: sweep.connection,
  range: sweep.range,
  state: sweep.state,
  problems: sweep.problems.slice(0, MOST).map(({ code }) => code),
  startedAt: iso(sweep.startedAt),
  endedAt: iso(sweep.endedAt),
  documents: sweep.documents,
  counts: sweep.counts ?? null,
  imported: sweep.imported,
})

export const summaryRecord = (summary: ReconciliationSummary) => ({
  ...sweepRecord(summary.sweep),
  counts: summary.counts,
  missedEvents: summary.missedEvents,
  atStake: summary.atStake,
  notRecovered: summary.notRecovered,
  notReached: summary.notReached,
  sharedDifferences: summary.sharedDifferences.map(({ field }) => field),
})

export const comparedRecord = (row: DocumentRow, mask: AnswerMask) => ({
  key: mask.text(row.key),
  number: mask.textOrNull(row.number),
  party: mask.personal(row.party),
  total: row.total,
  class: row.class,
  issuedAt: row.issuedAt === null ? null : utc(row.issuedAt),
  missed: row.missed,
  rules: row.rules,
  cannotTell: row.cannotTell,
  differences: row.differences.map((field) => mask.text(field)),
  likelyReason: row.likelyReason,
  events: row.events,
  serviceStatus: row.serviceStatus,
})
