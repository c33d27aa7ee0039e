import { z } from 'zod'
import { itemMapping } from './connection.ts'
import { deliveryRow, documentFacts, header } from './delivery.ts'
import { count, epochMs, id, kind, micros, type Of, words } from './params.ts'
import { attemptError } from './replay.ts'
import { coverageSpan } from './status.ts'
import {
  CLASSES,
  MISS_RULES,
  REPORT_FORMATS,
  REPORT_LANGUAGES,
  ROUTE_CHOICES,
  ROW_RULES,
  SWEEP_DIFFERENCES,
  SWEEP_PROBLEMS,
  SWEEP_STATES,
  SYNC_ROUTES,
} from './values.ts'

export const route = z.enum(SYNC_ROUTES)
export type SyncRoute = Of<typeof route>
export type RouteChoice = (typeof ROUTE_CHOICES)[number]

const dateTime = z.string().max(60)
const range = {
  /** Date-times with offset, as sent. Treasury may omit both. */
  from: dateTime.nullable(),
  to: dateTime.nullable(),
  documentTypeId: count.nullable(),
  /** 1 to 500. */
  pageSize: z.int().positive(),
}
const sweepRange = z.strictObject({ route, ...range })
export type SweepRange = Of<typeof sweepRange>
/** A requested range, for one route or both. */
export const sweepRequest = z.strictObject({ route: z.enum(ROUTE_CHOICES), ...range })
export type SweepRequest = Of<typeof sweepRequest>

export type SweepState = (typeof SWEEP_STATES)[number]
const sweepProblem = z.strictObject({ code: z.enum(SWEEP_PROBLEMS), message: z.string(), params: words })
export type SweepProblem = Of<typeof sweepProblem>

const documentClass = z.enum(CLASSES)
export type DocumentClass = Of<typeof documentClass>
const counts = z.record(documentClass, count)

/** One walk over a sync route. */
export const sweep = z.strictObject({
  id,
  connection: z.string(),
  range: sweepRange,
  state: z.enum(SWEEP_STATES),
  /** Why the sweep is incomplete or failed; empty for a complete one. */
  problems: z.array(sweepProblem),
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  requests: count,
  retries: count,
  pages: count,
  /** Items received, including repeated ones, and the distinct documents among them. */
  items: count,
  documents: count,
  /** Issue date reached so far, as the service sent it. */
  reached: z.string().nullable(),
  /** Mapping found in the items so far; null before the first. */
  mapping: itemMapping.nullable(),
  /** Documents per class at the last comparison; absent before the first. */
  counts: counts.exactOptional(),
  /** Another Acuse made it; a session file brought it here. */
  imported: z.boolean(),
})
export type Sweep = Of<typeof sweep>

export const classes = z.array(documentClass).min(1).max(CLASSES.length)
const rule = z.enum(MISS_RULES)
export type MissRule = Of<typeof rule>
const rowRule = z.enum(ROW_RULES)
export type RowRule = Of<typeof rowRule>
const likelyReason = z.enum(['voided', 'awaits-fiscal-validation'])

const missed = z.strictObject({
  /** Null when the item does not reveal the kind. */
  kind: kind.nullable(),
  rule,
  /** `possibly`: values differ, which a missed update would explain but does not prove. */
  certainty: z.enum(['missed', 'possibly']),
})
export type Missed = Of<typeof missed>

/** A field whose value differs between the two sides. Texts are the JSON sources as sent. */
const fieldDifference = z.strictObject({
  field: z.string(),
  captured: z.string().nullable(),
  service: z.string().nullable(),
  ignored: z.boolean(),
  /** The field differs in every document, so the difference says nothing about this one. */
  shared: z.boolean(),
})
export type FieldDifference = Of<typeof fieldDifference>

/** A field whose values differ in every document that has it on both sides. */
const sharedDifference = z.strictObject({
  field: z.string(),
  documents: count,
  captured: z.string().nullable(),
  service: z.string().nullable(),
})
export type SharedDifference = Of<typeof sharedDifference>

/** Result of requesting one item from the service. */
export const connectionTest = z.strictObject({
  ok: z.boolean(),
  status: count.nullable(),
  /** English sentence: the answer, and what to do if it is not as expected. The window builds its own sentence from `problem`. */
  message: z.string(),
  /** Null when the service answered as expected. */
  problem: sweepProblem.nullable(),
  /** Number of items on the page; null without a usable answer. */
  items: count.nullable(),
  mapping: itemMapping.nullable(),
  /** First item as sent, at most 20,000 characters; for a refusal, the beginning of its body. */
  sample: z.string().nullable(),
})
export type ConnectionTest = Of<typeof connectionTest>

export const documentRow = z.strictObject({
  /** Identity within the reconciliation: the document id in lower case, or `number:` and the Number when there is no id. */
  key: z.string(),
  documentId: z.string().nullable(),
  ...documentFacts,
  class: documentClass,
  issuedAt: micros.nullable(),
  missed: z.array(missed),
  /** Why the document is in its class; empty only for matched documents. */
  rules: z.array(rowRule),
  cannotTell: z.array(rule),
  /** Names of differing fields, except ignored fields and those that differ in every document. */
  differences: z.array(z.string()),
  likelyReason: likelyReason.nullable(),
  /** True when the document was issued after the sweep began, so the service could not list it: the reason for "webhook only". */
  issuedSince: z.boolean(),
  /** Kinds of its captured events, in order, without synthetic ones. */
  events: z.array(kind),
  /** From the latest captured event that has a total; digits as sent. */
  capturedTotal: z.string().nullable(),
  capturedStatus: z.number().nullable(),
  serviceStatus: z.number().nullable(),
  note: z.string().nullable(),
  ignored: z.string().nullable(),
  /** Latest successful attempt to send a rebuilt event of this document; `at` in microseconds since the epoch. */
  recovered: z.strictObject({ at: micros, status: count }).nullable(),
})
export type DocumentRow = Of<typeof documentRow>

/** Clues, not proof, of why an event was missed. */
const evidence = z.discriminatedUnion('type', [
  /** Acuse was not listening at that time. */
  z.strictObject({ type: z.literal('coverage'), spans: z.array(coverageSpan) }),
  /** Rejected or malformed deliveries whose bytes contain the document id or number. */
  z.strictObject({ type: z.literal('lookalike'), deliveries: z.array(deliveryRow) }),
  /** The endpoint answered with a status other than 2xx around that time. */
  z.strictObject({ type: z.literal('answers'), status: count, count }),
  z.strictObject({ type: z.literal('duplicates'), deliveries: z.array(deliveryRow) }),
  /** Number of deliveries from around that time that were deleted since. */
  z.strictObject({ type: z.literal('deleted'), count }),
])
export type Evidence = Of<typeof evidence>

/** One document in full: its captured deliveries on the left, the service's record on the right. */
export const documentComparison = z.strictObject({
  row: documentRow,
  differences: z.array(fieldDifference),
  /** All captured deliveries of the document, including synthetic ones (marked), in order of arrival. */
  deliveries: z.array(deliveryRow),
  /** Text of the sync item, byte for byte; null when the service does not list it. */
  item: z.string().nullable(),
  /** Item of the other route, when that was swept too. */
  otherItem: z.string().nullable(),
  mapping: itemMapping.nullable(),
  /** Evidence from the time at which each missed event should have arrived. */
  evidence: z.array(evidence),
})
export type DocumentComparison = Of<typeof documentComparison>

export const summary = z.strictObject({
  sweep,
  /** When the two sides were compared. */
  comparedAt: epochMs,
  counts,
  /** Missed events by kind; `unknown` when the item does not reveal the kind. */
  missedEvents: z.partialRecord(z.union([kind, z.literal('unknown')]), count),
  /** Exact sum of the totals of documents still missing, by currency. */
  atStake: z.array(z.strictObject({ currency: z.string(), amount: z.string(), documents: count })),
  /** Issue dates of the first and last document still missing, microseconds. */
  firstMissing: micros.nullable(),
  lastMissing: micros.nullable(),
  /** Counts per issue date in the connection's zone, such as `2026-10-05`. */
  days: z.array(z.strictObject({ day: z.string(), counts })),
  /** Missing documents that the user ignored with a reason; `counts` includes them. */
  ignored: count,
  /** Documents with a certainly missed event that no target accepted as a rebuilt one, without ignored documents. */
  notRecovered: count,
  /** Captured documents whose issue dates the sweep did not fully list. They have no class, since the service may list them. */
  notReached: count,
  /** The issue dates not fully listed: microseconds since the epoch, both ends included, ascending; at most UNREACHED_SAID. */
  unreached: z.array(z.strictObject({ from: micros, to: micros })),
  /** Fields that differ in every document, reported once, with the values of one document as sent. */
  sharedDifferences: z.array(sharedDifference),
  /** True when no captured event has any of the service's ids, so that documents were joined by Number. Absent: false. */
  joinedByNumber: z.boolean().exactOptional(),
  /** Captured deliveries not yet analysed, which may include events that seem missed. Absent: none. */
  unjudged: count.exactOptional(),
})
export type ReconciliationSummary = Of<typeof summary>

export type SweepDifference = (typeof SWEEP_DIFFERENCES)[number]
const swept = z.strictObject({ sweep, counts })
/** Two sweeps of one connection and route, each compared with the deliveries captured by its own end. */
export const sweepComparison = z.strictObject({
  earlier: swept,
  later: swept,
  changes: z.record(z.enum(SWEEP_DIFFERENCES), count),
  /** Documents missing in both sweeps, and how many of them are recovered by now. */
  stillMissing: count,
  stillMissingRecovered: count,
  /** Documents listed by one of the two sweeps only. */
  listedEarlierOnly: count,
  listedLaterOnly: count,
  /** By kind of change, then by issue date; at most SWEEP_DIFFERENCES_SAID per kind. */
  rows: z.array(
    z.strictObject({
      difference: z.enum(SWEEP_DIFFERENCES),
      /** Null when the document is not in that sweep. */
      before: documentClass.nullable(),
      after: documentClass.nullable(),
      /** From the later sweep if it has the document, else from the earlier one. */
      row: documentRow,
    }),
  ),
})
export type SweepComparison = Of<typeof sweepComparison>

export const recovery = z.strictObject({
  events: count,
  documents: count,
  /** First and last id of the synthetic deliveries; null with `dryRun`. */
  ids: z.strictObject({ first: id, last: id }).nullable(),
  /** Documented fields missing from the items, and the number of events without them. */
  absent: z.array(z.strictObject({ kind, field: z.string(), events: count })),
  left: z.array(
    z.strictObject({
      reason: z.enum([
        'kind-unknown',
        'no-document-id',
        'only-possibly-missed',
        'already-rebuilt',
        'ignored',
        'invalid',
        'nothing-missed',
      ]),
      documents: count,
    }),
  ),
})
export type Recovery = Of<typeof recovery>

export const publishAnswer = z.strictObject({
  ok: z.boolean(),
  status: count.nullable(),
  /** English sentence: what the specification says about this answer, or why there was none. */
  message: z.string(),
  error: attemptError.nullable(),
  /** Microseconds since sending began. */
  tookUs: count,
  headers: z.array(header),
  /** At most 20,000 characters. */
  body: z.string(),
})
export type PublishAnswer = Of<typeof publishAnswer>

export type ReportFormat = (typeof REPORT_FORMATS)[number]
export const reportParams = z.strictObject({
  sweep: id,
  format: z.enum(REPORT_FORMATS),
  language: z.enum(REPORT_LANGUAGES),
  /** Shows names of customers and suppliers; they are masked by default. */
  unmask: z.boolean().exactOptional(),
})
export type ReportParams = Of<typeof reportParams>
export const reportFile = z.strictObject({
  text: z.string(),
  /** Suggested file name, safe on every file system. */
  name: z.string(),
  mediaType: z.string(),
  /** Number of documents listed individually. */
  listed: count,
  /** Number of documents beyond MOST_LISTED, which are only counted. */
  unlisted: count,
})
export type ReportFile = Of<typeof reportFile>
