import type { HandlersOf } from '#contract/commands.ts'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import type { Schedule, ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import type { ConnectionBook } from '../connections.ts'
import { ALONE, type Leases, type WantedWork } from '../lease.ts'
import { Listeners } from '../listeners.ts'
import type { SettingsStore } from '../ports.ts'
import { demandSending, type Feed } from '../threads.ts'
import { Once } from './once.ts'
import type { RunPorts, ScheduleMemories, ScheduleMemory } from './ports.ts'
import { isOf } from './recovery.ts'
import { leftBehind, runSchedule } from './run.ts'
import { type Planned, Scheduler } from './scheduler.ts'

export interface SchedulesPorts
  extends Pick<RunPorts, 'clock' | 'timer' | 'call' | 'startJob' | 'onSweeps' | 'knowsTarget'> {
  readonly settings: SettingsStore
  readonly connections: ConnectionBook
  readonly memories: ScheduleMemories
  /** Absent on a machine without others. */
  readonly leases?: Leases | undefined
  /** Reads what a holder of a schedule kept. @returns undefined when it is none */
  recall(memory: unknown): ScheduleMemory | undefined
  warn(message: string): void
}

const NEW: Omit<ScheduleMemory, 'since'> = {
  last: null,
  sweptTo: {},
  told: [],
  underWay: null,
  sending: null,
}

export class Schedules {
  readonly #ports: SchedulesPorts
  readonly #leases: Leases
  readonly #scheduler: Scheduler
  readonly #changed = new Listeners()
  readonly onChange = this.#changed.add
  readonly #ended = new Listeners<[ScheduleState]>()
  readonly onEnd = this.#ended.add
  #begun = false
  /** By connection; of followers only. */
  readonly #once = new Map<string, Once>()
  /** What holders kept is taken over in its order. */
  #recalling: Promise<void> = Promise.resolve()

  constructor(ports: SchedulesPorts) {
    this.#ports = ports
    this.#leases = ports.leases ?? ALONE
    const { clock, timer } = ports
    this.#scheduler = new Scheduler({
      clock,
      timer,
      planned: () => this.#planned(),
      run: (connection, by, signal) => this.#run(connection, by, signal),
      changed: this.#changed.tell,
    })
    ports.connections.onChange(() => this.#planChanged())
  }

  /** Also resumes recovery jobs that the end of Acuse paused. */
  async begin(): Promise<void> {
    for (const { connection } of this.#ports.settings.get().schedules)
      if (!this.#ports.memories.get(connection)) await this.#remember(connection, {})
    await this.#resumeJobs()
    this.#begun = true
    this.#want()
    this.#scheduler.begin()
  }

  #planChanged(): void {
    this.#want()
    this.#scheduler.changed()
  }

  #want(): void {
    if (!this.#begun) return
    const enabled = this.#ports.settings.get().schedules.filter((one) => one.enabled)
    this.#leases.want(
      'sweep',
      enabled.map(({ connection }) => this.#work(connection)),
    )
  }

  #work(connection: string): WantedWork {
    const { connections } = this.#ports.settings.get()
    const known = connections.find(({ name }) => name === connection)
    return {
      ...{ kind: 'sweep', name: connection, by: this },
      destination: known?.baseUrl ?? '',
      ready: () => !this.#scheduler.isRunning(connection),
      taken: ({ memory, own, started }) => {
        this.#once.set(connection, new Once(this.#leases, this.#work(connection), started))
        void this.#recall(connection, memory, own).then(() => this.#scheduler.changed())
      },
      kept: (memory, own) => void this.#recall(connection, memory, own),
      lost: () => this.#scheduler.interrupt(connection),
    }
  }

  #recall(connection: string, kept: unknown, own: boolean): Promise<void> {
    this.#recalling = this.#recalling.then(() =>
      this.#takeOver(connection, kept, own).catch((error: unknown) =>
        this.#ports.warn(`The schedule of "${connection}" could not be taken over: ${messageOf(error)}`),
      ),
    )
    return this.#recalling
  }

  /** Takes over what a holder kept. A run that ended elsewhere ends here too, for alerts and notices. */
  async #takeOver(connection: string, kept: unknown, own: boolean): Promise<void> {
    const recalled = this.#ports.recall(kept)
    const schedule = this.#find(connection)
    if (!recalled || !schedule) return
    const { since, last, sending } = this.#memory(connection)
    if (!own) await this.#leave(connection)
    const memory = own ? recalled : { ...abroad(recalled), sending }
    await this.#ports.memories.set(connection, { ...memory, since: Math.max(since, recalled.since) })
    this.#changed.tell()
    if ((recalled.last?.endedAt ?? 0) > (last?.endedAt ?? 0)) this.#ended.tell(this.#state(schedule))
  }

  /** Cancels what is left here of a run that another host has begun anew. */
  async #leave(connection: string): Promise<void> {
    const { call, warn } = this.#ports
    const { underWay } = this.#memory(connection)
    for (const { id, state } of underWay ? await leftBehind(call, connection, underWay) : []) {
      if (state === 'complete') continue
      await call('sweeps.cancel', { id })
      warn(
        `Sweep ${id} of "${connection}" is cancelled here: another follower of the shared log sweeps instead.`,
      )
    }
  }

  list(): readonly ScheduleState[] {
    const { schedules, connections } = this.#ports.settings.get()
    return connections.flatMap(({ name }) => {
      const schedule = schedules.find(({ connection }) => connection === name)
      return schedule ? [this.#state(schedule)] : []
    })
  }

  /** @throws AcuseError `not-found` for an unknown connection, `bad-params` for an unknown target */
  async save(schedule: Schedule): Promise<Settings> {
    const { settings, connections, clock, knowsTarget } = this.#ports
    const { connection, recoverTo } = schedule
    connections.find(connection)
    if (recoverTo !== null && !knowsTarget(recoverTo))
      throw badParam('recoverTo', `recoverTo: there is no target named "${recoverTo}"; make it first.`)
    const before = this.#find(connection)
    const sameTimes = before?.enabled && JSON.stringify(before.time) === JSON.stringify(schedule.time)
    const saved = await settings.change((present) => ({
      ...present,
      schedules: [...present.schedules.filter((one) => one.connection !== connection), schedule],
    }))
    // New times start from now: earlier ones were not missed.
    await this.#remember(connection, sameTimes ? {} : { since: clock.now() })
    this.#changed.tell()
    this.#planChanged()
    return saved
  }

  /** @throws AcuseError `not-found`, `conflict` while it runs */
  async remove(connection: string): Promise<Settings> {
    this.#demand(connection)
    this.demandIdle(connection)
    const saved = await this.#ports.settings.change((present) => ({
      ...present,
      schedules: present.schedules.filter((one) => one.connection !== connection),
    }))
    await this.#ports.memories.set(connection, undefined)
    this.#changed.tell()
    this.#planChanged()
    return saved
  }

  /** @throws AcuseError `not-found`, `conflict` while the connection has a run or another sweep */
  async runNow(connection: string): Promise<ScheduleState> {
    const schedule = this.#demand(connection)
    const { sweeps } = await this.#ports.call('sweeps.list', { connection })
    this.demandIdle(connection)
    const other = sweeps.find(({ state }) => state === 'running')
    if (other) throw refused('conflict', 'sweep-before', { sweep: other.id, connection })
    if (schedule.enabled && !this.#leases.holds(this.#work(connection)))
      throw refused('conflict', 'work-elsewhere', { connection })
    this.#scheduler.runNow(connection)
    return this.#state(schedule)
  }

  /** @throws AcuseError `conflict` while the connection has a scheduled run */
  demandIdle(connection: string): void {
    if (this.#scheduler.isRunning(connection)) throw refused('conflict', 'run-under-way', { connection })
  }

  /** @throws AcuseError `conflict` while a schedule uses the target for recovery */
  demandUnused(target: string): void {
    const user = this.#ports.settings.get().schedules.find(({ recoverTo }) => recoverTo === target)
    if (user) throw refused('conflict', 'target-of-schedule', { connection: user.connection, target })
  }

  async renamed(previous: string, name: string): Promise<void> {
    const { memories } = this.#ports
    await memories.set(name, memories.get(previous))
    await memories.set(previous, undefined)
    this.#changed.tell()
    this.#planChanged()
  }

  async gone(connection: string): Promise<void> {
    await this.#ports.memories.set(connection, undefined)
    this.#changed.tell()
  }

  /** Interrupts running schedules; the next start continues them. */
  async close(): Promise<void> {
    await this.#scheduler.close()
    this.#changed.clear()
    this.#ended.clear()
  }

  #find(connection: string): Schedule | undefined {
    return this.#ports.settings.get().schedules.find((one) => one.connection === connection)
  }

  #demand(connection: string): Schedule {
    this.#ports.connections.find(connection)
    const found = this.#find(connection)
    if (found) return found
    throw refused('not-found', 'no-schedule', { path: 'connection', connection })
  }

  #state(schedule: Schedule): ScheduleState {
    const { connection } = schedule
    return {
      schedule,
      running: this.#scheduler.isRunning(connection),
      nextRun: this.#scheduler.next(connection),
      last: this.#memory(connection).last,
    }
  }

  #planned(): readonly Planned[] {
    const { settings } = this.#ports
    const { schedules, connections } = settings.get()
    return schedules.flatMap(({ connection, enabled, time }) => {
      const zone = connections.find(({ name }) => name === connection)?.zone
      if (!enabled || zone === undefined) return []
      if (!this.#leases.holds(this.#work(connection))) return []
      const { since, last } = this.#memory(connection)
      return [{ connection, time, zone, since: Math.max(since, last?.startedAt ?? 0) }]
    })
  }

  #memory(connection: string): ScheduleMemory {
    return this.#ports.memories.get(connection) ?? { ...NEW, since: this.#ports.clock.now() }
  }

  /** A failing disk loses this run's state, not the run. */
  async #remember(connection: string, change: Partial<ScheduleMemory>): Promise<void> {
    const { memories, warn } = this.#ports
    try {
      const memory = { ...this.#memory(connection), ...change }
      await memories.set(connection, memory)
      const work = this.#work(connection)
      if (this.#leases.holds(work)) await this.#leases.keep(work, memory)
    } catch (error) {
      warn(`The results of scheduled sweeps could not be kept: ${messageOf(error)}`)
    }
  }

  async #run(connection: string, by: ScheduleRun['by'], signal: AbortSignal): Promise<'ended' | 'busy'> {
    const { connections, settings: _, memories: __, leases: ___, recall: ____, ...ports } = this.#ports
    const schedule = this.#find(connection)
    if (!schedule) return 'ended'
    try {
      const run = await runSchedule(
        {
          ...ports,
          // What a user runs by hand while the schedule is off has no lease.
          once: (schedule.enabled && this.#once.get(connection)) || null,
          zone: () => connections.find(connection).zone,
          memory: () => this.#memory(connection),
          remember: (change) => this.#remember(connection, change),
        },
        schedule,
        by,
        signal,
      )
      if (run === 'busy') return 'busy'
      if (run !== 'interrupted') {
        const last = { schedule: this.#find(connection) ?? schedule, last: run }
        this.#ended.tell({ ...last, running: false, nextRun: null })
      }
    } catch (error) {
      // A bug of ours must neither end the host nor repeat at once.
      this.#ports.warn(`The scheduled sweep of "${connection}" failed: ${messageOf(error)}`)
      await this.#remember(connection, { since: ports.clock.now() })
    }
    return 'ended'
  }

  async #resumeJobs(): Promise<void> {
    const { settings, call } = this.#ports
    for (const { connection } of settings.get().schedules) {
      const { last, sending } = this.#memory(connection)
      if (!last?.recovery && !sending) continue
      const { jobs } = await call('jobs.list', {})
      const own = jobs.filter(
        (job) => last?.recovery?.jobs.includes(job.id) || (sending !== null && isOf(job, sending)),
      )
      for (const { id, state, pausedBy } of own)
        if (state === 'paused' && pausedBy === 'restart')
          await call('jobs.resume', { id }).catch(() => undefined)
    }
  }
}

/** The memory of another host, whose sweeps and jobs have no meaning here. */
function abroad({ last, ...memory }: ScheduleMemory): ScheduleMemory {
  const recovery = last?.recovery ? { ...last.recovery, jobs: [] } : null
  return { ...memory, last: last && { ...last, sweeps: [], recovery }, underWay: null }
}

/** @param schedules null in a host that sends nothing */
export function scheduleHandlers(
  schedules: Schedules | null,
  announce: (changed: Promise<Settings>) => Promise<Settings>,
): HandlersOf<`schedules.${string}`> {
  const there = () => demandSending(schedules)
  return {
    'schedules.save': async (schedule) => announce(there().save(schedule)),
    'schedules.remove': async ({ connection }) => announce(there().remove(connection)),
    'schedules.list': async () => ({ schedules: there().list() }),
    'schedules.run-now': async ({ connection }) => there().runNow(connection),
  }
}

export function pushSchedules(schedules: Schedules, feed: Feed): void {
  schedules.onChange(() => feed.send('schedules.changed', { schedules: schedules.list() }))
  schedules.onEnd((state) => feed.send('schedules.finished', state))
}
