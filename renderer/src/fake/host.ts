import type { CommandName, Params, Result } from '#contract/commands.ts'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { AcuseError, toRefusal } from '#contract/errors.ts'
import type { Push, Pushes, PushName } from '#contract/pushes.ts'
import type { Settings } from '#contract/settings.ts'
import type { CoverageSpan, HostStatus } from '#contract/status.ts'
import type { TimelineMark } from '#contract/timeline.ts'
import { ROWS_PER_PUSH } from '#contract/values.ts'
import { jsonOf } from '#core/copy/copied.ts'
import { curlOf } from '#core/copy/curl.ts'
import { RefusalError } from '@/shared/platform/refusal-error.ts'
import type { ConnectionState, Platform } from '@/shared/platform/types.ts'
import { copyText } from '@/shared/platform/web.ts'
import { FakeAnnotations } from './annotations.ts'
import { FakeConnect } from './connect.ts'
import { detailOf, unjudged } from './deliveries.ts'
import { FakeDocuments } from './documents.ts'
import { FakeDrift } from './drift.ts'
import { fakeFilters } from './filters.ts'
import { FakeReconcile } from './reconcile-host.ts'
import { type FakeReplayName, FakeReplays } from './replays.ts'
import { FakeSandbox } from './sandbox.ts'
import { FakeSchedules } from './schedules.ts'
import { FakeStore } from './store.ts'
import { fakeTimeline } from './timeline.ts'
import { FakeTrash } from './trash.ts'

export interface FakeOptions {
  readonly seed: number
  readonly count: number
  /** Milliseconds between two deliveries. */
  readonly gapMs: number
  /** Arrival of the first, milliseconds since the epoch. */
  readonly start: number
  readonly settings?: Partial<Settings>
}

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))

/** A host in memory, for tests and for looking at the window; nothing of it is in a shipped bundle. */
export class FakeHost {
  readonly store: FakeStore
  readonly sandbox = new FakeSandbox()
  readonly documents: FakeDocuments
  readonly drift = new FakeDrift(
    (id) => this.#made(id),
    () => this.store.count,
  )
  readonly annotations = new FakeAnnotations(this)
  readonly trash = new FakeTrash(this)
  readonly replays: FakeReplays
  readonly reconcile: FakeReconcile
  readonly schedules: FakeSchedules
  readonly connect = new FakeConnect(() => this.status.receiver)
  status: HostStatus
  settings: Settings
  /** Milliseconds that every command takes. */
  latencyMs = 0
  /** Commands that are refused, with the sentence. */
  readonly refuse = new Map<CommandName, string>()
  /** Commands carried out, for tests to count. */
  readonly calls: CommandName[] = []
  readonly copied: string[] = []
  /** When the receiver was not listening, for the timeline; the rest of it it was. */
  off: readonly CoverageSpan[] = []
  /** What was done meanwhile, for the timeline. */
  marks: readonly TimelineMark[] = []
  #seq = 0
  readonly #pushListeners = new Set<(push: Push) => void>()
  readonly #connectionListeners = new Set<(state: ConnectionState, retryAt: number | null) => void>()

  constructor(options: FakeOptions) {
    this.store = new FakeStore(options, options.count)
    this.settings = { ...DEFAULT_SETTINGS, ...options.settings }
    this.sandbox.onDelivered = (count) => this.arrive(count)
    this.replays = this.#replays()
    this.reconcile = new FakeReconcile(this)
    this.documents = new FakeDocuments(Math.floor(options.count / 3))
    this.schedules = new FakeSchedules(this)
    this.status = {
      receiver: { state: 'listening', url: 'http://127.0.0.1:4400/', host: '127.0.0.1', port: 4400 },
      store: {
        state: 'ok',
        path: '/home/ana/.local/share/acuse/acuse.db',
        reason: null,
        incidents: [],
        unreadJournals: [],
      },
      counts: {
        stored: options.count,
        today: options.count,
        rejected: 0,
        rejectedEvicted: 0,
        malformed: 0,
        malformedEvicted: 0,
        budgetDeleted: 0,
        unjudged: 0,
        spilled: 0,
        trashed: 0,
      },
      faults: [],
      rate: 0,
      disk: {
        usedBytes: options.count * 2400,
        budgetBytes: 5_000_000_000,
        overBudget: 'warn',
        rejectedBytes: 0,
        malformedBytes: 0,
        trashBytes: 0,
        freeBytes: 200_000_000_000,
      },
    }
  }

  readonly platform: Platform = {
    call: <C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> =>
      this.#call(command, params),
    onPush: (listener) => {
      this.#pushListeners.add(listener)
      return () => this.#pushListeners.delete(listener)
    },
    onConnection: (listener) => {
      this.#connectionListeners.add(listener)
      listener('open', null)
      return () => this.#connectionListeners.delete(listener)
    },
    copy: async (text) => {
      this.copied.push(text)
      await copyText(text).catch(() => undefined)
    },
    reconnect: () => this.connection('open'),
  }

  /** `n` deliveries arrive, and are judged after `judgedAfterMs`; 0: they come judged. */
  arrive(n: number, judgedAfterMs = 0): void {
    this.store.count += n
    const rows = Array.from({ length: Math.min(n, ROWS_PER_PUSH) }, (_, i) =>
      this.store.row(this.store.count - Math.min(n, ROWS_PER_PUSH) + i),
    )
    const skipped = n - rows.length
    this.changed(judgedAfterMs > 0 ? rows.map(unjudged) : rows, skipped)
    if (judgedAfterMs > 0) setTimeout(() => this.changed(rows, skipped), judgedAfterMs)
    const counts = { ...this.status.counts, stored: this.store.count, today: this.status.counts.today + n }
    this.setStatus({ counts })
  }

  changed(rows: Pushes['deliveries.changed']['rows'], skipped = 0): void {
    this.push('deliveries.changed', { rows, skipped, lastId: this.store.count, stored: this.store.count })
  }

  setStatus(change: Partial<HostStatus>): void {
    this.status = { ...this.status, ...change }
    this.push('status.changed', this.status)
  }

  connection(state: ConnectionState, retryInMs = 8_000): void {
    for (const listener of this.#connectionListeners)
      listener(state, state === 'lost' ? Date.now() + retryInMs : null)
  }

  /** @param skip sequence numbers lost before this one */
  push<P extends PushName>(push: P, payload: Pushes[P], skip = 0): void {
    this.#seq += 1 + skip
    for (const listener of this.#pushListeners) listener({ seq: this.#seq, push, payload } as Push)
  }

  async #call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    this.calls.push(command)
    await new Promise((resolve) => setTimeout(resolve, this.latencyMs))
    const sentence = this.refuse.get(command)
    if (sentence !== undefined) throw new RefusalError({ code: 'store-failed', message: sentence, command })
    try {
      return this.#handle(command, params as never) as Result<C>
    } catch (error) {
      throw new RefusalError(toRefusal(error, command))
    }
  }

  #made(id: number) {
    const rebuilt = this.reconcile.made(id)
    if (rebuilt) return rebuilt
    if (id < 1 || id > this.store.count || this.store.trashed.has(id))
      throw new AcuseError('not-found', `there is no delivery ${id}`)
    return this.store.made(id - 1)
  }

  readonly #handlers: { readonly [C in CommandName]?: (params: Params<C>) => Result<C> } = {
    'app.info': () => ({
      version: '0.1.0',
      dataDir: '/home/ana/.local/share/acuse',
      capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: true },
    }),
    'status.get': () => this.status,
    'settings.get': () => this.settings,
    'settings.update': ({ receiver, retention, desktop, appearance }) => {
      const now = this.settings
      this.settings = {
        ...now,
        receiver: { ...now.receiver, ...receiver },
        retention: { ...now.retention, ...retention },
        desktop: { ...now.desktop, ...desktop },
        appearance: { ...now.appearance, ...appearance },
      }
      return this.settings
    },
    'receiver.start': ({ host = '127.0.0.1', port = 4400 }) => {
      this.setStatus({ receiver: { state: 'listening', url: `http://${host}:${port}/`, host, port } })
      return this.status
    },
    'receiver.stop': () => {
      this.setStatus({ receiver: { state: 'off' } })
      return this.status
    },
    'deliveries.page': (params) => this.store.page(params),
    'deliveries.scan': (params) => ({ rows: this.store.scan(params) }),
    'deliveries.locate': ({ filter, id, sort }) => this.store.locate(filter, id, sort),
    'deliveries.at': ({ filter, instant, sort }) => this.store.at(filter, instant, sort),
    'deliveries.summary': ({ filter }) => this.store.summary(filter),
    ...fakeFilters(this),
    'deliveries.get': ({ id }) => ({
      ...detailOf(this.#made(id)),
      noteText: this.annotations.noteOf(id),
      drift: this.drift.facts(id),
    }),
    'deliveries.rows': ({ ids }) => ({ rows: ids.map((id) => this.#made(id).row) }),
    'deliveries.copy': ({ ids, as, base }) => ({
      taken: ids.length,
      texts: ids.map((id) => {
        const made = this.#made(id)
        const copied = { detail: detailOf(made), body: made.body }
        return as === 'json' ? jsonOf(copied) : curlOf(copied, base ?? null)
      }),
    }),
    'deliveries.body': ({ id, from, length }) => {
      const { body } = this.#made(id)
      return { bytesBase64: base64(body.slice(from, from + length)), total: body.byteLength, problem: null }
    },
    ...this.annotations.handlers,
    ...this.trash.handlers,
    'retention.preview': () => ({
      ...{ deliveries: 0, bytes: 0, pinnedExempt: 0, oldest: null, newest: null },
      trash: { deliveries: this.status.counts.trashed, bytes: this.status.disk.trashBytes },
    }),
    'store.salvage': ({ at }) => {
      const recovered = 1_204
      const incidents = this.status.store.incidents.map((incident) =>
        incident.at === at ? { ...incident, salvage: 'done' as const, recovered } : incident,
      )
      this.setStatus({ store: { ...this.status.store, incidents } })
      return { recovered }
    },
    'coverage.list': (params) => this.reconcile.coverage(params),
    'documents.page': (params) => this.documents.page(params),
    'documents.get': ({ key }) => this.documents.life(key),
    'timeline.get': (params) => fakeTimeline(this.store, params, this.off, this.marks),
    ...this.drift.handlers,
    'ui.link': () => ({ url: 'http://127.0.0.1:4401/#token=fake' }),
    ...this.sandbox.handlers,
    ...this.connect.handlers,
  }

  #replays(): FakeReplays {
    const here = this
    return new FakeReplays({
      get settings() {
        return here.settings
      },
      set settings(settings) {
        here.settings = settings
      },
      detail: (id) => detailOf(this.#made(id)),
      attempted: (id) => this.#attempted(id),
      body: (id) => base64(this.#made(id).body),
      select: (filter) => this.store.ids(filter),
      push: (payload) => this.push('replays.changed', payload),
      setFaults: (faults) => this.setStatus({ faults }),
    })
  }

  #attempted(id: number): void {
    if (id > this.store.count) return
    const row = this.store.row(id - 1)
    this.store.change({ ...row, attempts: row.attempts + 1 })
  }

  #handle<C extends CommandName>(command: C, params: Params<C>): Result<C> {
    const handler = (this.#handlers[command] ??
      this.replays.handlers[command as FakeReplayName] ??
      this.reconcile.handlers[command as never] ??
      this.schedules.handlers[command as never]) as ((params: Params<C>) => Result<C>) | undefined
    if (!handler) throw new AcuseError('not-available', `the fake host has no ${command}`)
    return handler(params)
  }
}
