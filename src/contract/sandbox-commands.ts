import { z } from 'zod'
import type { Kind } from '#catalog/kinds.ts'
import {
  SANDBOX_LOG_TYPES,
  SANDBOX_OUTCOMES,
  type SandboxEmitted,
  type SandboxKey,
  type SandboxLaboratory,
  type SandboxLaboratoryChange,
  type SandboxLogBrief,
  type SandboxLogEntry,
  type SandboxLogPage,
  type SandboxLogQuery,
  type SandboxOperation,
  type SandboxPlugin,
  type SandboxPluginSettings,
  type SandboxRun,
  type SandboxScenario,
  type SandboxState,
  type SandboxStatus,
  type SandboxSubscription,
  type SandboxSubscriptionChange,
  type SandboxTraffic,
  type SandboxTrafficSettings,
  type SandboxWorkspace,
} from './sandbox.ts'

type None = Record<string, never>

/**
 * The sandbox through the window and the command line. All but the first two are `not-available` while none runs. What the sandbox itself
 * refuses comes as `bad-params`, `not-found` or `conflict` with its own sentence; then nothing was changed.
 */
export interface SandboxCommands {
  'sandbox.status': { params: None; result: SandboxStatus }
  /** Does nothing when it runs. Port 4402 unless another is given, the next free one when that is taken; 0 takes a free one. */
  'sandbox.start': { params: { port?: number }; result: SandboxStatus }
  /** `conflict` when it runs in another process. */
  'sandbox.stop': { params: None; result: SandboxStatus }
  'sandbox.state': { params: None; result: SandboxState }
  'sandbox.set-workspace': { params: Partial<SandboxWorkspace>; result: SandboxWorkspace }
  /** Begins anew from the seed: documents, log and laboratory are emptied. Subscriptions stay, unless `subscriptions` is true. */
  'sandbox.reset': { params: { seed?: number; subscriptions?: boolean }; result: SandboxState }
  'sandbox.subscriptions': { params: None; result: { subscriptions: readonly SandboxSubscription[] } }
  'sandbox.save-subscription': { params: SandboxSubscriptionChange; result: SandboxSubscription }
  'sandbox.remove-subscription': { params: { id: number }; result: { removed: number } }
  /** Sends the connectivity test, active or not; it is no event and is logged apart. */
  'sandbox.test-subscription': { params: { id: number }; result: SandboxLogEntry }
  'sandbox.operations': {
    params: None
    result: { operations: readonly SandboxOperation[]; scenarios: readonly SandboxScenario[] }
  }
  /** `id` of the result is the document, customer, supplier or product concerned. */
  'sandbox.perform': {
    params: { name: string; params: Readonly<Record<string, unknown>> }
    result: SandboxEmitted & { readonly id: string }
  }
  /** `data` as given instead of the event's own; then `set` puts values at JSON pointers of the envelope. At most 1,000 at once. */
  'sandbox.emit': {
    params: {
      kind: Kind
      data?: unknown
      set?: Readonly<Record<string, unknown>>
      count?: number
      seed?: number
    }
    result: SandboxEmitted
  }
  /** Dispatches exactly this JSON text to the subscriptions of the kind, whether or not it fits the schema. */
  'sandbox.send': { params: { kind: Kind; body: string }; result: SandboxEmitted }
  /** The body that `sandbox.emit` would send now, as indented JSON; nothing is kept or sent. */
  'sandbox.preview': { params: { kind: Kind; seed?: number }; result: { body: string } }
  /** Answers when its last event has been made; at once with `background`: `sandbox.run` then tells how far it is. */
  'sandbox.scenario': {
    params: { slug: string; count?: number; seed?: number; background?: boolean }
    result: SandboxRun & { readonly scenario: string }
  }
  'sandbox.run': { params: { run: string }; result: SandboxRun }
  /** Stops a scenario; events that were made are delivered. */
  'sandbox.stop-run': { params: { run: string }; result: SandboxRun }
  'sandbox.traffic': { params: None; result: SandboxTraffic }
  'sandbox.start-traffic': {
    params: { rate: number } & Partial<Omit<SandboxTrafficSettings, 'rate'>>
    result: SandboxTraffic
  }
  'sandbox.stop-traffic': { params: None; result: SandboxTraffic }
  'sandbox.laboratory': { params: None; result: SandboxLaboratory }
  'sandbox.set-laboratory': { params: SandboxLaboratoryChange; result: SandboxLaboratory }
  'sandbox.clear-laboratory': { params: None; result: SandboxLaboratory }
  'sandbox.log': { params: SandboxLogQuery; result: SandboxLogPage<SandboxLogBrief> }
  /** The same with requests and answers, for an export: at most 100 at once. */
  'sandbox.log-entries': { params: SandboxLogQuery; result: SandboxLogPage<SandboxLogEntry> }
  'sandbox.log-entry': { params: { id: number; reveal?: boolean }; result: SandboxLogEntry }
  'sandbox.keys': { params: None; result: { keys: readonly SandboxKey[] } }
  /** The result is the only place where the key is ever shown. */
  'sandbox.issue-key': { params: { name?: string }; result: SandboxKey & { readonly key: string } }
  'sandbox.revoke-key': { params: { id: number }; result: { removed: number } }
  'sandbox.plugins': { params: None; result: { plugins: readonly SandboxPlugin[] } }
  /** The result is the only place where the token is ever shown. */
  'sandbox.install-plugin': {
    params: Partial<SandboxPluginSettings>
    result: SandboxPlugin & { readonly token: string }
  }
  'sandbox.change-plugin': { params: { id: number } & Partial<SandboxPluginSettings>; result: SandboxPlugin }
  'sandbox.remove-plugin': { params: { id: number }; result: { removed: number } }
}
export type SandboxCommandName = keyof SandboxCommands
/** Those that go to the running sandbox; the others are about whether it runs. */
export type SandboxCallName = Exclude<SandboxCommandName, 'sandbox.status' | 'sandbox.start' | 'sandbox.stop'>

// What a value may be in detail is the sandbox's to say, in sentences of its own; here only its type and a size that no form exceeds.
const nothing = z.strictObject({})
const id = z.int().positive()
const seed = z.int().min(0).max(0xffff_ffff)
const text = z.string().max(1_000)
const kind = z.string().max(100)
const kinds = z.array(kind).max(100)
const address = z.string().max(8_192)
const share = z.number().min(0).max(1)
const millis = z.int().min(0).max(60_000)
const fault = { share: share.optional(), kinds: kinds.nullable().optional() }
const logQuery = {
  type: z.enum(SANDBOX_LOG_TYPES).optional(),
  outcome: z.enum(SANDBOX_OUTCOMES).optional(),
  lost: z.boolean().optional(),
  superseded: z.boolean().optional(),
  kind: text.optional(),
  subject: text.optional(),
  subscription: id.optional(),
  run: text.optional(),
  q: text.optional(),
  order: z.enum(['oldest', 'newest']).optional(),
  after: z.int().nonnegative().optional(),
}
const plugin = {
  name: text.optional(),
  url: address.nullable().optional(),
  eventTypes: z.array(text).max(100).optional(),
  active: z.boolean().optional(),
}

/** What a boundary accepts of them. */
export const SANDBOX_PARAMS: { readonly [C in SandboxCommandName]: z.ZodType<unknown> } = {
  'sandbox.status': nothing,
  'sandbox.start': z.strictObject({ port: z.int().min(0).max(65_535).optional() }),
  'sandbox.stop': nothing,
  'sandbox.state': nothing,
  'sandbox.set-workspace': z.strictObject({
    name: text.optional(),
    plan: text.optional(),
    offset: text.optional(),
  }),
  'sandbox.reset': z.strictObject({ seed: seed.optional(), subscriptions: z.boolean().optional() }),
  'sandbox.subscriptions': nothing,
  'sandbox.save-subscription': z.strictObject({
    id: id.optional(),
    name: text.optional(),
    url: address.optional(),
    method: z.enum(['GET', 'PUT', 'POST']).optional(),
    // No bound on their count (Receiver contract, 3).
    headers: z.array(z.strictObject({ name: text, value: z.string().max(65_536).nullable() })).optional(),
    kinds: kinds.optional(),
    active: z.boolean().optional(),
  }),
  'sandbox.remove-subscription': z.strictObject({ id }),
  'sandbox.test-subscription': z.strictObject({ id }),
  'sandbox.operations': nothing,
  'sandbox.perform': z.strictObject({ name: text, params: z.record(z.string(), z.unknown()) }),
  'sandbox.emit': z.strictObject({
    kind,
    data: z.unknown().optional(),
    set: z.record(z.string(), z.unknown()).optional(),
    count: z.int().min(1).max(1_000).optional(),
    seed: seed.optional(),
  }),
  'sandbox.send': z.strictObject({ kind, body: z.string().max(524_288) }),
  'sandbox.preview': z.strictObject({ kind, seed: seed.optional() }),
  'sandbox.scenario': z.strictObject({
    slug: text,
    count: z.int().min(1).max(1_000_000).optional(),
    seed: seed.optional(),
    background: z.boolean().optional(),
  }),
  'sandbox.run': z.strictObject({ run: text }),
  'sandbox.stop-run': z.strictObject({ run: text }),
  'sandbox.traffic': nothing,
  'sandbox.start-traffic': z.strictObject({
    rate: z.number().min(0.01).max(500),
    mix: z.record(z.string().max(100), z.number().min(0).max(1_000_000)).optional(),
    seed: seed.optional(),
    count: z.int().min(1).max(10_000_000).optional(),
    seconds: z.number().min(1).max(86_400).optional(),
  }),
  'sandbox.stop-traffic': nothing,
  'sandbox.laboratory': nothing,
  'sandbox.set-laboratory': z.strictObject({
    seed: seed.optional(),
    lose: z.strictObject(fault).optional(),
    delay: z.strictObject({ ...fault, leastMs: millis.optional(), mostMs: millis.optional() }).optional(),
    duplicate: z.strictObject(fault).optional(),
    reorder: z.strictObject({ ...fault, holdMs: millis.optional() }).optional(),
    cut: z.strictObject(fault).optional(),
    sync: z
      .strictObject({
        fault: z.enum(['none', 'error-500', 'error-429', 'slow', 'truncated']).optional(),
        share: share.optional(),
        retryAfterSeconds: z.int().min(0).max(3_600).optional(),
        slowMs: millis.optional(),
        casing: z.enum(['documented', 'camel', 'lower', 'upper', 'snake']).optional(),
        nesting: z.enum(['documented', 'data', 'accounting']).optional(),
        order: z.enum(['documented', 'descending', 'shuffled']).optional(),
        reduce: z.enum(['none', 'id-accounting', 'number-accounting']).optional(),
      })
      .optional(),
  }),
  'sandbox.clear-laboratory': nothing,
  'sandbox.log': z.strictObject({ ...logQuery, limit: z.int().min(1).max(1_000).optional() }),
  'sandbox.log-entries': z.strictObject({ ...logQuery, limit: z.int().min(1).max(100).optional() }),
  'sandbox.log-entry': z.strictObject({ id, reveal: z.boolean().optional() }),
  'sandbox.keys': nothing,
  'sandbox.issue-key': z.strictObject({ name: text.optional() }),
  'sandbox.revoke-key': z.strictObject({ id }),
  'sandbox.plugins': nothing,
  'sandbox.install-plugin': z.strictObject(plugin),
  'sandbox.change-plugin': z.strictObject({ id, ...plugin }),
  'sandbox.remove-plugin': z.strictObject({ id }),
}
