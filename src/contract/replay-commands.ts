import { z } from 'zod'
import type { BodySlice } from './delivery.ts'
import type { Fault, FaultRule } from './faults.ts'
import { endpointName, headerName, headerValue, httpUrl } from './params.ts'
import type {
  AttemptDetail,
  AttemptRow,
  Edit,
  Forward,
  ForwardState,
  Job,
  JobOptions,
  JobPreview,
  ReplaySource,
  SendTo,
  Target,
} from './replay.ts'
import type { Settings } from './settings.ts'

type None = Record<string, never>
type ById = { readonly id: number }

/** Whose attempts. */
export type AttemptsOf =
  | { readonly delivery: number }
  | { readonly job: number }
  | { readonly forward: string }

export interface ReplayCommands {
  /** A secret header with the value null keeps its present one. */
  'targets.save': { params: { readonly previousName?: string } & Target; result: Settings }
  /** `conflict` while a forward or an unfinished job uses it. */
  'targets.remove': { params: { readonly name: string }; result: Settings }
  /** Remembers the one that `r` sends to; null for none. */
  'targets.set-default': { params: { readonly name: string | null }; result: Settings }
  /** Sends one delivery now, `times` times one after the other, and waits for the answers. The edited copy is kept with its attempts. */
  'replay.send': {
    params: { readonly delivery: number; readonly to: SendTo; readonly edit?: Edit; readonly times?: number }
    result: { readonly attempts: readonly AttemptRow[] }
  }
  /** Newest first, before the attempt `before`; with `after` oldest first, beyond it. */
  'attempts.list': {
    params: {
      readonly of: AttemptsOf
      readonly before?: number
      readonly after?: number
      readonly limit: number
      /** Only those that count as failure, uncertain ones included. */
      readonly failed?: boolean
    }
    result: { readonly attempts: readonly AttemptRow[]; readonly more: boolean }
  }
  'attempts.get': { params: { readonly id: number; readonly reveal?: boolean }; result: AttemptDetail }
  'attempts.body': {
    params: {
      readonly id: number
      readonly of: 'request' | 'answer'
      readonly from: number
      readonly length: number
    }
    result: BodySlice
  }
  'jobs.preview': {
    params: { readonly source: ReplaySource; readonly options: JobOptions }
    result: JobPreview
  }
  /** `conflict` when nothing would be sent. */
  'jobs.start': { params: { readonly source: ReplaySource; readonly options: JobOptions }; result: Job }
  /** Newest first. */
  'jobs.list': { params: None; result: { readonly jobs: readonly Job[] } }
  'jobs.get': { params: ById; result: Job }
  'jobs.pause': { params: ById; result: Job }
  'jobs.resume': { params: ById; result: Job }
  'jobs.cancel': { params: ById; result: Job }
  /** Puts the failed ones back into the queue and runs. */
  'jobs.retry-failed': { params: ById; result: Job }
  /** Forgets a job that does not run; its attempts stay with their deliveries. */
  'jobs.remove': { params: ById; result: { readonly removed: number } }
  'forwards.list': { params: None; result: { readonly forwards: readonly ForwardState[] } }
  'forwards.save': {
    params: { readonly previousName?: string } & Forward
    result: { readonly forwards: readonly ForwardState[] }
  }
  'forwards.remove': {
    params: { readonly name: string }
    result: { readonly forwards: readonly ForwardState[] }
  }
  /** Tries a target that is down at once. */
  'forwards.retry': {
    params: { readonly name: string }
    result: { readonly forwards: readonly ForwardState[] }
  }
  /** Lets go of what waits for a target. */
  'forwards.clear': {
    params: { readonly name: string; readonly target: string }
    result: { readonly cleared: number }
  }
  'faults.list': { params: None; result: { readonly faults: readonly Fault[] } }
  /** `id`: that of a rule that was ended. It is back under it and at its place, for the first rule that applies is taken. */
  'faults.add': {
    params: FaultRule & { readonly id?: number }
    result: { readonly faults: readonly Fault[] }
  }
  'faults.remove': { params: ById; result: { readonly faults: readonly Fault[] } }
  'faults.clear': { params: None; result: { readonly faults: readonly Fault[] } }
}
export type ReplayCommandName = keyof ReplayCommands

const nothing = z.strictObject({})
const id = z.int().positive()
const byId = z.strictObject({ id })
const filter = z.string().max(10_000)
const method = z
  .string()
  .max(40)
  .regex(
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    'not a method; use letters, digits and signs such as "-", and no spaces',
  )
/** A target's name, or a URL. */
const targetReference = z.union(
  [endpointName, httpUrl],
  'give the name of a target (1 to 60 characters of a-z, 0-9 and "-") or an http:// or https:// address without user and password',
)
const pair = z.tuple([headerName, headerValue])
const to = z.strictObject({ target: targetReference, headers: z.array(pair).max(1_000).optional() })
const milliseconds = z.int().min(1).max(3_600_000)
const source = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ids'), ids: z.array(id).min(1).max(100_000) }),
  z.strictObject({ type: z.literal('filter'), filter }),
  z.strictObject({ type: z.literal('document'), documentId: z.string().min(1).max(200) }),
])
const options = z.strictObject({
  to,
  order: z.enum(['arrival', 'document']),
  concurrency: z.int().min(1).max(256),
  ratePerSecond: z.number().min(0.01).max(100_000).nullable(),
  gaps: z.number().min(0.1).max(10).nullable(),
  stopAfterFailures: z.int().positive().nullable(),
  retry: z.strictObject({ times: z.int().min(0).max(20), delayMs: z.int().min(0).max(600_000) }),
  failures: z.array(z.string().regex(/^[1-5](?:xx|\d\d)$/, 'write 404 or 4xx')).max(500),
  include: z.array(z.enum(['rejected', 'replay'])).max(2),
})
const run = z.strictObject({ source, options })

export const REPLAY_PARAMS: { readonly [C in ReplayCommandName]: z.ZodType<unknown> } = {
  'targets.save': z.strictObject({
    previousName: endpointName.optional(),
    name: endpointName,
    url: httpUrl,
    method: method.nullable(),
    path: z.enum(['target', 'append']),
    query: z.enum(['target', 'append']),
    headers: z
      .array(z.strictObject({ name: headerName, value: headerValue.nullable(), secret: z.boolean() }))
      .max(1_000),
    remove: z.array(headerName).max(1_000),
    timeouts: z.strictObject({ connectMs: milliseconds, answerMs: milliseconds, totalMs: milliseconds }),
    acceptAnyCertificate: z.boolean(),
    keepSecret: z.boolean(),
    // Targets that 0.1 saved say nothing of it.
    keepCredentials: z.boolean().default(false),
    markReplays: z.boolean(),
  }),
  'targets.remove': z.strictObject({ name: endpointName }),
  'targets.set-default': z.strictObject({ name: endpointName.nullable() }),
  'replay.send': z.strictObject({
    delivery: id,
    to,
    edit: z
      .strictObject({
        method: method.optional(),
        url: z
          .string()
          .max(64_000)
          .regex(/^\/[\x21-\x22\x24-\x7e]*$/, 'start with "/", no spaces or "#"')
          .optional(),
        headers: z.array(pair).max(10_000).optional(),
        bodyBase64: z.base64().max(140_000_000).optional(),
      })
      .optional(),
    times: z.int().min(1).max(100).optional(),
  }),
  'attempts.list': z
    .strictObject({
      of: z.union(
        [
          z.strictObject({ delivery: id }),
          z.strictObject({ job: id }),
          z.strictObject({ forward: endpointName }),
        ],
        'give { delivery: id }, { job: id } or { forward: name }',
      ),
      before: id.optional(),
      after: z.int().nonnegative().optional(),
      limit: z.int().min(1).max(1_000),
      failed: z.boolean().optional(),
    })
    .refine(
      ({ before, after }) => before === undefined || after === undefined,
      'give before or after, not both',
    ),
  'attempts.get': z.strictObject({ id, reveal: z.boolean().optional() }),
  'attempts.body': z.strictObject({
    id,
    of: z.enum(['request', 'answer']),
    from: z.int().nonnegative(),
    length: z.int().min(1).max(8_388_608),
  }),
  'jobs.preview': run,
  'jobs.start': run,
  'jobs.list': nothing,
  'jobs.get': byId,
  'jobs.pause': byId,
  'jobs.resume': byId,
  'jobs.cancel': byId,
  'jobs.retry-failed': byId,
  'jobs.remove': byId,
  'forwards.list': nothing,
  'forwards.save': z.strictObject({
    previousName: endpointName.optional(),
    name: endpointName,
    enabled: z.boolean(),
    filter,
    targets: z.array(targetReference).min(1).max(20),
    concurrency: z.int().min(1).max(64),
    whenDown: z.enum(['queue', 'drop']),
    answerFrom: targetReference.nullable(),
    answerTimeoutMs: z.int().min(1).max(60_000),
    temporary: z.boolean(),
  }),
  'forwards.remove': z.strictObject({ name: endpointName }),
  'forwards.retry': z.strictObject({ name: endpointName }),
  'forwards.clear': z.strictObject({ name: endpointName, target: targetReference }),
  'faults.list': nothing,
  'faults.add': z.strictObject({
    endpoint: endpointName.nullable(),
    effect: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('status'), status: z.int().min(200).max(599) }),
      z.strictObject({ type: z.literal('delay'), ms: z.int().min(1).max(600_000) }),
      z.strictObject({ type: z.literal('hang') }),
      z.strictObject({ type: z.literal('reset') }),
      z.strictObject({ type: z.literal('close-mid-answer') }),
    ]),
    probability: z.number().min(0).max(1),
    seed: z.int().nonnegative(),
    filter,
    next: z.int().positive().nullable(),
    until: z.int().nonnegative().nullable(),
    id: z.int().positive().optional(),
  }),
  'faults.remove': byId,
  'faults.clear': nothing,
}
