import type { ScheduleTime } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import type { Clock } from '../ports.ts'
import { instantOf, offsetAt, weekdayOf } from '../time/zone.ts'
import type { Timer } from './ports.ts'

/** Timers stop while the computer sleeps, and users set clocks. */
const LONGEST_WAIT_MS = 30_000
const BUSY_MS = 60_000

export interface Planned {
  readonly connection: string
  readonly time: ScheduleTime
  readonly zone: string
  /** Start of the last run, else when the schedule was set: milliseconds since the epoch. */
  readonly since: number
}

export interface SchedulerPorts {
  readonly clock: Clock
  readonly timer: Timer
  planned(): readonly Planned[]
  /** Never throws. `busy`: the run could not begin, and nothing was stored. */
  run(connection: string, by: 'schedule' | 'hand', signal: AbortSignal): Promise<'ended' | 'busy'>
  changed(): void
}

/** Allows one run per connection at a time. However many times were missed, it makes up for them with one run. */
export class Scheduler {
  readonly #ports: SchedulerPorts
  readonly #running = new Map<string, { readonly ended: Promise<void>; readonly stop: AbortController }>()
  readonly #busyUntil = new Map<string, number>()
  readonly #stopping = new AbortController()
  #unset: (() => void) | undefined
  #begun = false

  constructor(ports: SchedulerPorts) {
    this.#ports = ports
  }

  begin(): void {
    this.#begun = true
    this.changed()
  }

  isRunning(connection: string): boolean {
    return this.#running.has(connection)
  }

  /** Null while it runs or is not planned. */
  next(connection: string): number | null {
    const planned = this.#ports.planned().find((one) => one.connection === connection)
    return planned === undefined || this.isRunning(connection) ? null : this.#due(planned)
  }

  runNow(connection: string): void {
    this.#run(connection, 'hand')
  }

  /** Interrupts running schedules and waits for their end. */
  async close(): Promise<void> {
    this.#begun = false
    this.#unset?.()
    this.#stopping.abort()
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Interrupts a run that another host takes over. */
  interrupt(connection: string): void {
    this.#running.get(connection)?.stop.abort()
  }

  #due({ connection, time, zone, since }: Planned): number {
    // A clock set back must not delay the next run by more than its interval.
    const after = Math.min(since, this.#ports.clock.now())
    return Math.max(nextDue(time, zone, after), this.#busyUntil.get(connection) ?? 0)
  }

  /** Starts due runs and sets the timer; call it when the plan has changed. */
  changed(): void {
    this.#unset?.()
    this.#unset = undefined
    if (!this.#begun) return
    const { clock, timer } = this.#ports
    const now = clock.now()
    const waiting = this.#ports.planned().filter(({ connection }) => !this.isRunning(connection))
    for (const planned of waiting) if (this.#due(planned) <= now) this.#run(planned.connection, 'schedule')
    const dues = waiting.map((planned) => this.#due(planned)).filter((due) => due > now)
    if (dues.length === 0) return
    const wait = Math.min(LONGEST_WAIT_MS, Math.min(...dues) - now)
    this.#unset = timer.set(Math.max(1, wait), () => this.changed())
  }

  #run(connection: string, by: 'schedule' | 'hand'): void {
    const { clock, run, changed } = this.#ports
    this.#busyUntil.delete(connection)
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#stopping.signal])
    const ended = run(connection, by, signal).then((outcome) => {
      this.#running.delete(connection)
      if (outcome === 'busy') this.#busyUntil.set(connection, clock.now() + BUSY_MS)
      if (this.#stopping.signal.aborted) return
      changed()
      this.changed()
    })
    this.#running.set(connection, { ended, stop })
    changed()
  }
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A week and the days around it, which include some weekday of the schedule. */
const DAYS = 9

/** The first due time after an instant, by the zone's clocks, once a day even when they change. In milliseconds. */
export function nextDue(time: ScheduleTime, zone: string, after: number): number {
  if ('every' in time) return after + time.every * MINUTE_MS
  const minutes = Number(time.at.slice(0, 2)) * 60 + Number(time.at.slice(3))
  const today = Math.floor((after + offsetAt(zone, after)) / DAY_MS) * DAY_MS
  // Starts yesterday: where clocks skip midnight, a time of yesterday may fall on today.
  for (let day = today - DAY_MS; day <= today + DAYS * DAY_MS; day += DAY_MS) {
    if (time.weekdays && !time.weekdays.some((one) => WEEKDAYS.indexOf(one) === weekdayOf(day))) continue
    const at = instantOf(zone, day + minutes * MINUTE_MS)
    if (at > after) return at
  }
  throw new Error('a schedule without a weekday is never due')
}
