import { z } from 'zod'
import { DELIVERY_METHODS, PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { deliveryRow } from './delivery.ts'
import { count, fullUrl, group, id, kind, type Of, partial } from './params.ts'
import { SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from './values.ts'

/** The sandbox's admin API (docs/reference/sandbox-api.md), which checks by these schemas. Its times are ISO 8601 in UTC. */
export const text = z.string().max(1_000)
/** Half of a surrogate pair could not be sent. */
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
  /** On any other than WEBHOOK_PLAN nothing is dispatched and nothing warns (What the service does, rule 4). */
  plan: name,
  /** Offset of Timestamp, such as "-04:00". */
  offset: text,
}
export const workspace = z.strictObject(workspaceMembers)
export const resetOptions = z.strictObject({
  seed: seed.exactOptional(),
  subscriptions: z.boolean().exactOptional(),
})
export type SandboxWorkspace = Of<typeof workspace>

/** A fault of a share of the deliveries, of some kinds or (null) of all. */
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
/** What goes beyond the real service; everything off by default. */
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
/** Members left out stay as they are, inside the parts too. */
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
  /** Weight of each kind; those not named do not come. */
  mix: z
    .partialRecord(kind, z.number().min(0).max(1_000_000))
    .refine(
      (mix) => Object.values(mix).some((share) => share > 0),
      'needs a kind with a weight above 0; give one',
    ),
  seed,
  /** Ends by itself after so many events, and after so many seconds. */
  count: z.int().min(1).max(10_000_000),
  seconds: z.number().min(1).max(86_400),
}
export const trafficSettings = z.strictObject({ rate, ...trafficMembers })
export type SandboxTrafficSettings = Of<typeof trafficSettings>
/** Why it failed: the code of the operation's refusal, `storage` or `internal`; null where it did not fail. */
const failure = z.string().nullable()
export const traffic = z.strictObject({
  running: z.boolean(),
  settings: trafficSettings.nullable(),
  made: count,
  /** Why it ended, in English and as a code; null while it runs or before its first start. */
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
      /** The values it may have; absent where it is free. */
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
  /** Entries of the log about events; tests and plugin events are in no count. */
  log: z.strictObject({ outcomes: z.partialRecord(outcome, count), lost: count }),
  /** Deliveries that wait, are held back or are under way. */
  pending: count,
  kinds: z.array(z.strictObject({ kind, group })),
  scenarios: z.array(scenario),
})
export type SandboxState = Of<typeof state>

const header = z.strictObject({
  name: z.string(),
  /** A description when masked. */
  value: z.string(),
  /** The value is a credential; save it as null to leave it as it is. */
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
/** Members left out stay as they are; a new one needs `url` only, and gets all 28 kinds by POST. */
export const subscriptionChange = z.strictObject({
  /** Absent for a new one. */
  id: id.exactOptional(),
  name: name.exactOptional(),
  url: address.exactOptional(),
  method: z.enum(DELIVERY_METHODS).exactOptional(),
  /** `value: null` keeps what the header of that name and place has now. No bound on their count (Receiver contract, 3). */
  headers: z.array(z.strictObject({ name: text, value: z.string().max(65_536).nullable() })).exactOptional(),
  kinds: kinds
    .refine((list) => new Set(list).size === list.length, 'names the same kind twice; give each once')
    .exactOptional(),
  active: z.boolean().exactOptional(),
})
export type SandboxSubscriptionChange = Of<typeof subscriptionChange>

const event = z.strictObject({
  /** Order of emission; never reused. */
  seq: count,
  kind,
  subject: z.string(),
  body: z.string(),
})
export type SandboxEvent = Of<typeof event>
/** Events made by one call; their deliveries stand in the log under `run`. */
export const emitted = z.strictObject({ run: z.string(), events: z.array(event) })
export type SandboxEmitted = Of<typeof emitted>

export const run = z.strictObject({
  run: z.string(),
  running: z.boolean(),
  events: count,
  pending: count,
  /** Why it ended early, in English and as a code. */
  error: z.string().nullable(),
  reason: z.enum(['stopped', 'failed']).nullable(),
  failure,
})
export type SandboxRun = Of<typeof run>

/** Which entries of the log; members left out ask for nothing. */
export const logFilter = {
  type: logType.exactOptional(),
  outcome: outcome.exactOptional(),
  lost: z.boolean().exactOptional(),
  superseded: z.boolean().exactOptional(),
  kind: text.exactOptional(),
  subject: text.exactOptional(),
  subscription: id.exactOptional(),
  run: text.exactOptional(),
  /** Text looked for in kind, subject, address, request, answer and error, whatever its case. */
  q: text.min(1).exactOptional(),
  /** `oldest` when left out. */
  order: z.enum(['oldest', 'newest']).exactOptional(),
  /** The last id of the page before. */
  after: count.exactOptional(),
}
export const logQuery = z.strictObject({ ...logFilter, limit: z.int().min(1).max(1_000).exactOptional() })
export type SandboxLogQuery = Of<typeof logQuery>

const logBrief = z.strictObject({
  id,
  type: logType,
  run: z.string().nullable(),
  /** Of the event; null when the entry is about none. */
  seq: count.nullable(),
  kind: z.string(),
  subject: z.string().nullable(),
  /** Of its document, as the event states it, else as the sandbox has it now; null where it is about none. */
  document: deliveryRow.shape.document,
  statusId: deliveryRow.shape.statusId,
  cause: z.string(),
  /** Subscription, or the receiving plugin. */
  subscription: z.strictObject({ id: count, name: z.string() }),
  outcome,
  /** The event did not reach this target, by whatever cause. */
  lost: z.boolean(),
  /** Number of the event that left no trace of this lost one. */
  supersededBy: count.nullable(),
  /** What the laboratory did, in English; `deeds` has the codes, in the same order. */
  laboratory: z.array(z.string()),
  deeds: z.array(
    z.strictObject({
      code: z.enum(['held', 'outage', 'lost', 'delayed', 'cut', 'again']),
      ms: count.exactOptional(),
    }),
  ),
  /** In English; `errorCode` is stable. */
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
  /** `head` is null when nothing was sent; then `body` is what would have been. Credentials in it are masked unless revealed. */
  request: z.strictObject({ head: z.string().nullable(), body: z.string() }),
  answer: z
    .strictObject({
      status: count,
      head: z.string(),
      body: z.string(),
      /** How `body` stands here: text where the answer was UTF-8, else base64. */
      encoding: z.enum(['utf8', 'base64']),
      truncated: z.boolean(),
    })
    .nullable(),
})
export type SandboxLogEntry = Of<typeof logEntry>
const logPage = <E extends z.ZodType>(entry: E) =>
  z.strictObject({
    entries: z.array(entry),
    /** `after` of the next page; null when this one was not full. */
    next: count.nullable(),
    total: count,
    /** Deliveries that wait or are under way, of `run` where one is given. */
    pending: count,
  })
export const briefPage = logPage(logBrief)
export const entryPage = logPage(logEntry)

/** The key itself is known only to its owner. */
export const key = z.strictObject({ id, name: z.string(), createdAt: z.string() })
export type SandboxKey = Of<typeof key>
export const keyOptions = z.strictObject({ name: name.exactOptional() })

export const pluginMembers = {
  name,
  /** Where other plugins' events are forwarded to; null for a plugin that only publishes. */
  url: address.nullable(),
  eventTypes: z.array(z.enum(PLUGIN_EVENT_TYPES)).max(100),
  active: z.boolean(),
}
const pluginSettings = z.strictObject(pluginMembers)
export const pluginOptions = z.strictObject(partial(pluginMembers))
export type SandboxPluginSettings = Of<typeof pluginSettings>
export const plugin = z.strictObject({ ...pluginMembers, id, createdAt: z.string() })
export type SandboxPlugin = Of<typeof plugin>
