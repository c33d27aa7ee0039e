import { z } from 'zod'
import { byId, count, defineCommand, id, kind, nothing, partial } from './params.ts'
import {
  briefPage,
  emitted,
  entryPage,
  key,
  keyOptions,
  laboratory,
  laboratoryChange,
  logEntry,
  logFilter,
  logQuery,
  operation,
  plugin,
  pluginMembers,
  pluginOptions,
  rate,
  resetOptions,
  run,
  scenario,
  scenarioOptions,
  seed,
  state,
  status,
  subscription,
  subscriptionChange,
  text,
  traffic,
  trafficMembers,
  workspace,
  workspaceMembers,
} from './sandbox.ts'

const removed = z.strictObject({ removed: count })

/** All but the first three are `not-available` while no sandbox runs. What it refuses changes nothing and has its own sentence. */
export const sandboxCommands = {
  'sandbox.status': defineCommand({
    about: 'Whether the sandbox runs, and where.',
    params: nothing,
    result: status,
  }),
  'sandbox.start': defineCommand({
    about:
      'Starts the sandbox; does nothing when it runs. Port 4402 unless another is given, the next free one when that is taken; 0 takes a free one.',
    params: z.strictObject({ port: z.int().min(0).max(65_535).exactOptional() }),
    result: status,
  }),
  'sandbox.stop': defineCommand({
    about: 'Stops the sandbox. `conflict` when it runs in another process.',
    params: nothing,
    result: status,
  }),
  'sandbox.state': defineCommand({
    about: 'Everything about the sandbox in one look.',
    params: nothing,
    result: state,
  }),
  'sandbox.set-workspace': defineCommand({
    about: 'Changes name, plan or offset.',
    params: z.strictObject(partial(workspaceMembers)),
    result: workspace,
  }),
  'sandbox.reset': defineCommand({
    about:
      'Begins anew from the seed: documents, log and laboratory are emptied. Subscriptions stay, unless `subscriptions` is true.',
    params: resetOptions,
    result: state,
  }),
  'sandbox.subscriptions': defineCommand({
    about: 'Where the sandbox sends which kinds.',
    params: nothing,
    result: z.strictObject({ subscriptions: z.array(subscription) }),
  }),
  'sandbox.save-subscription': defineCommand({
    about: 'Adds a subscription, or changes members of one.',
    params: subscriptionChange,
    result: subscription,
  }),
  'sandbox.remove-subscription': defineCommand({
    about: 'Removes a subscription.',
    params: byId,
    result: removed,
  }),
  'sandbox.test-subscription': defineCommand({
    about: 'Sends the connectivity test, active or not; it is no event and is logged apart.',
    params: byId,
    result: logEntry,
  }),
  'sandbox.operations': defineCommand({
    about: 'What can be done to the workspace.',
    params: nothing,
    result: z.strictObject({ operations: z.array(operation), scenarios: z.array(scenario) }),
  }),
  'sandbox.perform': defineCommand({
    about:
      'Performs an operation. `id` of the result is the document, customer, supplier or product concerned.',
    params: z.strictObject({ name: text, params: z.record(z.string(), z.unknown()) }),
    result: emitted.extend({ id: z.string() }),
  }),
  'sandbox.emit': defineCommand({
    about:
      "Emits events. `data` as given instead of the event's own; then `set` puts values at JSON pointers of the envelope. At most 1,000 at once.",
    params: z.strictObject({
      kind,
      data: z.unknown().exactOptional(),
      set: z.record(z.string(), z.unknown()).exactOptional(),
      count: z.int().min(1).max(1_000).exactOptional(),
      seed: seed.exactOptional(),
    }),
    result: emitted,
  }),
  'sandbox.send': defineCommand({
    about:
      'Dispatches exactly this JSON text to the subscriptions of the kind, whether or not it fits the schema.',
    params: z.strictObject({ kind, body: z.string().max(524_288) }),
    result: emitted,
  }),
  'sandbox.preview': defineCommand({
    about: 'The body that `sandbox.emit` would send now, as indented JSON; nothing is kept or sent.',
    params: z.strictObject({ kind, seed: seed.exactOptional() }),
    result: z.strictObject({ body: z.string() }),
  }),
  'sandbox.scenario': defineCommand({
    about:
      'Runs a scenario. Answers when its last event has been made; at once with `background`: `sandbox.run` then tells how far it is.',
    params: scenarioOptions,
    result: run.extend({ scenario: z.string() }),
  }),
  'sandbox.run': defineCommand({
    about: 'How far a call is.',
    params: z.strictObject({ run: text }),
    result: run,
  }),
  'sandbox.stop-run': defineCommand({
    about: 'Stops a scenario; events that were made are delivered.',
    params: z.strictObject({ run: text }),
    result: run,
  }),
  'sandbox.traffic': defineCommand({ about: 'The generator of traffic.', params: nothing, result: traffic }),
  'sandbox.start-traffic': defineCommand({
    about: 'Starts the generator.',
    params: z.strictObject({ rate, ...partial(trafficMembers) }),
    result: traffic,
  }),
  'sandbox.stop-traffic': defineCommand({ about: 'Stops the generator.', params: nothing, result: traffic }),
  'sandbox.laboratory': defineCommand({ about: 'The laboratory.', params: nothing, result: laboratory }),
  'sandbox.set-laboratory': defineCommand({
    about: 'Changes members of the laboratory.',
    params: laboratoryChange,
    result: laboratory,
  }),
  'sandbox.clear-laboratory': defineCommand({
    about: 'Switches the laboratory off.',
    params: nothing,
    result: laboratory,
  }),
  'sandbox.log': defineCommand({
    about: 'A page of the execution log.',
    params: logQuery,
    result: briefPage,
  }),
  'sandbox.log-entries': defineCommand({
    about: 'The same with requests and answers, for an export: at most 100 at once.',
    params: z.strictObject({ ...logFilter, limit: z.int().min(1).max(100).exactOptional() }),
    result: entryPage,
  }),
  'sandbox.log-entry': defineCommand({
    about: 'One entry of the log whole.',
    params: z.strictObject({ id, reveal: z.boolean().exactOptional() }),
    result: logEntry,
  }),
  'sandbox.keys': defineCommand({
    about: 'API keys; the keys themselves are known only to their owners.',
    params: nothing,
    result: z.strictObject({ keys: z.array(key) }),
  }),
  'sandbox.issue-key': defineCommand({
    about: 'Issues an API key. The result is the only place where the key is ever shown.',
    params: keyOptions,
    result: key.extend({ key: z.string() }),
  }),
  'sandbox.revoke-key': defineCommand({ about: 'Revokes an API key.', params: byId, result: removed }),
  'sandbox.plugins': defineCommand({
    about: 'Installed plugins.',
    params: nothing,
    result: z.strictObject({ plugins: z.array(plugin) }),
  }),
  'sandbox.install-plugin': defineCommand({
    about: 'Installs a plugin. The result is the only place where its token is ever shown.',
    params: pluginOptions,
    result: plugin.extend({ token: z.string() }),
  }),
  'sandbox.change-plugin': defineCommand({
    about: 'Changes members of a plugin.',
    params: z.strictObject({ id, ...partial(pluginMembers) }),
    result: plugin,
  }),
  'sandbox.remove-plugin': defineCommand({ about: 'Removes a plugin.', params: byId, result: removed }),
}
export type SandboxCommandName = keyof typeof sandboxCommands
/** Those that go to the running sandbox; the others are about whether it runs. */
export type SandboxCallName = Exclude<SandboxCommandName, 'sandbox.status' | 'sandbox.start' | 'sandbox.stop'>
const isCall = (name: string): name is SandboxCallName =>
  Object.hasOwn(sandboxCommands, name) && !['sandbox.status', 'sandbox.start', 'sandbox.stop'].includes(name)
export const SANDBOX_CALLS: readonly SandboxCallName[] = Object.keys(sandboxCommands).filter(isCall)
