import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Fault } from '#contract/faults.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { AttemptRow, Job, ReplayCommandName, ReplaySource } from '#contract/replay.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { readFilter } from '#core/filter/read.ts'
import { failureOf } from '#core/replay/statuses.ts'
import { FakeAttempts } from './replay-attempts.ts'
import { FakeForwards } from './replay-forwards.ts'
import { exclusionOf, FakeJobs, type FakeSelected } from './replay-jobs.ts'

export type FakeReplayName = ReplayCommandName | (CommandName & (`targets.${string}` | `faults.${string}`))
type Handlers = { readonly [C in FakeReplayName]: (params: Params<C>) => Result<C> }

/** What the fake host lends. */
export interface ReplayHost {
  settings: Settings
  detail(id: number): DeliveryDetail
  /** It was sent once more. */
  attempted(id: number): void
  /** The body in base64. */
  body(id: number): string
  /** Ids that a filter selects, oldest first. */
  select(filter: string): readonly number[]
  push(payload: Pushes['replays.changed']): void
  setFaults(faults: readonly Fault[]): void
}

/** Targets, attempts, jobs, forwards and faults in memory: nothing goes out, and answers follow from the delivery's number. */
export class FakeReplays {
  readonly attempts: FakeAttempts
  readonly jobs: FakeJobs
  readonly forwards = new FakeForwards()
  faults: readonly Fault[] = []
  readonly #host: ReplayHost
  #lastFault = 0

  constructor(host: ReplayHost) {
    this.#host = host
    this.attempts = new FakeAttempts(
      (id) => host.detail(id),
      (id) => host.attempted(id),
    )
    this.jobs = new FakeJobs({
      select: (source, include) => this.#select(source, include),
      send: (delivery, job) => {
        const { ok, status, error } = this.#send(delivery, job)
        return ok ? null : failureOf({ answer: status === null ? null : { status }, error })
      },
      changed: (jobs, deliveries) => this.tell({ jobs, deliveries }),
    })
    this.forwards.changed = (forwards) => this.tell({ forwards })
  }

  tell(change: Partial<Pushes['replays.changed']>): void {
    this.#host.push({ jobs: [], forwards: null, deliveries: [], more: false, ...change })
  }

  #urlOf(reference: string): string {
    if (reference.includes('://')) return reference
    const target = this.#host.settings.targets.find(({ name }) => name === reference)
    if (!target)
      throw new AcuseError('not-found', `There is no target named "${reference}".`, { path: 'to.target' })
    return target.url
  }

  #send(delivery: number, job: Job): AttemptRow {
    const { target } = job.options.to
    return this.attempts.make({
      delivery: this.#host.detail(delivery),
      origin: { by: 'job', job: job.id },
      target,
      url: this.#urlOf(target),
    })
  }

  #idsOf(source: ReplaySource): readonly number[] {
    if (source.type === 'ids') return source.ids
    if (source.type === 'filter') return this.#host.select(source.filter)
    return this.#host.select(`doc:"${source.documentId}"`)
  }

  #select(source: ReplaySource, include: Job['options']['include']): FakeSelected {
    const excluded = { malformed: 0, rejected: 0, replay: 0 }
    const taken: DeliveryDetail[] = []
    for (const id of this.#idsOf(source)) {
      const delivery = this.#host.detail(id)
      const reason = exclusionOf(delivery, include)
      if (reason) excluded[reason] += 1
      else taken.push(delivery)
    }
    return {
      ids: taken.map(({ id }) => id),
      excluded: (['malformed', 'rejected', 'replay'] as const)
        .map((reason) => ({ reason, count: excluded[reason] }))
        .filter(({ count }) => count > 0),
      bytes: taken.reduce((sum, { size }) => sum + size, 0),
      oldest: taken[0]?.receivedAt ?? null,
      newest: taken.at(-1)?.receivedAt ?? null,
    }
  }

  #settings(targets: readonly Target[], defaultTarget: string | null): Settings {
    this.#host.settings = { ...this.#host.settings, targets, defaultTarget }
    return this.#host.settings
  }

  #setFaults(faults: readonly Fault[]): { faults: readonly Fault[] } {
    this.faults = faults
    this.#host.setFaults(faults)
    return { faults }
  }

  readonly handlers: Handlers = {
    'targets.save': ({ previousName, ...target }) => {
      const { targets, defaultTarget } = this.#host.settings
      if (targets.some(({ name }) => name === target.name && name !== previousName))
        throw new AcuseError('conflict', `There is already a target named "${target.name}".`, {
          path: 'name',
        })
      const saved = { ...target, headers: target.headers.map((h) => (h.secret ? { ...h, value: null } : h)) }
      return this.#settings(
        previousName === undefined
          ? [...targets, saved]
          : targets.map((one) => (one.name === previousName ? saved : one)),
        defaultTarget !== null && defaultTarget === previousName ? saved.name : defaultTarget,
      )
    },
    'targets.remove': ({ name }) => {
      if (this.forwards.list.some(({ targets }) => targets.includes(name)))
        throw new AcuseError('conflict', `A forward sends to "${name}"; change it first.`)
      const { targets, defaultTarget } = this.#host.settings
      return this.#settings(
        targets.filter((one) => one.name !== name),
        defaultTarget === name ? null : defaultTarget,
      )
    },
    'targets.set-default': ({ name }) => this.#settings(this.#host.settings.targets, name),
    'replay.send': ({ delivery, to, edit, times = 1 }) => {
      const url = this.#urlOf(to.target)
      const made = {
        delivery: this.#host.detail(delivery),
        origin: { by: 'hand' as const },
        target: to.target,
        url,
        edit,
      }
      const attempts = Array.from({ length: times }, () => this.attempts.make(made))
      this.tell({ deliveries: [delivery] })
      return { attempts }
    },
    'attempts.list': (params) => this.attempts.list(params),
    'attempts.get': (params) => this.attempts.get(params),
    'attempts.body': (params) => this.attempts.body(params, (id) => this.#host.body(id)),
    'jobs.preview': ({ source, options }) => {
      if (source.type === 'filter') readFilter(source.filter)
      return this.jobs.preview(source, options)
    },
    'jobs.start': ({ source, options }) => {
      this.#urlOf(options.to.target)
      return this.jobs.start(source, options)
    },
    'jobs.list': () => ({ jobs: this.jobs.list() }),
    'jobs.get': ({ id }) => this.jobs.get(id),
    'jobs.pause': ({ id }) =>
      this.jobs.set(id, { state: 'paused', pausedBy: 'user', rate: 0, etaMs: null, inFlight: 0 }),
    'jobs.resume': ({ id }) => this.jobs.set(id, { state: 'running', pausedBy: null }),
    'jobs.cancel': ({ id }) =>
      this.jobs.set(id, { state: 'cancelled', rate: 0, etaMs: null, inFlight: 0, endedAt: Date.now() }),
    'jobs.retry-failed': ({ id }) => this.jobs.retryFailed(id),
    'jobs.remove': ({ id }) => ({ removed: this.jobs.remove(id) }),
    'forwards.list': () => ({ forwards: this.forwards.list }),
    'forwards.save': (params) => ({ forwards: this.forwards.save(params) }),
    'forwards.remove': ({ name }) => ({ forwards: this.forwards.remove(name) }),
    'forwards.retry': ({ name }) => ({ forwards: this.forwards.retry(name) }),
    'forwards.clear': ({ name, target }) => this.forwards.clear(name, target),
    'faults.list': () => ({ faults: this.faults }),
    'faults.add': (rule) => {
      readFilter(rule.filter)
      if (rule.id === undefined) this.#lastFault += 1
      const fault = { ...rule, id: rule.id ?? this.#lastFault, matched: 0, applied: 0 }
      return this.#setFaults([...this.faults, fault].toSorted((a, b) => a.id - b.id))
    },
    'faults.remove': ({ id }) => this.#setFaults(this.faults.filter((fault) => fault.id !== id)),
    'faults.clear': () => this.#setFaults([]),
  }
}
