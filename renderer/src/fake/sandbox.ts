import { KINDS, type Kind } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES, WEBHOOK_PLAN } from '#catalog/service.ts'
import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type {
  SandboxEmitted,
  SandboxKey,
  SandboxLaboratory,
  SandboxLogEntry,
  SandboxOutcome,
  SandboxPlugin,
  SandboxRun,
  SandboxState,
  SandboxSubscription,
} from '#contract/sandbox.ts'
import type { SandboxCommandName } from '#contract/sandbox-commands.ts'
import { wholeBodyOf } from './bodies.ts'
import { NO_LABORATORY, OPERATIONS, SCENARIOS } from './sandbox-facts.ts'
import { entryOf, manyEntries, pageOf } from './sandbox-log.ts'

type Handlers = { readonly [C in SandboxCommandName]: (params: Params<C>) => Result<C> }
const URL_HERE = 'http://127.0.0.1:4402'
const RECEIVER = 'http://127.0.0.1:4400/'
const PLAIN = { traffic: { running: false, settings: null, made: 0, ended: null, reason: null } } as const

/** The sandbox's commands in memory: what is sent goes nowhere, and the log says what would have come of it. */
export class FakeSandbox {
  running = false
  workspace = { name: 'Acuse Sandbox', plan: WEBHOOK_PLAN as string, offset: '-04:00' }
  laboratory: SandboxLaboratory = NO_LABORATORY
  traffic: SandboxState['traffic'] = PLAIN.traffic
  subscriptions: SandboxSubscription[] = []
  keys: SandboxKey[] = []
  plugins: SandboxPlugin[] = []
  log: SandboxLogEntry[] = []
  /** Called with how many deliveries the receiver of the fake host gets. */
  onDelivered: (count: number) => void = () => undefined
  #runs = new Map<string, SandboxRun>()
  #last = 0

  /** Running, subscribed, and with a log of so many entries. */
  fill(entries: number): void {
    this.running = true
    if (this.subscriptions.length === 0)
      this.handlers['sandbox.save-subscription']({ name: 'Acuse receiver', url: RECEIVER })
    this.keys = [{ id: 1, name: 'Acuse', createdAt: '2026-11-20T14:03:00.000Z' }]
    this.log = manyEntries(7, entries, RECEIVER)
  }

  #state(): SandboxState {
    const outcomes: Partial<Record<SandboxOutcome, number>> = {}
    for (const { outcome } of this.log) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    return {
      workspace: this.workspace,
      dispatches: this.workspace.plan === WEBHOOK_PLAN,
      counts: { documents: 240, customers: 24, suppliers: 12, products: 30, events: this.log.length },
      subscriptions: this.subscriptions.length,
      keys: this.keys.length,
      plugins: this.plugins.length,
      laboratory: this.laboratory,
      traffic: this.traffic,
      log: { outcomes, lost: this.log.filter(({ lost }) => lost).length },
      pending: 0,
      kinds: KINDS.map(({ kind, group }) => ({ kind, group })),
      scenarios: SCENARIOS,
    }
  }

  #outcome(nth: number): SandboxOutcome {
    if (this.workspace.plan !== WEBHOOK_PLAN) return 'not-dispatched'
    return (nth * 0.618_034) % 1 < this.laboratory.lose.share ? 'lost' : 'delivered'
  }

  #emitted(cause: string, made: readonly { readonly kind: Kind; readonly body: string }[]): SandboxEmitted {
    const run = `run-${this.#nextId()}`
    const events = made.map(({ kind, body }) => {
      for (const { url, name, active, kinds } of this.subscriptions) {
        if (!active || !kinds.includes(kind)) continue
        const id = (this.log.at(-1)?.id ?? 0) + 1
        const outcome = this.#outcome(id)
        this.log.push(entryOf(id, Date.now(), { kind, body, run, cause, outcome, url, target: name }))
        if (outcome === 'delivered' && url === RECEIVER) this.onDelivered(1)
      }
      const subject = /"(?:Document|Customer|Supplier|Product)Id":\s*"([^"]+)"/.exec(body)?.[1] ?? kind
      return { seq: this.#nextId(), kind, subject, body }
    })
    this.#runs.set(run, { run, running: false, events: events.length, pending: 0, error: null, reason: null })
    return { run, events }
  }

  #nextId(): number {
    this.#last += 1
    return this.#last
  }

  #one<T extends { readonly id: number }>(list: readonly T[], id: number): T {
    const found = list.find((one) => one.id === id)
    if (!found) throw new AcuseError('not-found', `there is none of number ${id}`)
    return found
  }

  #run(run: string): SandboxRun {
    const found = this.#runs.get(run)
    if (!found) throw new AcuseError('not-found', 'There is no such run, or it was long ago.')
    return found
  }

  readonly handlers: Handlers = {
    'sandbox.status': () => (this.running ? { running: true, url: URL_HERE } : { running: false }),
    'sandbox.start': () => {
      this.running = true
      return { running: true, url: URL_HERE }
    },
    'sandbox.stop': () => {
      this.running = false
      return { running: false }
    },
    'sandbox.state': () => {
      if (!this.running) throw new AcuseError('not-available', 'The sandbox does not run.')
      return this.#state()
    },
    'sandbox.set-workspace': (change) => {
      this.workspace = { ...this.workspace, ...change }
      return this.workspace
    },
    'sandbox.reset': ({ subscriptions }) => {
      this.log = []
      this.laboratory = NO_LABORATORY
      this.traffic = PLAIN.traffic
      if (subscriptions) this.subscriptions = []
      return this.#state()
    },
    'sandbox.subscriptions': () => ({ subscriptions: [...this.subscriptions] }),
    'sandbox.save-subscription': ({ id, ...change }) => {
      const before = id === undefined ? undefined : this.#one(this.subscriptions, id)
      const headers = (change.headers ?? before?.headers ?? []).map((header) => ({
        ...{ name: header.name, value: header.value ?? '24 characters' },
        masked: header.value === null || /secret|token|auth/i.test(header.name),
      }))
      const saved: SandboxSubscription = {
        id: before?.id ?? this.#nextId(),
        name: change.name ?? before?.name ?? change.url ?? '',
        url: change.url ?? before?.url ?? '',
        method: change.method ?? before?.method ?? 'POST',
        headers,
        kinds: change.kinds ?? before?.kinds ?? KINDS.map(({ kind }) => kind),
        active: change.active ?? before?.active ?? true,
        warnings: [],
      }
      this.subscriptions = before
        ? this.subscriptions.map((one) => (one.id === saved.id ? saved : one))
        : [...this.subscriptions, saved]
      return saved
    },
    'sandbox.remove-subscription': ({ id }) => {
      this.subscriptions = this.subscriptions.filter((one) => one.id !== id)
      return { removed: id }
    },
    'sandbox.test-subscription': ({ id }) => {
      const { url, name } = this.#one(this.subscriptions, id)
      const body = '{"Event":"test.connection","Timestamp":"2026-11-21T09:30:00-04:00","data":{}}'
      const reached = url === RECEIVER
      const entry = entryOf((this.log.at(-1)?.id ?? 0) + 1, Date.now(), {
        ...{ kind: 'factura.created', body, run: null, cause: 'connectivity test', url, target: name },
        outcome: reached ? 'delivered' : 'failed',
      })
      const test: SandboxLogEntry = {
        ...entry,
        type: 'test',
        kind: 'test.connection',
        seq: null,
        lost: false,
      }
      this.log.push(test)
      return test
    },
    'sandbox.operations': () => ({ operations: OPERATIONS, scenarios: SCENARIOS }),
    'sandbox.perform': ({ name, params }) => {
      const operation = OPERATIONS.find((one) => one.name === name)
      if (!operation) throw new AcuseError('not-found', `There is no operation “${name}”.`)
      if (params.id === '00000000-0000-4000-8000-000000000000')
        throw new AcuseError('not-found', 'There is no such document.')
      const kind =
        name === 'submit' ? null : name === 'edit-amount' ? 'nota_credito.created' : 'factura.created'
      const body = wholeBodyOf(kind ?? 'factura.created', this.#nextId(), Date.now())
      const emitted = this.#emitted(name, kind === null ? [] : [{ kind, body }])
      return { ...emitted, id: emitted.events[0]?.subject ?? String(params.id) }
    },
    'sandbox.emit': ({ kind, count = 1, seed = 1 }) =>
      this.#emitted(
        'emit',
        Array.from({ length: count }, (_, i) => ({ kind, body: wholeBodyOf(kind, seed + i, Date.now()) })),
      ),
    'sandbox.send': ({ kind, body }) => this.#emitted('send', [{ kind, body }]),
    'sandbox.preview': ({ kind, seed = 1 }) => ({ body: wholeBodyOf(kind, seed % 100_000, Date.now()) }),
    'sandbox.scenario': ({ slug, count = 4 }) => {
      const before = this.laboratory
      if (slug === 'outage-day') this.laboratory = { ...before, lose: { share: 0.3, kinds: null } }
      const kinds: readonly Kind[] = ['factura.created', 'dgii.en_proceso', 'dgii.aprobado']
      const made = Array.from({ length: count }, (_, i) => {
        const kind = kinds[i % kinds.length] ?? 'factura.created'
        return { kind, body: wholeBodyOf(kind, i, Date.now()) }
      })
      const { run } = this.#emitted(slug, made)
      this.laboratory = before
      return { ...this.#run(run), scenario: slug, running: true }
    },
    'sandbox.run': ({ run }) => this.#run(run),
    'sandbox.stop-run': ({ run }) => this.#run(run),
    'sandbox.traffic': () => this.traffic,
    'sandbox.start-traffic': ({ rate, seed = 1, count = 10_000_000, seconds = 3_600, mix = {} }) => {
      this.traffic = {
        ...{ running: true, made: 0, ended: null, reason: null },
        settings: { rate, seed, count, seconds, mix },
      }
      return this.traffic
    },
    'sandbox.stop-traffic': () => {
      this.traffic = { ...this.traffic, running: false, ended: 'stopped', reason: 'stopped' }
      return this.traffic
    },
    'sandbox.laboratory': () => this.laboratory,
    'sandbox.set-laboratory': (change) => {
      const now = this.laboratory
      this.laboratory = {
        seed: change.seed ?? now.seed,
        lose: { ...now.lose, ...change.lose },
        delay: { ...now.delay, ...change.delay },
        duplicate: { ...now.duplicate, ...change.duplicate },
        reorder: { ...now.reorder, ...change.reorder },
        cut: { ...now.cut, ...change.cut },
        sync: { ...now.sync, ...change.sync },
      }
      return this.laboratory
    },
    'sandbox.clear-laboratory': () => {
      this.laboratory = NO_LABORATORY
      return this.laboratory
    },
    'sandbox.log': (query) => pageOf(this.log, query),
    'sandbox.log-entries': (query) => pageOf(this.log, query),
    'sandbox.log-entry': ({ id }) => this.#one(this.log, id),
    'sandbox.keys': () => ({ keys: [...this.keys] }),
    'sandbox.issue-key': ({ name = 'API key' }) => {
      const key = { id: this.#nextId() + 100, name, createdAt: new Date().toISOString() }
      this.keys.push(key)
      return { ...key, key: 'key_Zk3v0n8qT1yLrW6uXbH2dPcJsA9fGm4E' }
    },
    'sandbox.revoke-key': ({ id }) => {
      this.keys = this.keys.filter((key) => key.id !== id)
      return { removed: id }
    },
    'sandbox.plugins': () => ({ plugins: [...this.plugins] }),
    'sandbox.install-plugin': (given) => {
      const plugin: SandboxPlugin = {
        ...{ name: 'Plugin', url: null, eventTypes: PLUGIN_EVENT_TYPES, active: true, ...given },
        ...{ id: this.#nextId(), createdAt: new Date().toISOString() },
      }
      this.plugins.push(plugin)
      return { ...plugin, token: 'plugin_m4E9fGsAJcPd2HbXu6WrLy1Tq8n0v3kZ' }
    },
    'sandbox.change-plugin': ({ id, ...change }) => {
      const changed = { ...this.#one(this.plugins, id), ...change }
      this.plugins = this.plugins.map((one) => (one.id === id ? changed : one))
      return changed
    },
    'sandbox.remove-plugin': ({ id }) => {
      this.plugins = this.plugins.filter((one) => one.id !== id)
      return { removed: id }
    },
  }
}
