import type { CommandName, Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { Schedule, ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { nextDue } from '#core/schedules/due.ts'

type Handlers = { readonly [C in CommandName & `schedules.${string}`]: (params: Params<C>) => Result<C> }

/** What the fake host lends. */
interface ScheduleHost {
  settings: Settings
  push<P extends 'schedules.changed' | 'schedules.finished'>(push: P, payload: Pushes[P]): void
}

/** Schedules that never fall due; a run by hand takes a moment and finds what `found` says. */
export class FakeSchedules {
  runMs = 150
  /** What the next run comes to, besides its times. */
  found: Partial<ScheduleRun> = { missing: 0, differs: 0, fresh: 0 }
  readonly #host: ScheduleHost
  readonly #last = new Map<string, ScheduleRun>()
  readonly #running = new Set<string>()

  constructor(host: ScheduleHost) {
    this.#host = host
  }

  /** A run ends, as if it had fallen due. */
  finish(
    connection: string,
    found: Partial<ScheduleRun> = this.found,
    by: ScheduleRun['by'] = 'schedule',
  ): void {
    const now = Date.now()
    const run: ScheduleRun = {
      ...{ startedAt: now - 4_000, endedAt: now, by, sweeps: [1], from: null, to: null },
      ...{ missing: 0, differs: 0, fresh: 0, recovery: null, error: null },
      ...found,
    }
    this.#last.set(connection, run)
    this.#running.delete(connection)
    this.#host.push('schedules.finished', this.#state(this.#find(connection)))
    this.#changed()
  }

  #find(connection: string): Schedule {
    const found = this.#host.settings.schedules.find((one) => one.connection === connection)
    if (!found) throw new AcuseError('not-found', `The connection "${connection}" has no schedule.`)
    return found
  }

  #state(schedule: Schedule): ScheduleState {
    const { connection, enabled, time } = schedule
    const last = this.#last.get(connection) ?? null
    const running = this.#running.has(connection)
    const zone = this.#host.settings.connections.find(({ name }) => name === connection)?.zone ?? 'UTC'
    const nextRun = enabled && !running ? nextDue(time, zone, last?.startedAt ?? Date.now()) : null
    return { schedule, running, nextRun, last }
  }

  #changed(): void {
    this.#host.push('schedules.changed', this.handlers['schedules.list']({}))
  }

  #store(schedules: readonly Schedule[]): Settings {
    this.#host.settings = { ...this.#host.settings, schedules }
    this.#changed()
    return this.#host.settings
  }

  readonly handlers: Handlers = {
    'schedules.save': (schedule) => {
      const { schedules, connections } = this.#host.settings
      if (!connections.some(({ name }) => name === schedule.connection))
        throw new AcuseError('not-found', `There is no connection named "${schedule.connection}".`)
      const others = schedules.filter(({ connection }) => connection !== schedule.connection)
      return this.#store([...others, schedule])
    },
    'schedules.remove': ({ connection }) => {
      this.#find(connection)
      this.#last.delete(connection)
      return this.#store(this.#host.settings.schedules.filter((one) => one.connection !== connection))
    },
    'schedules.list': () => ({
      schedules: this.#host.settings.schedules.map((schedule) => this.#state(schedule)),
    }),
    'schedules.run-now': ({ connection }) => {
      const schedule = this.#find(connection)
      if (this.#running.has(connection))
        throw new AcuseError('conflict', `A scheduled run of "${connection}" is under way.`)
      this.#running.add(connection)
      setTimeout(() => this.finish(connection, this.found, 'hand'), this.runMs)
      this.#changed()
      return this.#state(schedule)
    },
  }
}
