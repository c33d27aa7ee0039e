import { z } from 'zod'
import { annotationCommands } from './annotations.ts'
import { driftFact } from './drift.ts'
import { answeredBy } from './faults.ts'
import { ordered, sort } from './order.ts'
import {
  count,
  defineCommand,
  defineQuery,
  defineReading,
  epochMs,
  filter,
  group,
  id,
  instant,
  kind,
  limit,
  micros,
  nothing,
  type Of,
  origin,
  words,
} from './params.ts'
import { ATTEMPT_STATES, COPY_FORMS, COUNTED_FIELDS, LEVELS, MALFORMED, MARKS, VERDICTS } from './values.ts'

export const verdict = z.enum(VERDICTS)
export type Verdict = Of<typeof verdict>
export type Level = (typeof LEVELS)[number]
export type Malformed = (typeof MALFORMED)[number]
export type Mark = (typeof MARKS)[number]

/** One result of a check. Its sentence is rendered from `code` and `params` by core/checks/messages. */
const finding = z.strictObject({
  level: z.enum(LEVELS),
  /** Stable, kebab-case; users filter and script by it. */
  code: z.string(),
  /** RFC 6901 pointer into the body, naming the member meant even when it is absent. */
  pointer: z.string(),
  /** Values for the sentence: the expected and the found one (shortened), names. Plain text, never markup. */
  params: words,
  /** Section of the specification or of docs/spec/readings.md on which the rule is based. */
  rule: z.string(),
  /** 1-based line and column in the decoded body, when known. Columns count UTF-16 code units. */
  line: count.exactOptional(),
  column: count.exactOptional(),
})
export type Finding = Of<typeof finding>

export const documentFacts = {
  number: z.string().nullable(),
  party: z.string().nullable(),
  /** Digits as sent. */
  total: z.string().nullable(),
  currency: z.string().nullable(),
}

/** A row of the delivery list, kept small. Everything that analysis derives is null until analysis has run. */
export const deliveryRow = z.strictObject({
  /** Rises in order of arrival; never reused. */
  id,
  receivedAt: micros,
  /** Name of the endpoint at the time of arrival. */
  endpoint: z.string(),
  method: z.string(),
  /** Request target as received, with credentials masked. */
  url: z.string(),
  /** Bytes of the body as received, before any decoding. */
  size: count,
  /** Status of the answer; null when no answer could be sent. */
  answer: count.nullable(),
  /** Microseconds from the arrival of the request's head until the answer went to the socket; null when unknown (after a crash). */
  tookUs: count.nullable(),
  rejected: z.boolean(),
  malformed: z.enum(MALFORMED).nullable(),
  /** `Event` as sent (at most 200 characters), even when it is not one of the 28. */
  event: z.string().nullable(),
  kind: kind.nullable(),
  group: group.nullable(),
  documentId: z.string().nullable(),
  number: z.string().nullable(),
  statusId: z.number().nullable(),
  timestamp: z.string().nullable(),
  verdict: verdict.nullable(),
  findings: count,
  marks: z.array(z.enum(MARKS)),
  /** Number of attempts to send it to a target, successful or not. */
  attempts: count,
  /** The latest attempt. `ok` follows the job's rule, by default a 2xx; null while the attempt runs or when its outcome is unknown. */
  lastAttempt: z
    .strictObject({ state: z.enum(ATTEMPT_STATES), status: count.nullable(), ok: z.boolean().nullable() })
    .nullable(),
  /** Whether the delivery has a note; `noteText` of the detail has its text. */
  note: z.boolean(),
  /** In lower case, sorted. */
  tags: z.array(z.string()),
  /** Facts of its document, from this event or else from another event of the document; null when the event concerns no document. */
  document: z.strictObject(documentFacts).nullable(),
})
export type DeliveryRow = Of<typeof deliveryRow>

export const header = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** True when the value is a secret; `value` is then a description of it. */
  masked: z.boolean(),
})
export type Header = Of<typeof header>

const deliveryDetail = deliveryRow.extend({
  httpVersion: z.string(),
  remoteAddress: z.string(),
  remotePort: count,
  /** Bytes of the body that were kept: fewer than `size` when it was truncated. */
  bodyKept: count,
  /** From the arrival of the head to the end of the body, in microseconds. */
  receivingUs: count,
  headers: z.array(header),
  trailers: z.array(header),
  /** Null: the endpoint itself answered. */
  answeredBy: answeredBy.nullable(),
  answered: z.strictObject({ headers: z.array(header), bodyBase64: z.string() }).nullable(),
  /** At most FINDINGS_KEPT; `findings` has the full count. */
  findingList: z.array(finding),
  /** `author`: who wrote it, where a team shares notes; null: this data folder. */
  noteText: z.strictObject({ text: z.string(), at: epochMs, author: z.string().nullable() }).nullable(),
  /** What this delivery was the first to show, by place; empty while Acuse is learning the kind. */
  drift: z.array(driftFact),
  /** Content-Encoding codings that the decoded view removes, outermost last; empty for a plain body. */
  codings: z.array(z.string()),
})
export type DeliveryDetail = Of<typeof deliveryDetail>

/** A slice of a body. `decoded`: with Content-Encoding removed, within limits; `raw`: the bytes as received. */
export const bodySlice = z.strictObject({
  bytesBase64: z.string(),
  /** Total bytes of the requested view. */
  total: count,
  /** Why the requested view cannot be given (a coding failed or exceeded its limit); `bytesBase64` is then empty. */
  problem: z.string().nullable(),
})
export type BodySlice = Of<typeof bodySlice>
export const slice = { from: count, length: z.int().min(1).max(8_388_608) }

/**
 * Progress of a filter that no index answers. The search continues as long as the client polls at least every two seconds. Without polls it
 * stops; a later query resumes it.
 */
export const searching = z.strictObject({
  /** Number of ids scanned, out of `of`. */
  scanned: count,
  of: count,
})
export type Searching = Of<typeof searching>

/** A page of the deliveries that `filter` selects. Positions count from the oldest, so new arrivals never shift them. */
const pageParams = z.strictObject({
  filter,
  /** Position of the first row, 0 being the oldest; `newest` asks for the last `limit` rows. */
  from: z.union([z.literal('newest'), count]),
  limit,
  /** Default: by arrival. */
  sort: sort.exactOptional(),
})
export type PageParams = Of<typeof pageParams>
const page = z.strictObject({
  /** By ascending position: in order of arrival unless `sort` was given. */
  rows: z.array(deliveryRow),
  /** Position of rows[0] in the set. */
  from: count,
  total: count,
  /** Present while the search runs: there may be more members than `total`, all older than those found so far. */
  searching: searching.exactOptional(),
  /** Present only when `sort` was given. */
  ordered: ordered.exactOptional(),
})
export type Page = Of<typeof page>

const rows = z.strictObject({ rows: z.array(deliveryRow) })
const ids = z.array(id).min(1).max(1_000)
const changed = z.strictObject({ changed: count })

const filterCounts = z.strictObject({
  /** Most frequent first; `none` counts deliveries without a value. */
  counts: z.array(z.strictObject({ value: z.string(), count })),
  /** False when only the newest deliveries were counted, so that each count is a lower bound. */
  exact: z.boolean(),
})
export type FilterCounts = Of<typeof filterCounts>
export type CountedField = (typeof COUNTED_FIELDS)[number]

/** What a retention rule would delete or has deleted. Pinned deliveries are exempt and counted separately. */
const retentionOutcome = z.strictObject({
  deliveries: count,
  /** Bytes of headers and bodies. */
  bytes: count,
  pinnedExempt: count,
  /** Arrival of the oldest and the newest delivery concerned, microseconds; null when there are none. */
  oldest: micros.nullable(),
  newest: micros.nullable(),
  /** Trashed deliveries that are deleted too. */
  trash: z.strictObject({ deliveries: count, bytes: count }),
})
export type RetentionOutcome = Of<typeof retentionOutcome>
const retention = z
  .strictObject({
    keepNewest: count.exactOptional(),
    /** Delete deliveries that arrived before this instant, milliseconds since the epoch. */
    before: instant.exactOptional(),
    /** Delete the oldest until this many bytes of headers and bodies are free. */
    freeBytes: z.int().positive().exactOptional(),
  })
  .refine(
    (r) => [r.keepNewest, r.before, r.freeBytes].filter((v) => v !== undefined).length === 1,
    'give exactly one of keepNewest, before, freeBytes',
  )
export type RetentionParams = Of<typeof retention>

const trashParams = z
  .strictObject({
    /** Pinned deliveries named here are trashed too. */
    ids: z.array(id).min(1).max(100_000).exactOptional(),
    /** Trashes every delivery that matches, except pinned ones. */
    filter: filter.exactOptional(),
    /** Only with `filter`: leaves deliveries newer than this id, such as the newest one on screen when the user decided. */
    upTo: id.exactOptional(),
  })
  .refine(
    (given) => (given.ids === undefined) !== (given.filter === undefined),
    'give exactly one of ids and filter',
  )
  .refine((given) => given.ids === undefined || given.upTo === undefined, 'give upTo with a filter only')
const trashOutcome = z.strictObject({
  /** Batch id for `deliveries.restore`; null when nothing was deleted. */
  batch: id.nullable(),
  deliveries: count,
  bytes: count,
  /** Pinned deliveries that match the filter and were left. */
  pinnedExempt: count,
})
export type TrashOutcome = Of<typeof trashOutcome>
const trashBatch = z.strictObject({
  batch: id,
  at: epochMs,
  /** Null when single deliveries were chosen. */
  filter: z.string().nullable(),
  deliveries: count,
  bytes: count,
  /** Arrival of the oldest and the newest delivery in the batch, microseconds. */
  oldest: micros,
  newest: micros,
  /** When Acuse deletes the batch for good. */
  emptiedAt: epochMs,
})
export type TrashBatch = Of<typeof trashBatch>

export const deliveryCommands = {
  ...annotationCommands,
  'deliveries.page': defineReading('A page of the deliveries that a filter selects.', pageParams, page),
  'deliveries.scan': defineReading(
    'Rows with an id beyond `after` in order of arrival (or before it, newest first, with `newest`), for streaming the whole set.',
    z.strictObject({
      filter,
      after: count.nullable(),
      limit,
      newest: z.boolean().exactOptional(),
      /** Shows credentials in request targets. */
      reveal: z.boolean().exactOptional(),
    }),
    rows,
  ),
  'deliveries.locate': defineQuery(
    'The position of a delivery in the set: how many precede it, and whether it belongs to the set.',
    z.strictObject({ filter, id, sort: sort.exactOptional() }),
    z.strictObject({ position: count, member: z.boolean() }),
  ),
  'deliveries.at': defineQuery(
    'The position of the first delivery at or after an instant (milliseconds), or of the last one before it. `id` and `receivedAt` (microseconds) are null when the set is empty.',
    z.strictObject({ filter, instant, sort: sort.exactOptional() }),
    z.strictObject({
      position: count,
      id: id.nullable(),
      receivedAt: micros.nullable(),
      searching: searching.exactOptional(),
    }),
  ),
  'deliveries.summary': defineQuery(
    'Counts by verdict of the deliveries that a filter selects.',
    z.strictObject({ filter }),
    z.strictObject({
      total: count,
      verdicts: z.record(z.enum([...VERDICTS, 'unjudged']), count),
      searching: searching.exactOptional(),
    }),
  ),
  'deliveries.get': defineReading(
    'One delivery without its body. Secrets are masked unless `reveal`.',
    z.strictObject({ id, reveal: z.boolean().exactOptional() }),
    deliveryDetail,
  ),
  'deliveries.body': defineReading(
    'Bytes of a body. `reveal` shows credentials in the head of what was no HTTP; the body of a request is always given as it is.',
    z.strictObject({
      id,
      view: z.enum(['raw', 'decoded']),
      ...slice,
      reveal: z.boolean().exactOptional(),
    }),
    bodySlice,
  ),
  'deliveries.rows': defineReading(
    'Rows of those ids that exist, in the order of the ids.',
    z.strictObject({ ids }),
    rows,
  ),
  'deliveries.copy': defineReading(
    'Deliveries written out for another program, in the order of the ids. An answer is bounded: `taken` counts the ids in it; ask for the rest again. Secrets are masked unless `reveal`.',
    z.strictObject({
      ids,
      as: z.enum(COPY_FORMS),
      /** Origin to which `curl` sends, without a path; default: the host named in the delivery. */
      base: origin.exactOptional(),
      reveal: z.boolean().exactOptional(),
    }),
    /** `tooLong`: number of taken deliveries whose body exceeds the limit of a copy; their text says so in its place. */
    z.strictObject({ texts: z.array(z.string()), taken: count, tooLong: count }),
  ),
  'deliveries.pin': defineCommand(
    'Pins deliveries, or unpins them. Retention keeps pinned ones.',
    z.strictObject({ ids: z.array(id).max(10_000), pinned: z.boolean() }),
    changed,
  ),
  'deliveries.settled': defineReading(
    'Waits until analysis has caught up with what is stored now, at most `timeoutMs`; says how many still wait.',
    z.strictObject({ timeoutMs: z.int().min(0).max(60_000) }),
    z.strictObject({ unjudged: count }),
  ),
  'deliveries.trash': defineCommand(
    'Takes deliveries out of every list at once. For a day they can be restored.',
    trashParams,
    trashOutcome,
  ),
  'deliveries.restore': defineCommand(
    'Puts deleted deliveries back under their ids, with their notes, tags and pins.',
    z.strictObject({ batch: id }),
    z.strictObject({ deliveries: count }),
  ),
  'trash.list': defineQuery(
    'Deletions that can be restored, newest first.',
    nothing,
    z.strictObject({ batches: z.array(trashBatch) }),
  ),
  'trash.empty': defineCommand(
    'Deletes for good; everything when no batch is named.',
    z.strictObject({ batch: id.exactOptional() }),
    z.strictObject({ deliveries: count, bytes: count }),
  ),
  'retention.preview': defineReading('What a rule of retention would delete.', retention, retentionOutcome),
  'retention.apply': defineCommand(
    'Deletes for good what a rule of retention selects, and the trash.',
    retention,
    retentionOutcome,
  ),
  'filter.counts': defineQuery(
    'How often each value of a field occurs among the deliveries that a filter selects.',
    z.strictObject({ field: z.enum(COUNTED_FIELDS), filter }),
    filterCounts,
  ),
}
