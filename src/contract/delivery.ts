import { z } from 'zod'
import { annotationCommands } from './annotations.ts'
import { driftFact } from './drift.ts'
import { answeredBy } from './faults.ts'
import { ordered, sort } from './order.ts'
import {
  count,
  defineCommand,
  defineQuery,
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
  /** Section of the specification or of docs/spec/readings.md that the rule rests on. */
  rule: z.string(),
  /** 1-based place in the decoded body, where it is known. Columns count UTF-16 code units. */
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

/** One narrow row of the list. Everything that analysis derives is null until it has run. */
export const deliveryRow = z.strictObject({
  /** Order of arrival; never reused. */
  id,
  receivedAt: micros,
  /** Name of the endpoint at the time. */
  endpoint: z.string(),
  method: z.string(),
  /** Raw request target as received, with credentials in it masked. */
  url: z.string(),
  /** Body bytes as received, before any decoding. */
  size: count,
  /** Status answered; null when nothing could be answered. */
  answer: count.nullable(),
  /** From the head's arrival to the answer handed to the socket; null when unknown (a crash in between). */
  tookUs: count.nullable(),
  rejected: z.boolean(),
  malformed: z.enum(MALFORMED).nullable(),
  /** `Event` as sent (at most 200 characters), also when it is none of the 28. */
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
  /** How often Acuse sent it to a target, successful or not. */
  attempts: count,
  /** The latest of them: `ok` by the job's rule, else a 2xx; null while it is sent and when its outcome is unknown. */
  lastAttempt: z
    .strictObject({ state: z.enum(ATTEMPT_STATES), status: count.nullable(), ok: z.boolean().nullable() })
    .nullable(),
  /** Whether it has a note; the text is in the detail. */
  note: z.boolean(),
  /** In lower case, sorted. */
  tags: z.array(z.string()),
  /** Of its document, as this event states it, else as another event of the document does; null where it is about none. */
  document: z.strictObject(documentFacts).nullable(),
})
export type DeliveryRow = Of<typeof deliveryRow>

export const header = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** True when the value is a secret and was replaced by a description of it. */
  masked: z.boolean(),
})
export type Header = Of<typeof header>

const deliveryDetail = deliveryRow.extend({
  httpVersion: z.string(),
  remoteAddress: z.string(),
  remotePort: count,
  /** Bytes of the body that are kept: less than `size` where it was cut. */
  bodyKept: count,
  /** From the head's arrival to the end of the body. */
  receivingUs: count,
  headers: z.array(header),
  trailers: z.array(header),
  /** Null: the endpoint itself. */
  answeredBy: answeredBy.nullable(),
  answered: z.strictObject({ headers: z.array(header), bodyBase64: z.string() }).nullable(),
  /** At most FINDINGS_KEPT; `findings` has the full count. */
  findingList: z.array(finding),
  noteText: z.strictObject({ text: z.string(), at: epochMs }).nullable(),
  /** What it showed first, by place; nothing while its kind is being learned. */
  drift: z.array(driftFact),
  /** Content-Encoding codings that the decoded view undoes, outermost last; empty when the body is plain. */
  codings: z.array(z.string()),
})
export type DeliveryDetail = Of<typeof deliveryDetail>

/** A slice of a body. `decoded` undoes Content-Encoding within limits; `raw` is byte for byte as received. */
export const bodySlice = z.strictObject({
  bytesBase64: z.string(),
  /** Total bytes of the asked view. */
  total: count,
  /** Set when the asked view cannot be given (a coding failed, or its limit was passed); `bytesBase64` is then empty. */
  problem: z.string().nullable(),
})
export type BodySlice = Of<typeof bodySlice>
export const slice = { from: count, length: z.int().min(1).max(8_388_608) }

/**
 * How far the members are known of a filter that no index answers. The search goes on while a client asks again within two seconds; one
 * that stops asking cancels it, and a later question goes on where it stood.
 */
export const searching = z.strictObject({
  /** Ids looked at, of all there are. */
  scanned: count,
  of: count,
})
export type Searching = Of<typeof searching>

/** A page of the set that `filter` selects, addressed from its oldest member, so that arrivals never move a position. */
const pageParams = z.strictObject({
  filter,
  /** Position of the first row wanted, 0 being the oldest; `newest` asks for the last `limit` rows. */
  from: z.union([z.literal('newest'), count]),
  limit,
  /** Absent: by arrival. */
  sort: sort.exactOptional(),
})
export type PageParams = Of<typeof pageParams>
const page = z.strictObject({
  /** From the lowest position up: in order of arrival, unless another order was asked for. */
  rows: z.array(deliveryRow),
  /** Position of rows[0] in the set. */
  from: count,
  total: count,
  /** There may be more members than `total`, all older than those found; absent when all are known. */
  searching: searching.exactOptional(),
  /** Only when an order was asked for. */
  ordered: ordered.exactOptional(),
})
export type Page = Of<typeof page>

const rows = z.strictObject({ rows: z.array(deliveryRow) })
const ids = z.array(id).min(1).max(1_000)
const changed = z.strictObject({ changed: count })

const filterCounts = z.strictObject({
  /** The most frequent first; `none` stands for deliveries that have no such value. */
  counts: z.array(z.strictObject({ value: z.string(), count })),
  /** False: counted among the newest deliveries only, so each count is the least it can be. */
  exact: z.boolean(),
})
export type FilterCounts = Of<typeof filterCounts>
export type CountedField = (typeof COUNTED_FIELDS)[number]

/** What would go, or went. Pinned deliveries are exempt and counted apart. */
const retentionOutcome = z.strictObject({
  deliveries: count,
  /** Bytes of headers and bodies. */
  bytes: count,
  pinnedExempt: count,
  /** Arrival of the oldest and newest of them, microseconds; null when there are none. */
  oldest: micros.nullable(),
  newest: micros.nullable(),
  /** What lies in the trash goes with it. */
  trash: z.strictObject({ deliveries: count, bytes: count }),
})
export type RetentionOutcome = Of<typeof retentionOutcome>
const retention = z
  .strictObject({
    keepNewest: count.exactOptional(),
    /** Drop what arrived before this instant, milliseconds since the epoch. */
    before: instant.exactOptional(),
    /** Drop the oldest until this many bytes of headers and bodies are freed. */
    freeBytes: z.int().positive().exactOptional(),
  })
  .refine(
    (r) => [r.keepNewest, r.before, r.freeBytes].filter((v) => v !== undefined).length === 1,
    'give exactly one of keepNewest, before, freeBytes',
  )
export type RetentionParams = Of<typeof retention>

const trashParams = z
  .strictObject({
    /** Pinned ones among them go too. */
    ids: z.array(id).min(1).max(100_000).exactOptional(),
    /** All that it selects but the pinned ones. */
    filter: filter.exactOptional(),
    /** With `filter`: none that is newer than this id, such as the newest on screen at the decision. */
    upTo: id.exactOptional(),
  })
  .refine(
    (given) => (given.ids === undefined) !== (given.filter === undefined),
    'give exactly one of ids and filter',
  )
  .refine((given) => given.ids === undefined || given.upTo === undefined, 'give upTo with a filter only')
const trashOutcome = z.strictObject({
  /** What `deliveries.restore` takes; null when nothing was deleted. */
  batch: id.nullable(),
  deliveries: count,
  bytes: count,
  /** Selected by the filter, and left because they are pinned. */
  pinnedExempt: count,
})
export type TrashOutcome = Of<typeof trashOutcome>
const trashBatch = z.strictObject({
  batch: id,
  at: epochMs,
  /** Null when single ones were meant. */
  filter: z.string().nullable(),
  deliveries: count,
  bytes: count,
  /** Arrival of the oldest and newest of them, microseconds. */
  oldest: micros,
  newest: micros,
  /** When it is gone for good. */
  emptiedAt: epochMs,
})
export type TrashBatch = Of<typeof trashBatch>

export const deliveryCommands = {
  ...annotationCommands,
  'deliveries.page': defineCommand('A page of the deliveries that a filter selects.', pageParams, page),
  'deliveries.scan': defineCommand(
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
    'Where a delivery stands in the set: the members before it, and whether it is a member itself. In another order one that takes no part in it is no member.',
    z.strictObject({ filter, id, sort: sort.exactOptional() }),
    z.strictObject({ position: count, member: z.boolean() }),
  ),
  'deliveries.at': defineQuery(
    'Where the first member stands that arrived at or after an instant (milliseconds), or the last member where none did. `id` and `receivedAt` (microseconds) are null when the set is empty.',
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
  'deliveries.get': defineCommand(
    'One delivery whole, but for its body. Secrets are masked unless `reveal`.',
    z.strictObject({ id, reveal: z.boolean().exactOptional() }),
    deliveryDetail,
  ),
  'deliveries.body': defineCommand(
    'Bytes of a body. `reveal` shows credentials in the head of what was no HTTP; the body of a request is always given as it is.',
    z.strictObject({
      id,
      view: z.enum(['raw', 'decoded']),
      ...slice,
      reveal: z.boolean().exactOptional(),
    }),
    bodySlice,
  ),
  'deliveries.rows': defineCommand(
    'Rows of those ids that exist, in the order of the ids.',
    z.strictObject({ ids }),
    rows,
  ),
  'deliveries.copy': defineCommand(
    'Deliveries written out for another program, in the order of the ids. An answer has a bound: so many ids are `taken`; ask for the others again. Secrets are masked unless `reveal`.',
    z.strictObject({
      ids,
      as: z.enum(COPY_FORMS),
      /** Where `curl` sends it, without a path; absent: to the host that the delivery names. */
      base: z
        .string()
        .max(300)
        .regex(/^https?:\/\/[\w.:[\]-]+$/i, 'give http:// or https:// and a host, without a path')
        .exactOptional(),
      reveal: z.boolean().exactOptional(),
    }),
    /** `tooLong`: how many of the taken ones have a body beyond the bound of a copy, which their text says in its place. */
    z.strictObject({ texts: z.array(z.string()), taken: count, tooLong: count }),
  ),
  'deliveries.pin': defineCommand(
    'Pins deliveries, or unpins them. Retention keeps pinned ones.',
    z.strictObject({ ids: z.array(id).max(10_000), pinned: z.boolean() }),
    changed,
  ),
  'deliveries.settled': defineCommand(
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
    'What can be restored, the latest first.',
    nothing,
    z.strictObject({ batches: z.array(trashBatch) }),
  ),
  'trash.empty': defineCommand(
    'Deletes for good; everything when no batch is named.',
    z.strictObject({ batch: id.exactOptional() }),
    z.strictObject({ deliveries: count, bytes: count }),
  ),
  'retention.preview': defineCommand('What a rule of retention would delete.', retention, retentionOutcome),
  'retention.apply': defineCommand(
    'Moves what a rule of retention selects to the trash.',
    retention,
    retentionOutcome,
  ),
  'filter.counts': defineQuery(
    'How often each value of a field occurs among the deliveries that a filter selects.',
    z.strictObject({ field: z.enum(COUNTED_FIELDS), filter }),
    filterCounts,
  ),
}
