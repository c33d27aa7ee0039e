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
  /** Full date-times with offset, as sent. Treasury may leave both out. */
  from: dateTime.nullable(),
  to: dateTime.nullable(),
  documentTypeId: count.nullable(),
  /** 1 to 500. */
  pageSize: z.int().positive(),
}
const sweepRange = z.strictObject({ route, ...range })
export type SweepRange = Of<typeof sweepRange>
/** A range as it is asked for: of one route, or of both. */
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
  /** Why it is incomplete or failed; for a complete one empty. */
  problems: z.array(sweepProblem),
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  requests: count,
  retries: count,
  pages: count,
  /** Items received, repeated ones included, and documents among them. */
  items: count,
  documents: count,
  /** Issue date that the walk has reached, as sent by the service. */
  reached: z.string().nullable(),
  /** Of the items so far; null before the first. */
  mapping: itemMapping.nullable(),
  /** Documents of each class when it was compared last; absent before the first time. */
  counts: counts.exactOptional(),
})
export type Sweep = Of<typeof sweep>

export const classes = z.array(documentClass).min(1).max(CLASSES.length)
const rule = z.enum(MISS_RULES)
export type MissRule = Of<typeof rule>
const rowRule = z.enum(ROW_RULES)
export type RowRule = Of<typeof rowRule>
const likelyReason = z.enum(['voided', 'awaits-fiscal-validation'])

const missed = z.strictObject({
  /** Null when the item does not say which kind it would have been. */
  kind: kind.nullable(),
  rule,
  /** `possibly`: values differ, which an update explains but does not prove. */
  certainty: z.enum(['missed', 'possibly']),
})
export type Missed = Of<typeof missed>

/** One field that has another value on the other side. Texts are the sources as sent. */
const fieldDifference = z.strictObject({
  field: z.string(),
  captured: z.string().nullable(),
  service: z.string().nullable(),
  ignored: z.boolean(),
  /** Every document differs in it: another representation or meaning, which says nothing of this one. */
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

/** The answer to a question for one item. */
export const connectionTest = z.strictObject({
  ok: z.boolean(),
  status: count.nullable(),
  /** A sentence in English: the answer, and what to do where it is not well. The window makes its own of `problem`. */
  message: z.string(),
  /** Null where the service answered as it should. */
  problem: sweepProblem.nullable(),
  /** Items of the page; null when the answer was none. */
  items: count.nullable(),
  mapping: itemMapping.nullable(),
  /** First item as sent, at most 20,000 characters; or the beginning of a refusal's body. */
  sample: z.string().nullable(),
})
export type ConnectionTest = Of<typeof connectionTest>

export const documentRow = z.strictObject({
  /** Identity within the reconciliation: the document id in lower case; where there is none `number:` and the Number. */
  key: z.string(),
  documentId: z.string().nullable(),
  ...documentFacts,
  class: documentClass,
  issuedAt: micros.nullable(),
  missed: z.array(missed),
  /** Why it is in its class; empty for a matched document only. */
  rules: z.array(rowRule),
  cannotTell: z.array(rule),
  /** Fields that differ, without those that are ignored or in which every document differs. */
  differences: z.array(z.string()),
  likelyReason: likelyReason.nullable(),
  /** Webhook only because it was issued after the sweep began: the service could not list it when it was asked. */
  issuedSince: z.boolean(),
  /** Captured events of it, in order; synthetic ones left out. */
  events: z.array(kind),
  /** Of the latest captured event that has one; digits as sent. */
  capturedTotal: z.string().nullable(),
  capturedStatus: z.number().nullable(),
  serviceStatus: z.number().nullable(),
  note: z.string().nullable(),
  ignored: z.string().nullable(),
  /** The latest successful attempt of a rebuilt event of it; `at` in microseconds since the epoch. */
  recovered: z.strictObject({ at: micros, status: count }).nullable(),
})
export type DocumentRow = Of<typeof documentRow>

/** Clues to why an event was missed; none of them proves it. */
const evidence = z.discriminatedUnion('type', [
  /** Acuse was not listening at that time. */
  z.strictObject({ type: z.literal('coverage'), spans: z.array(coverageSpan) }),
  /** Rejected or malformed deliveries whose bytes name the document or its number. */
  z.strictObject({ type: z.literal('lookalike'), deliveries: z.array(deliveryRow) }),
  /** The endpoint answered other than 2xx around that time. */
  z.strictObject({ type: z.literal('answers'), status: count, count }),
  z.strictObject({ type: z.literal('duplicates'), deliveries: z.array(deliveryRow) }),
  /** So many deliveries that arrived around that time were deleted here since. */
  z.strictObject({ type: z.literal('deleted'), count }),
])
export type Evidence = Of<typeof evidence>

/** One document in full: captured life at the left, the service's record at the right. */
export const documentComparison = z.strictObject({
  row: documentRow,
  differences: z.array(fieldDifference),
  /** Every captured delivery of it, synthetic ones included (marked), in order of arrival. */
  deliveries: z.array(deliveryRow),
  /** The sync item byte for byte as text; null when the service does not list it. */
  item: z.string().nullable(),
  /** The same of the other route, where that was swept too. */
  otherItem: z.string().nullable(),
  mapping: itemMapping.nullable(),
  /** What Acuse knows about the time at which each missed event should have arrived. */
  evidence: z.array(evidence),
})
export type DocumentComparison = Of<typeof documentComparison>

export const summary = z.strictObject({
  sweep,
  /** When the two sides were compared. */
  comparedAt: epochMs,
  counts,
  /** Missed events by kind; `unknown` where the item does not say which. */
  missedEvents: z.partialRecord(z.union([kind, z.literal('unknown')]), count),
  /** Sum of the totals of documents still missing, exact, by currency. */
  atStake: z.array(z.strictObject({ currency: z.string(), amount: z.string(), documents: count })),
  /** Issue dates of the first and last document still missing, microseconds. */
  firstMissing: micros.nullable(),
  lastMissing: micros.nullable(),
  /** By day of issue in the connection's zone, `2026-10-05`. */
  days: z.array(z.strictObject({ day: z.string(), counts })),
  /** Missing documents ignored with a reason; they stay in `counts`. */
  ignored: count,
  /** Documents with an event missed for certain that no target took as a rebuilt one, and that are not ignored. */
  notRecovered: count,
  /** Captured documents of issue dates that the sweep did not list whole: in no class, since the service may list them. */
  notReached: count,
  /** These issue dates, microseconds since the epoch, both ends included; rising, at most UNREACHED_SAID. */
  unreached: z.array(z.strictObject({ from: micros, to: micros })),
  /** Fields in which every document differs, said once, with the values of one document as sent. */
  sharedDifferences: z.array(sharedDifference),
  /** No captured event carries any of the service's ids, so documents were joined by Number. Absent: they do. */
  joinedByNumber: z.boolean().exactOptional(),
  /** Captured deliveries that were still waiting for their analysis; what seems missed may be among them. Absent: none. */
  unjudged: count.exactOptional(),
})
export type ReconciliationSummary = Of<typeof summary>

export type SweepDifference = (typeof SWEEP_DIFFERENCES)[number]
const swept = z.strictObject({ sweep, counts })
/** Two sweeps of one connection and route, each compared with what was captured by its own end. */
export const sweepComparison = z.strictObject({
  earlier: swept,
  later: swept,
  changes: z.record(z.enum(SWEEP_DIFFERENCES), count),
  /** Documents missing in both, and how many of these were recovered by now. */
  stillMissing: count,
  stillMissingRecovered: count,
  /** Documents that only one of the two lists. */
  listedEarlierOnly: count,
  listedLaterOnly: count,
  /** By kind of change, then in order of issue date; at most SWEEP_DIFFERENCES_SAID of each kind. */
  rows: z.array(
    z.strictObject({
      difference: z.enum(SWEEP_DIFFERENCES),
      /** Null: not part of that sweep. */
      before: documentClass.nullable(),
      after: documentClass.nullable(),
      /** As the later sweep tells it, else the earlier one. */
      row: documentRow,
    }),
  ),
})
export type SweepComparison = Of<typeof sweepComparison>

export const recovery = z.strictObject({
  events: count,
  documents: count,
  /** Synthetic deliveries made, from the first to the last id; null with `dryRun`. */
  ids: z.strictObject({ first: id, last: id }).nullable(),
  /** Documented fields that the items lack, with how many events lack them. */
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
  /** A sentence in English: what the specification says about this answer, or why none came. */
  message: z.string(),
  error: attemptError.nullable(),
  /** Microseconds from the first step of sending. */
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
  /** Shows the names of customers and suppliers, which are masked when this is left out. */
  unmask: z.boolean().exactOptional(),
})
export type ReportParams = Of<typeof reportParams>
export const reportFile = z.strictObject({
  text: z.string(),
  /** What the file is to be called; safe in every file system. */
  name: z.string(),
  mediaType: z.string(),
  /** Documents that it lists one by one. */
  listed: count,
  /** Documents beyond MOST_LISTED, which it counts and does not list. */
  unlisted: count,
})
export type ReportFile = Of<typeof reportFile>
