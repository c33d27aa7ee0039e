import { z } from 'zod'
import { DELIVERY_METHODS, PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { deliveryRow } from './delivery.ts'
import { count, fullUrl, group, id, kind, type Of, partial } from './params.ts'
import { SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from './values.ts'

/** Schemas of the sandbox's admin API (docs/reference/sandbox-api.md), which validates with them. Times are ISO 8601 in UTC. */
export const text = z.string().max(1_000)
/** Refuses a lone surrogate, which cannot be encoded as UTF-8. */
export const wellFormed = (schema: z.ZodString) =>
  schema.refine((value) => value.isWellFormed(), 'holds half of a surrogate pair; leave it out')
const name = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (value) => !/[\p{Cc}\p{Cs}]/u.test(value),
    'holds control characters or half of a surrogate pair; leave them out',
  )
export const seed = z.int().min(0).max(0xffff_ffff)
const kinds = z.array(kind).max(100)
const address = z.string().max(8_192).overwrite(fullUrl)
const share = z.number().min(0).max(1)
const millis = z.int().min(0).max(60_000)

export const status = z.discriminatedUnion('running', [
  z.strictObject({ running: z.literal(false) }),
  z.strictObject({ running: z.literal(true), url: z.string() }),
])
export type SandboxStatus = Of<typeof status>

export const workspaceMembers = {
  name,
  /** Only WEBHOOK_PLAN dispatches webhooks; on other plans nothing is sent and nothing warns (What the service does, rule 4). */
  plan: name,
  /** UTC offset of Timestamp, such as "-04:00". */
  offset: text,
}
export const workspace = z.strictObject(workspaceMembers)
export const resetOptions = z.strictObject({
  seed: seed.exactOptional(),
  subscriptions: z.boolean().exactOptional(),
})
export type SandboxWorkspace = Of<typeof workspace>

/** A fault in a share of the deliveries of some kinds; null: of all kinds. */
const fault = { share, kinds: kinds.nullable() }
const sandboxFault = z.strictObject(fault)
export type SandboxFault = Of<typeof sandboxFault>
const delay = { ...fault, leastMs: millis, mostMs: millis }
const reorder = { ...fault, holdMs: millis }
const sync = {
  fault: z.enum(['none', 'error-500', 'error-429', 'slow', 'truncated']),
  share,
  retryAfterSeconds: z.int().min(0).max(3_600),
  slowMs: millis,
  casing: z.enum(['documented', 'camel', 'lower', 'upper', 'snake']),
  nesting: z.enum(['documented', 'data', 'accounting']),
  order: z.enum(['documented', 'descending', 'shuffled']),
  reduce: z.enum(['none', 'id-accounting', 'number-accounting']),
}
/** Faults beyond what the real service does; all off by default. */
export const laboratory = z.strictObject({
  seed,
  lose: sandboxFault,
  delay: z.strictObject(delay),
  duplicate: sandboxFault,
  reorder: z.strictObject(reorder),
  cut: sandboxFault,
  sync: z.strictObject(sync),
})
export type SandboxLaboratory = Of<typeof laboratory>
const someFault = z.strictObject(partial(fault)).exactOptional()
/** Absent members stay unchanged, in nested objects too. */
export const laboratoryChange = z.strictObject({
  seed: seed.exactOptional(),
  lose: someFault,
  delay: z.strictObject(partial(delay)).exactOptional(),
  duplicate: someFault,
  reorder: z.strictObject(partial(reorder)).exactOptional(),
  cut: someFault,
  sync: z.strictObject(partial(sync)).exactOptional(),
})
export type SandboxLaboratoryChange = Of<typeof laboratoryChange>

/** Events per second. */
export const rate = z.number().min(0.01).max(500)
export const trafficMembers = {
  /** Weight of each kind; kinds not named are not generated. */
  mix: z
    .partialRecord(kind, z.number().min(0).max(1_000_000))
    .refine(
      (mix) => Object.values(mix).some((share) => share > 0),
      'needs a kind with a weight above 0; give one',
    ),
  seed,
  /** The generator stops after this many events or this many seconds. */
  count: z.int().min(1).max(10_000_000),
  seconds: z.number().min(1).max(86_400),
}
export const trafficSettings = z.strictObject({ rate, ...trafficMembers })
export type SandboxTrafficSettings = Of<typeof trafficSettings>
/** Why it failed: the error code of the operation, `storage` or `internal`; null when it did not fail. */
const failure = z.string().nullable()
export const traffic = z.strictObject({
  running: z.boolean(),
  settings: trafficSettings.nullable(),
  made: count,
  /** Why the generator stopped, as an English sentence and as a code; null while it runs or before its first start. */
  ended: z.string().nullable(),
  reason: z.enum(['stopped', 'restarted', 'time', 'done', 'reset', 'closed', 'failed']).nullable(),
  failure,
})
export type SandboxTraffic = Of<typeof traffic>

export const scenario = z.strictObject({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  takesCount: z.boolean(),
})
export type SandboxScenario = Of<typeof scenario>
export const scenarioOptions = z.strictObject({
  slug: text,
  count: z.int().min(1).max(1_000_000).exactOptional(),
  seed: seed.exactOptional(),
  background: z.boolean().exactOptional(),
})

export const operation = z.strictObject({
  name: z.string(),
  group: z.enum(['documents', 'notes', 'authority', 'contacts', 'products']),
  summary: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      type: z.enum(['string', 'integer', 'decimal', 'boolean', 'uuid', 'date-time']),
      required: z.boolean(),
      summary: z.string(),
      /** Allowed values; absent when any value is allowed. */
      values: z.array(z.string()).exactOptional(),
      minimum: z.number().exactOptional(),
      maximum: z.number().exactOptional(),
      maxLength: count.exactOptional(),
    }),
  ),
})
export type SandboxOperation = Of<typeof operation>

const outcome = z.enum(SANDBOX_OUTCOMES)
export type SandboxOutcome = Of<typeof outcome>
const logType = z.enum(SANDBOX_LOG_TYPES)

export const state = z.strictObject({
  workspace,
  dispatches: z.boolean(),
  counts: z.strictObject({
    documents: count,
    customers: count,
    suppliers: count,
    products: count,
    events: count,
  }),
  subscriptions: count,
  keys: count,
  plugins: count,
  laboratory,
  traffic,
  /** Log entries about events, by outcome; excludes tests and plugin events. */
  log: z.strictObject({ outcomes: z.partialRecord(outcome, count), lost: count }),
  /** Deliveries queued, held back or in flight. */
  pending: count,
  kinds: z.array(z.strictObject({ kind, group })),
  scenarios: z.array(scenario),
})
export type SandboxState = Of<typeof state>

const header = z.strictObject({
  name: z.string(),
  /** A description of the value when masked. */
  value: z.string(),
  /** The value is a credential; null when saving keeps it. */
  masked: z.boolean(),
})
export type SandboxHeader = Of<typeof header>

export const subscription = z.strictObject({
  id,
  name: z.string(),
  url: z.string(),
  method: z.enum(DELIVERY_METHODS),
  headers: z.array(header),
  kinds: z.array(kind),
  active: z.boolean(),
  warnings: z.array(z.string()),
})
export type SandboxSubscription = Of<typeof subscription>
/** Absent members stay unchanged. A new subscription needs only `url` and defaults to all 28 kinds by POST. */
export const subscriptionChange = z.strictObject({
  /** Absent for a new subscription. */
  id: id.exactOptional(),
  name: name.exactOptional(),
  url: address.exactOptional(),
  method: z.enum(DELIVERY_METHODS).exactOptional(),
  /** `value: null` keeps the present value of the header with that name and position. Any number of headers (Receiver contract, 3). */
  headers: z.array(z.strictObject({ name: text, value: z.string().max(65_536).nullable() })).exactOptional(),
  kinds: kinds
    .refine((list) => new Set(list).size === list.length, 'names the same kind twice; give each once')
    .exactOptional(),
  active: z.boolean().exactOptional(),
})
export type SandboxSubscriptionChange = Of<typeof subscriptionChange>

const event = z.strictObject({
  /** Rises in order of emission; never reused. */
  seq: count,
  kind,
  subject: z.string(),
  body: z.string(),
})
/** Events created by one call; the log lists their deliveries under `run`. */
export const emitted = z.strictObject({ run: z.string(), events: z.array(event) })
export type SandboxEmitted = Of<typeof emitted>

export const run = z.strictObject({
  run: z.string(),
  running: z.boolean(),
  events: count,
  pending: count,
  /** Why the run ended early, as an English sentence and as a code. */
  error: z.string().nullable(),
  reason: z.enum(['stopped', 'failed']).nullable(),
  failure,
})
export type SandboxRun = Of<typeof run>

/** Filter of log entries; an absent member does not restrict. */
export const logFilter = {
  type: logType.exactOptional(),
  outcome: outcome.exactOptional(),
  lost: z.boolean().exactOptional(),
  superseded: z.boolean().exactOptional(),
  kind: text.exactOptional(),
  subject: text.exactOptional(),
  subscription: id.exactOptional(),
  run: text.exactOptional(),
  /** Case-insensitive search in kind, subject, address, request, answer and error. */
  q: text.min(1).exactOptional(),
  /** Default: `oldest`. */
  order: z.enum(['oldest', 'newest']).exactOptional(),
  /** The last id of the previous page. */
  after: count.exactOptional(),
}
export const logQuery = z.strictObject({ ...logFilter, limit: z.int().min(1).max(1_000).exactOptional() })
export type SandboxLogQuery = Of<typeof logQuery>

const logBrief = z.strictObject({
  id,
  type: logType,
  run: z.string().nullable(),
  /** `seq` of the event; null when the entry concerns no event. */
  seq: count.nullable(),
  kind: z.string(),
  subject: z.string().nullable(),
  /** Facts of the document, from the event or else from the sandbox's present state; null when the event concerns no document. */
  document: deliveryRow.shape.document,
  statusId: deliveryRow.shape.statusId,
  cause: z.string(),
  /** The subscription, or the receiving plugin. */
  subscription: z.strictObject({ id: count, name: z.string() }),
  outcome,
  /** The event did not reach this target, for whatever reason. */
  lost: z.boolean(),
  /** `seq` of a later event that supersedes this lost one, so that no trace of it remains. */
  supersededBy: count.nullable(),
  /** What the laboratory did, in English; `deeds` has the codes in the same order. */
  laboratory: z.array(z.string()),
  deeds: z.array(
    z.strictObject({
      code: z.enum(['held', 'outage', 'lost', 'delayed', 'cut', 'again']),
      ms: count.exactOptional(),
    }),
  ),
  /** English sentence; `errorCode` is stable. */
  error: z.string().nullable(),
  errorCode: z
    .enum([
      'plan',
      'queue-full',
      'subscription-removed',
      'stopped',
      'timeout',
      'cut',
      'no-answer',
      'answer-broken',
      'certificate',
      'not-tls',
      'connection',
    ])
    .nullable(),
  at: z.string(),
  durationMs: z.number().nullable(),
  method: z.string(),
  url: z.string(),
  status: count.nullable(),
})
export type SandboxLogBrief = Of<typeof logBrief>
export const runProgress = run.extend({
  outcomes: z.partialRecord(outcome, count),
  lost: count,
  last: logBrief.nullable(),
})
export type SandboxRunProgress = Of<typeof runProgress>
export const logEntry = logBrief.extend({
  /** `head` is null when nothing was sent; `body` is then the body that would have gone out. Its credentials are masked unless revealed. */
  request: z.strictObject({ head: z.string().nullable(), body: z.string() }),
  answer: z
    .strictObject({
      status: count,
      head: z.string(),
      body: z.string(),
      /** Encoding of `body`: `utf8` when the answer was valid UTF-8, else base64. */
      encoding: z.enum(['utf8', 'base64']),
      truncated: z.boolean(),
    })
    .nullable(),
})
export type SandboxLogEntry = Of<typeof logEntry>
const logPage = <E extends z.ZodType>(entry: E) =>
  z.strictObject({
    entries: z.array(entry),
    /** `after` of the next page; null when this page was not full. */
    next: count.nullable(),
    total: count,
    /** Deliveries queued or in flight, of `run` if given. */
    pending: count,
  })
export const briefPage = logPage(logBrief)
export const entryPage = logPage(logEntry)

/** An API key without its secret, which only the owner has. */
export const key = z.strictObject({ id, name: z.string(), createdAt: z.string() })
export type SandboxKey = Of<typeof key>
export const keyOptions = z.strictObject({ name: name.exactOptional() })

export const pluginMembers = {
  name,
  /** Receives the events of other plugins; null for a plugin that only publishes. */
  url: address.nullable(),
  eventTypes: z.array(z.enum(PLUGIN_EVENT_TYPES)).max(100),
  active: z.boolean(),
}
const pluginSettings = z.strictObject(pluginMembers)
export const pluginOptions = z.strictObject(partial(pluginMembers))
export type SandboxPluginSettings = Of<typeof pluginSettings>
export const plugin = z.strictObject({ ...pluginMembers, id, createdAt: z.string() })
export type SandboxPlugin = Of<typeof plugin>
