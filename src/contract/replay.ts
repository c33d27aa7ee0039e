import { z } from 'zod'
import { bodySlice, header, searching, slice } from './delivery.ts'
import {
  byId,
  count,
  defineCommand,
  defineReading,
  endpointName,
  epochMs,
  filter,
  headerName,
  headerValue,
  httpUrl,
  id,
  limit,
  micros,
  nothing,
  type Of,
  words,
} from './params.ts'
import { method } from './target.ts'
import { ATTEMPT_ERRORS, ATTEMPT_STATES, EXCLUSIONS, JOB_STATES } from './values.ts'

export const targetReference = z.union(
  [endpointName, httpUrl],
  'give the name of a target (1 to 60 characters of a-z, 0-9 and "-") or an http:// or https:// address without user and password',
)
const pair = z.tuple([headerName, headerValue])
/** Where to send: the name of a target, or a URL for this one time (with "://"; the rest comes from DEFAULT_TARGET). */
const sendTo = z.strictObject({
  target: targetReference,
  /** Added to the target's own headers; not for secrets. */
  headers: z.array(pair).max(1_000).exactOptional(),
})
export type SendTo = Of<typeof sendTo>

/** Changes to what is sent. Absent members stay as received; the stored delivery never changes. */
const edit = z.strictObject({
  method: method.exactOptional(),
  /** Path and query as a request target; the target's path and query policies apply to it. */
  url: z
    .string()
    .max(64_000)
    .regex(/^\/[\x21-\x22\x24-\x7e]*$/, 'start with "/", no spaces or "#"')
    .exactOptional(),
  /** The complete header list, in order; Host and framing headers are set when sending. */
  headers: z.array(pair).max(10_000).exactOptional(),
  bodyBase64: z.base64().max(140_000_000).exactOptional(),
})
export type Edit = Of<typeof edit>

export type AttemptState = (typeof ATTEMPT_STATES)[number]
export type AttemptErrorCode = (typeof ATTEMPT_ERRORS)[number]

const failure = {
  /** English sentence: what failed, where, and what to do. The window translates by `code` and `params`. */
  message: z.string(),
  params: words,
}
export const attemptError = z.strictObject({ code: z.enum(ATTEMPT_ERRORS), ...failure })
export type AttemptError = Of<typeof attemptError>
/** Why an attempt of a job failed: no answer, or a status that counts as failure (`params.status`). */
const jobFailure = z.strictObject({ code: z.enum([...ATTEMPT_ERRORS, 'failure-status']), ...failure })
export type JobFailure = Of<typeof jobFailure>

const origin = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('hand') }),
  z.strictObject({ by: z.literal('job'), job: id }),
  z.strictObject({ by: z.literal('forward'), forward: z.string() }),
])
export type AttemptOrigin = Of<typeof origin>

const attemptRow = z.strictObject({
  id,
  deliveryId: id,
  origin,
  /** Name of the target, or the typed URL. */
  target: z.string(),
  method: z.string(),
  url: z.string(),
  startedAt: micros,
  tookUs: count.nullable(),
  state: z.enum(ATTEMPT_STATES),
  status: count.nullable(),
  /** Whether the attempt succeeded: by the job's rule, by default a 2xx. Null while sending and when uncertain. */
  ok: z.boolean().nullable(),
  error: attemptError.nullable(),
  answerSize: count.nullable(),
  /** Digest of status and body, so equal answers have equal digests. */
  answerDigest: z.string().nullable(),
  /** First line of the body of a failed answer, at most 200 characters. Null when the body is not text. */
  answerLine: z.string().nullable(),
  edited: z.boolean(),
  /** An earlier attempt of the same item is uncertain, so the target may get the delivery twice. */
  again: z.boolean(),
  /** 1 for the first attempt of an item, higher for retries. */
  tryNumber: count,
  /** Another Acuse sent it; a session file brought it here. */
  imported: z.boolean(),
})
export type AttemptRow = Of<typeof attemptRow>

/** Microseconds; null for a phase that was not reached or not needed (no look-up on a kept-alive connection). */
export const timings = z.strictObject({
  lookupUs: z.number().nullable(),
  connectUs: z.number().nullable(),
  tlsUs: z.number().nullable(),
  sendUs: z.number().nullable(),
  waitUs: z.number().nullable(),
  receiveUs: z.number().nullable(),
})
export type Timings = Of<typeof timings>

export const attemptDetail = attemptRow.extend({
  request: z.strictObject({ headers: z.array(header), size: count }),
  answer: z
    .strictObject({
      status: count,
      statusText: z.string(),
      headers: z.array(header),
      /** Bytes of the body that were kept; fewer than `answerSize` beyond ANSWER_KEPT. */
      kept: count,
      truncated: z.boolean(),
    })
    .nullable(),
  timings,
  /** Address and port of the connection; null without one. */
  address: z.string().nullable(),
  reusedConnection: z.boolean(),
})
export type AttemptDetail = Of<typeof attemptDetail>

const byFilter = z.strictObject({ type: z.literal('filter'), filter })
const byDocument = z.strictObject({ type: z.literal('document'), documentId: z.string().min(1).max(200) })
const replaySource = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ids'), ids: z.array(id).min(1).max(100_000) }),
  byFilter,
  byDocument,
])
export type ReplaySource = Of<typeof replaySource>
/** Source of a job's queue. Has the number of ids instead of up to 100,000 ids, since jobs are pushed often. */
const source = z.discriminatedUnion('type', [
  byFilter,
  byDocument,
  z.strictObject({ type: z.literal('ids'), count, first: count }),
])
export type JobSource = Of<typeof source>
export function jobSource(given: ReplaySource): JobSource {
  return given.type === 'ids' ? { type: 'ids', count: given.ids.length, first: given.ids[0] ?? 0 } : given
}

export type Exclusion = (typeof EXCLUSIONS)[number]

export const jobOptions = z.strictObject({
  to: sendTo,
  /** `document`: deliveries of one document in sequence, documents in parallel. */
  order: z.enum(['arrival', 'document']),
  /** Maximum attempts in flight. In `arrival` order with more than one, attempts start in order. */
  concurrency: z.int().min(1).max(256),
  /** Maximum starts per second; null: no limit. */
  ratePerSecond: z.number().min(0.01).max(100_000).nullable(),
  /** Keeps the original gaps between arrivals, multiplied by this factor; null: no gaps. */
  gaps: z.number().min(0.1).max(10).nullable(),
  /** Stops after this many failures; null: never. */
  stopAfterFailures: z.int().positive().nullable(),
  retry: z.strictObject({ times: z.int().min(0).max(20), delayMs: z.int().min(0).max(600_000) }),
  /** Statuses that count as failure: `404`, `4xx`. No answer is always a failure. */
  failures: z.array(z.string().regex(/^[1-5](?:xx|\d\d)$/, 'write 404 or 4xx')).max(500),
  include: z.array(z.enum(EXCLUSIONS).exclude(['malformed'])).max(2),
})
export type JobOptions = Of<typeof jobOptions>

const jobPreview = z.strictObject({
  count,
  excluded: z.array(z.strictObject({ reason: z.enum(EXCLUSIONS), count })),
  bytes: count,
  /** Arrival of the oldest and the newest delivery, microseconds; null when there are none. */
  oldest: micros.nullable(),
  newest: micros.nullable(),
  /** Minimum duration implied by rate and gaps; null when neither applies. */
  seconds: z.number().nullable(),
  /** Present while the search runs: counts cover the deliveries scanned so far; the next call continues. */
  searching: searching.exactOptional(),
})
export type JobPreview = Of<typeof jobPreview>

/** The disk can be neither read nor written. The window translates `message` by `code`. */
const jobStall = z.strictObject({ code: z.literal('storage'), message: z.string() })
export type JobStall = Of<typeof jobStall>

/** Many attempts, made by the rules of `options`. After a restart an unfinished job is paused. */
export const job = z.strictObject({
  id,
  source,
  options: jobOptions,
  state: z.enum(JOB_STATES),
  /** Why the job is paused: the user asked, or Acuse was restarted. */
  pausedBy: z.enum(['user', 'restart']).nullable(),
  createdAt: epochMs,
  endedAt: epochMs.nullable(),
  total: count,
  /** Deliveries whose last attempt succeeded or failed; deleted deliveries count as failed. */
  done: count,
  failed: count,
  inFlight: count,
  /** Attempts that a restart left uncertain; each one is sent again. */
  uncertain: count,
  /** Deliveries finished per second, over the last seconds. */
  rate: z.number(),
  etaMs: z.number().nullable(),
  /** Stays even after a retry of the failed delivery succeeds. */
  lastError: jobFailure.nullable(),
  /** A local problem that holds up a running job, which continues by itself afterwards. Null: none. */
  stall: jobStall.nullable(),
  /** Another Acuse ran it; a session file brought it here. */
  imported: z.boolean(),
})
export type Job = Of<typeof job>

export const forward = z.strictObject({
  name: endpointName,
  enabled: z.boolean(),
  /** Deliveries to forward; empty: all. Rejected and malformed ones and replays are never forwarded. */
  filter,
  targets: z.array(targetReference).min(1).max(20),
  /** Maximum attempts in flight per target; deliveries of one document keep their order. */
  concurrency: z.int().min(1).max(64),
  /** While a target is down (no connection, 502, 503, 504): queue deliveries in order, or drop them. */
  whenDown: z.enum(['queue', 'drop']),
  /** One of `targets` whose answer the service gets; null: the endpoint's own answer. */
  answerFrom: targetReference.nullable(),
  /** Milliseconds that the service waits for that answer before it gets the endpoint's own. */
  answerTimeoutMs: z.int().min(1).max(60_000),
  /** The forward ends with the process that created it. */
  temporary: z.boolean(),
})
export type Forward = Of<typeof forward>

/** Why a target counts as down: there was no answer, or its status says so (`params.status`). */
const laneFailure = z.strictObject({ code: z.enum([...ATTEMPT_ERRORS, 'away-status']), ...failure })
export type LaneFailure = Of<typeof laneFailure>
/** A local problem that holds up a queue: storage, as for a job, or an invalid filter. */
const laneStall = z.strictObject({ code: z.enum(['storage', 'filter']), message: z.string() })
export type LaneStall = Of<typeof laneStall>

const forwardLane = z.strictObject({
  target: z.string(),
  /** `standby`: another follower of the shared log sends, or none can. `refused`: the target is not allowed (our own receiver, a metadata address) or was removed. `stalled`: see `stall`. */
  state: z.enum(['off', 'standby', 'idle', 'sending', 'down', 'refused', 'stalled']),
  waiting: count,
  sent: count,
  failed: count,
  dropped: count,
  lastError: laneFailure.nullable(),
  stall: laneStall.nullable(),
  downSince: epochMs.nullable(),
  nextTryAt: epochMs.nullable(),
})
export type ForwardLane = Of<typeof forwardLane>
export const forwardState = forward.extend({ lanes: z.array(forwardLane) })
export type ForwardState = Of<typeof forwardState>

const attemptsOf = z.union(
  [z.strictObject({ delivery: id }), z.strictObject({ job: id }), z.strictObject({ forward: endpointName })],
  'give { delivery: id }, { job: id } or { forward: name }',
)
export type AttemptsOf = Of<typeof attemptsOf>

const run = z.strictObject({ source: replaySource, options: jobOptions })
const jobCommand = (about: string) => defineCommand(about, byId, job)
const byName = z.strictObject({ name: endpointName })
const forwards = z.strictObject({ forwards: z.array(forwardState) })

export type ReplayCommandName = keyof typeof replayCommands

export const replayCommands = {
  'replay.send': defineCommand(
    'Sends one delivery now, `times` times one after the other, and waits for the answers. The edited copy is kept with its attempts.',
    z.strictObject({
      delivery: id,
      to: sendTo,
      edit: edit.exactOptional(),
      times: z.int().min(1).max(100).exactOptional(),
    }),
    z.strictObject({ attempts: z.array(attemptRow) }),
  ),
  'attempts.list': defineReading(
    'Attempts, newest first, before the attempt `before`; with `after` oldest first, beyond it. `failed`: only those that count as failure, uncertain ones included.',
    z
      .strictObject({
        of: attemptsOf,
        before: id.exactOptional(),
        after: count.exactOptional(),
        limit,
        failed: z.boolean().exactOptional(),
      })
      .refine(
        ({ before, after }) => before === undefined || after === undefined,
        'give before or after, not both',
      ),
    z.strictObject({ attempts: z.array(attemptRow), more: z.boolean() }),
  ),
  'attempts.get': defineReading(
    'One attempt without its bodies. Secrets are masked unless `reveal`.',
    z.strictObject({ id, reveal: z.boolean().exactOptional() }),
    attemptDetail,
  ),
  'attempts.body': defineReading(
    'Bytes of the body that an attempt sent, or of its answer.',
    z.strictObject({ id, of: z.enum(['request', 'answer']), ...slice }),
    bodySlice,
  ),
  'jobs.preview': defineCommand('What a replay job would send.', run, jobPreview),
  'jobs.start': defineCommand('Starts a replay job. `conflict` when nothing would be sent.', run, job),
  'jobs.list': defineReading('Replay jobs, newest first.', nothing, z.strictObject({ jobs: z.array(job) })),
  'jobs.get': defineReading('One replay job.', byId, job),
  'jobs.pause': jobCommand('Pauses a job.'),
  'jobs.resume': jobCommand('Resumes a job.'),
  'jobs.cancel': jobCommand('Cancels a job.'),
  'jobs.retry-failed': jobCommand('Puts the failed ones back into the queue and runs.'),
  'jobs.remove': defineCommand(
    'Removes a job that is not running; its attempts stay with their deliveries.',
    byId,
    z.strictObject({ removed: count }),
  ),
  'forwards.list': defineReading('Forwards with their queues.', nothing, forwards),
  'forwards.save': defineCommand(
    'Adds a forward, or changes the one of that name, or of `previousName`.',
    forward.extend({ previousName: endpointName.exactOptional() }),
    forwards,
  ),
  'forwards.remove': defineCommand('Removes a forward.', byName, forwards),
  'forwards.retry': defineCommand('Tries a target that is down at once.', byName, forwards),
  'forwards.clear': defineCommand(
    'Discards the deliveries that wait for a target.',
    z.strictObject({ name: endpointName, target: targetReference }),
    z.strictObject({ cleared: count }),
  ),
}
