import { z } from 'zod'
import { byId, count, defineCommand, defineReading, id, kind, nothing, type Of, partial } from './params.ts'
import * as sandbox from './sandbox.ts'

const removed = z.strictObject({ removed: count })
const byRun = z.strictObject({ run: sandbox.text })

/** A command for the running sandbox. `routes`: calls of the admin API; the first whose path parameters all have values is used. */
const call = <P extends z.ZodObject, R extends z.ZodType>(
  routes: string | readonly string[],
  about: string,
  params: P,
  result: R,
) => ({ ...defineCommand(about, params, result), routes: [routes].flat() })

const CALLS = {
  'sandbox.state': call('GET /state', 'The whole state of the sandbox.', nothing, sandbox.state),
  'sandbox.set-workspace': call(
    'PUT /workspace',
    'Changes name, plan (only Corporativo dispatches webhooks) or offset (of Timestamp, such as -04:00).',
    z.strictObject(partial(sandbox.workspaceMembers)),
    sandbox.workspace,
  ),
  'sandbox.reset': call(
    'POST /reset',
    'Starts again from the seed: clears documents, log and laboratory. Subscriptions stay, unless `subscriptions` is true.',
    sandbox.resetOptions,
    sandbox.state,
  ),
  'sandbox.subscriptions': call(
    'GET /subscriptions',
    'Where the sandbox sends which kinds.',
    nothing,
    z.strictObject({ subscriptions: z.array(sandbox.subscription) }),
  ),
  'sandbox.save-subscription': call(
    ['PUT /subscriptions/:id', 'POST /subscriptions'],
    'Adds a subscription, or changes members of one.',
    sandbox.subscriptionChange,
    sandbox.subscription,
  ),
  'sandbox.remove-subscription': call(
    'DELETE /subscriptions/:id',
    'Removes a subscription and discards the deliveries that wait for it.',
    byId,
    removed,
  ),
  'sandbox.test-subscription': call(
    'POST /subscriptions/:id/test',
    'Sends the connectivity test, active or not; it is not an event and is logged apart.',
    byId,
    sandbox.logEntry,
  ),
  'sandbox.operations': call(
    'GET /operations',
    'What can be done to the workspace: the operations with their parameters, and the scenarios.',
    nothing,
    z.strictObject({ operations: z.array(sandbox.operation), scenarios: z.array(sandbox.scenario) }),
  ),
  'sandbox.perform': call(
    'POST /operations/:name',
    'Performs an operation. `id` of the result is the document, customer, supplier or product concerned.',
    z.strictObject({ name: sandbox.text, params: z.record(z.string(), z.unknown()) }),
    sandbox.emitted.extend({ id: z.string() }),
  ),
  'sandbox.emit': call(
    'POST /emit',
    "Emits events. `data` as given instead of the event's own; then `set` puts values at JSON pointers of the envelope. At most 1,000 at once.",
    z.strictObject({
      kind,
      data: z.unknown().exactOptional(),
      set: z.record(z.string(), z.unknown()).exactOptional(),
      count: z.int().min(1).max(1_000).exactOptional(),
      seed: sandbox.seed.exactOptional(),
    }),
    sandbox.emitted,
  ),
  'sandbox.send': call(
    'POST /send',
    'Dispatches exactly this JSON text to the subscriptions of the kind, whether or not it fits the schema.',
    z.strictObject({ kind, body: sandbox.wellFormed(z.string().max(16_777_216)) }),
    sandbox.emitted,
  ),
  'sandbox.preview': call(
    'POST /preview',
    'The body that `sandbox.emit` would send now, as indented JSON; nothing is kept or sent.',
    z.strictObject({ kind, seed: sandbox.seed.exactOptional() }),
    z.strictObject({ body: z.string() }),
  ),
  'sandbox.scenario': call(
    'POST /scenarios/:slug',
    'Runs a scenario. Answers when its last event has been made; with `background` immediately: `sandbox.run` then reports progress.',
    sandbox.scenarioOptions,
    sandbox.run.extend({ scenario: z.string() }),
  ),
  'sandbox.run': call(
    'GET /runs/:run',
    'The progress of a call, and the outcomes of its events.',
    byRun,
    sandbox.runProgress,
  ),
  'sandbox.stop-run': call(
    'DELETE /runs/:run',
    'Stops a scenario; events that were made are delivered.',
    byRun,
    sandbox.run,
  ),
  'sandbox.traffic': call('GET /traffic', 'The generator of traffic.', nothing, sandbox.traffic),
  'sandbox.start-traffic': call(
    'POST /traffic',
    'Starts the generator.',
    z.strictObject({ rate: sandbox.rate, ...partial(sandbox.trafficMembers) }),
    sandbox.traffic,
  ),
  'sandbox.stop-traffic': call('DELETE /traffic', 'Stops the generator.', nothing, sandbox.traffic),
  'sandbox.laboratory': call('GET /laboratory', 'The laboratory.', nothing, sandbox.laboratory),
  'sandbox.set-laboratory': call(
    'PUT /laboratory',
    'Changes members of the laboratory.',
    sandbox.laboratoryChange,
    sandbox.laboratory,
  ),
  'sandbox.clear-laboratory': call(
    'DELETE /laboratory',
    'Switches the laboratory off.',
    nothing,
    sandbox.laboratory,
  ),
  'sandbox.log': call(
    'GET /log?brief=true',
    'A page of the execution log.',
    sandbox.logQuery,
    sandbox.briefPage,
  ),
  'sandbox.log-entries': call(
    'GET /log',
    'The same with requests and answers, for an export: at most 100 at once.',
    z.strictObject({ ...sandbox.logFilter, limit: z.int().min(1).max(100).exactOptional() }),
    sandbox.entryPage,
  ),
  'sandbox.log-entry': call(
    'GET /log/:id',
    'One entry of the log whole.',
    z.strictObject({ id, reveal: z.boolean().exactOptional() }),
    sandbox.logEntry,
  ),
  'sandbox.keys': call(
    'GET /keys',
    'API keys; the keys themselves are known only to their owners.',
    nothing,
    z.strictObject({ keys: z.array(sandbox.key) }),
  ),
  'sandbox.issue-key': call(
    'POST /keys',
    'Issues an API key. The result is the only place where the key is ever shown.',
    sandbox.keyOptions,
    sandbox.key.extend({ key: z.string() }),
  ),
  'sandbox.revoke-key': call('DELETE /keys/:id', 'Revokes an API key.', byId, removed),
  'sandbox.plugins': call(
    'GET /plugins',
    'Installed plugins.',
    nothing,
    z.strictObject({ plugins: z.array(sandbox.plugin) }),
  ),
  'sandbox.install-plugin': call(
    'POST /plugins',
    'Installs a plugin. The result is the only place where its token is ever shown.',
    sandbox.pluginOptions,
    sandbox.plugin.extend({ token: z.string() }),
  ),
  'sandbox.change-plugin': call(
    'PUT /plugins/:id',
    'Changes members of a plugin.',
    z.strictObject({ id, ...partial(sandbox.pluginMembers) }),
    sandbox.plugin,
  ),
  'sandbox.remove-plugin': call(
    'DELETE /plugins/:id',
    'Uninstalls a plugin and revokes its token.',
    byId,
    removed,
  ),
}
type Calls = typeof CALLS
export type SandboxCallName = keyof Calls
/** Parameters and result of a call to the sandbox. */
export type SandboxParams<C extends SandboxCallName> = Of<Calls[C]['params']>
export type SandboxResult<C extends SandboxCallName> = Of<Calls[C]['result']>

interface Call<C extends SandboxCallName> {
  readonly about: string
  readonly routes: readonly string[]
  readonly params: z.ZodType<SandboxParams<C>> & { readonly shape: Readonly<Record<string, z.core.$ZodType>> }
}
/** Commands for the running sandbox; `not-available` if none runs. A refused command changes nothing and gives the sandbox's sentence. */
export const SANDBOX_CALLS: { readonly [C in SandboxCallName]: Call<C> } = CALLS
export const SANDBOX_CALL_NAMES = Object.keys(CALLS) as readonly SandboxCallName[]

export const sandboxCommands = {
  'sandbox.status': defineReading('Whether the sandbox runs, and where.', nothing, sandbox.status),
  'sandbox.start': defineCommand(
    'Starts the sandbox; does nothing when it runs. Port 4402 unless another is given, the next free one when that is taken; 0 takes a free one.',
    z.strictObject({ port: z.int().min(0).max(65_535).exactOptional() }),
    sandbox.status,
  ),
  'sandbox.stop': defineCommand(
    'Stops the sandbox. `conflict` when it runs in another process.',
    nothing,
    sandbox.status,
  ),
  ...CALLS,
}
export type SandboxCommandName = keyof typeof sandboxCommands
