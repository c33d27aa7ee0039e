import { KINDS } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES, WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxLaboratory, SandboxLaboratoryChange } from '#contract/sandbox.ts'
import type { SandboxCallName, SandboxParams, SandboxResult } from '#contract/sandbox-commands.ts'
import { type Dispatcher, tryConnection } from '../dispatch/dispatcher.ts'
import { localTime } from '../domain/json.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { bad, notFound } from '../domain/refusal.ts'
import { type KeptLaboratory, NO_LABORATORY } from '../laboratory/laboratory.ts'
import type { ExecutionLog } from '../log/log.ts'
import { type ApiKeys, OWN_NAME, type Plugins } from '../records/credentials.ts'
import {
  type CustomHeader,
  headerProblem,
  type Subscription,
  type Subscriptions,
  urlProblem,
  urlWarning,
} from '../records/subscriptions.ts'
import { type Runs, type Traffic, USUAL_MIX } from '../traffic/traffic.ts'
import type { World } from '../world/world.ts'

export interface AdminContext {
  readonly world: World
  readonly subscriptions: Subscriptions
  readonly keys: ApiKeys
  readonly plugins: Plugins
  readonly laboratory: KeptLaboratory
  readonly log: ExecutionLog
  readonly dispatcher: Dispatcher
  readonly runs: Runs
  readonly traffic: Traffic
  readonly now: () => number
  readonly timeoutMs: number
}

/** Calls answered here; the router answers the other two. */
export type Answered = Exclude<SandboxCallName, 'sandbox.log' | 'sandbox.log-entries'>
/** Header values of subscriptions are not masked: a caller of the admin API may see them. */
type Answer<C extends Answered> = C extends 'sandbox.subscriptions' | 'sandbox.save-subscription'
  ? object
  : SandboxResult<C>
export type Answers = {
  readonly [C in Answered]: (params: SandboxParams<C>) => Answer<C> | Promise<Answer<C>>
}

export function answersOf(context: AdminContext): Answers {
  const { world, subscriptions, keys, plugins, laboratory, log, dispatcher, runs, traffic, now } = context
  const state = (): SandboxResult<'sandbox.state'> => ({
    workspace: world.workspace(),
    // A sandbox addition: the real service gives no such hint.
    dispatches: world.workspace().plan === WEBHOOK_PLAN,
    counts: world.counts(),
    subscriptions: subscriptions.list().length,
    keys: keys.list().length,
    plugins: plugins.list().length,
    laboratory: laboratory.get(),
    traffic: traffic.state(),
    log: log.counts(),
    pending: dispatcher.pending,
    kinds: KINDS.map(({ kind, group }) => ({ kind, group })),
    scenarios: world.scenarios,
  })
  const emitted = (events: readonly SandboxEvent[]) => ({
    run: runs.submit(events),
    events: events.map(({ seq, kind, subject, body }) => ({ seq, kind, subject, body })),
  })
  const subscription = (id: number) => found(subscriptions.get(id), 'There is no such subscription.')
  const plugin = (id: number) => found(plugins.get(id), 'There is no such plugin.')
  const run = (id: string) => found(runs.get(id), 'Unknown run; the sandbox keeps only recent ones.')

  return {
    'sandbox.state': state,
    'sandbox.set-workspace': (change) => world.setWorkspace(change),
    'sandbox.reset': async ({ seed, subscriptions: all = false }) => {
      traffic.stop('reset')
      runs.stopAll()
      await dispatcher.reset()
      world.reset(seed)
      log.clear()
      laboratory.set(NO_LABORATORY)
      if (all) for (const { id } of subscriptions.list()) subscriptions.remove(id)
      return state()
    },
    'sandbox.subscriptions': () => ({ subscriptions: subscriptions.list().map(shown) }),
    'sandbox.save-subscription': ({ id, headers, ...change }) => {
      const before = id === undefined ? undefined : subscription(id)
      const url = change.url ?? before?.url
      if (url === undefined) throw bad('bad-input', 'url: is missing; give an address.', 'url')
      demandUrl(url)
      const { id: _, ...settings } = {
        id,
        name: url,
        method: 'POST' as const,
        kinds: KINDS.map(({ kind }) => kind),
        active: true,
        ...before,
        ...change,
        url,
        headers: headers ? headersOf(headers, before?.headers ?? []) : (before?.headers ?? []),
      }
      return shown(id === undefined ? subscriptions.add(settings) : subscriptions.replace(id, settings))
    },
    'sandbox.remove-subscription': ({ id }) => {
      subscription(id)
      subscriptions.remove(id)
      dispatcher.forget(id)
      return { removed: id }
    },
    'sandbox.test-subscription': async ({ id }) => {
      const at = now()
      const timestamp = localTime(at, world.workspace().offset)
      log.entry(await tryConnection(subscription(id), at, timestamp, context.timeoutMs))
      const [written] = log.full({ type: 'test', order: 'newest', limit: 1 })
      return found(written, 'The log was emptied meanwhile.')
    },
    'sandbox.operations': () => ({ operations: world.operations, scenarios: world.scenarios }),
    'sandbox.perform': ({ name, params }) => {
      const { id, events } = world.perform(name, params)
      return { id, ...emitted(events) }
    },
    'sandbox.emit': ({ kind, count = 1, seed, set, ...options }) => {
      const overrides = set && { overrides: new Map(Object.entries(set)) }
      const drawn = (i: number) => (seed === undefined ? {} : { seed: seed + i })
      return emitted(
        Array.from({ length: count }, (_, i) => world.emit(kind, { ...options, ...overrides, ...drawn(i) })),
      )
    },
    'sandbox.send': ({ kind, body }) => emitted([world.send(kind, body)]),
    'sandbox.preview': ({ kind, seed }) => ({ body: world.preview(kind, seed) }),
    'sandbox.scenario': async ({ slug, background = false, ...options }) => {
      const begun = runs.play(world.scenario(slug, options))
      if (!background) await begun.ended
      return { scenario: slug, ...run(begun.run) }
    },
    // State first, log second: an attempt that ends between the two is then pending or logged, never neither.
    'sandbox.run': ({ run: id }) => ({ ...run(id), ...log.ofRun(id) }),
    'sandbox.stop-run': ({ run: id }) => {
      run(id)
      runs.stop(id)
      return run(id)
    },
    'sandbox.traffic': () => traffic.state(),
    'sandbox.start-traffic': (settings) =>
      traffic.start({ mix: USUAL_MIX, seed: 1, count: 10_000_000, seconds: 3_600, ...settings }),
    'sandbox.stop-traffic': () => traffic.stop(),
    'sandbox.laboratory': () => laboratory.get(),
    'sandbox.set-laboratory': (change) => laboratory.set(merged(laboratory.get(), change)),
    'sandbox.clear-laboratory': () => laboratory.set(NO_LABORATORY),
    'sandbox.log-entry': ({ id }) => found(log.get(id), 'There is no such entry in the log.'),
    'sandbox.keys': () => ({ keys: keys.list().map(dated) }),
    'sandbox.issue-key': ({ name = 'API key' }) => dated(keys.issue(freeName(name), now())),
    'sandbox.revoke-key': ({ id }) => {
      if (!keys.revoke(id)) throw notFound('There is no such API key.')
      return { removed: id }
    },
    'sandbox.plugins': () => ({ plugins: plugins.list().map(dated) }),
    'sandbox.install-plugin': ({ name = 'Plugin', ...given }) => {
      demandUrl(given.url)
      const settings = { url: null, eventTypes: PLUGIN_EVENT_TYPES, active: true, ...given }
      return dated(plugins.install({ ...settings, name: freeName(name) }, now()))
    },
    'sandbox.change-plugin': ({ id, ...change }) => {
      const { id: _, createdAt: __, ...before } = plugin(id)
      demandUrl(change.url)
      if (change.name !== undefined && change.name !== before.name) freeName(change.name)
      plugins.replace(id, { ...before, ...change })
      return dated(plugin(id))
    },
    'sandbox.remove-plugin': ({ id }) => {
      plugin(id)
      plugins.remove(id)
      return { removed: id }
    },
  }
}

function found<T>(value: T | undefined, sentence: string): T {
  if (value === undefined) throw notFound(sentence)
  return value
}

function demandUrl(url: string | null = null): void {
  const problem = url === null ? null : urlProblem(url)
  if (problem !== null) throw bad('bad-input', `url: ${problem}.`, 'url')
}

/** Null as a value keeps the value of the n-th saved header of that name. */
function headersOf(
  wanted: NonNullable<SandboxParams<'sandbox.save-subscription'>['headers']>,
  present: readonly CustomHeader[],
): CustomHeader[] {
  const seen = new Map<string, number>()
  return wanted.map(({ name, value }, i) => {
    const lower = name.toLowerCase()
    const nth = seen.get(lower) ?? 0
    seen.set(lower, nth + 1)
    const kept = present.filter((header) => header.name.toLowerCase() === lower)[nth]
    const header = { name, value: value ?? kept?.value }
    if (header.value === undefined)
      throw bad('bad-input', `headers: ${name} has no present value to keep; give one.`, `headers.${i}.value`)
    const problem = headerProblem({ name, value: header.value })
    if (problem !== null) throw bad('bad-input', `headers.${i}: ${problem}.`, `headers.${i}`)
    return { name, value: header.value }
  })
}

const shown = (subscription: Subscription) => ({
  ...subscription,
  warnings: [
    ...[urlWarning(subscription.url)].filter((warning) => warning !== null),
    ...(subscription.kinds.length === 0 ? ['No kind of event is selected, so nothing would be sent.'] : []),
  ],
})

const merged = (before: SandboxLaboratory, change: SandboxLaboratoryChange): SandboxLaboratory => ({
  seed: change.seed ?? before.seed,
  lose: { ...before.lose, ...change.lose },
  delay: { ...before.delay, ...change.delay },
  duplicate: { ...before.duplicate, ...change.duplicate },
  reorder: { ...before.reorder, ...change.reorder },
  cut: { ...before.cut, ...change.cut },
  sync: { ...before.sync, ...change.sync },
})

/** Refuses the sandbox's own name: each start replaces the entries of that name, so a user's entry would vanish silently. */
function freeName(wanted: string): string {
  if (wanted === OWN_NAME)
    throw bad('name-taken', `name: "${OWN_NAME}" is the sandbox's own; choose another.`, 'name')
  return wanted
}

const dated = <T extends { readonly createdAt: number }>(one: T) => ({
  ...one,
  createdAt: new Date(one.createdAt).toISOString(),
})
