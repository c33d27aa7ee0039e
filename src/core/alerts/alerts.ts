import type { Alert, AlertSent, AlertState } from '#contract/alerts.ts'
import type { Params } from '#contract/commands.ts'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import type { ScheduleState } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import type { ReceiverState } from '#contract/status.ts'
import { readFilter } from '../filter/read.ts'
import { ALONE, type Leases, type WantedWork } from '../lease.ts'
import { Listeners } from '../listeners.ts'
import { createMasking, MASKED_NAMES } from '../masking.ts'
import { type MatchSource, watchMatches } from '../matches.ts'
import type { Clock, SettingsStore } from '../ports.ts'
import type { Timer } from '../schedules/ports.ts'
import { workingSince } from './hours.ts'
import {
  type AlertMemory,
  type AlertNote,
  due,
  type Message,
  noteOf,
  type Observation,
  observed,
  QUIET,
  testNote,
  tried,
} from './incidents.ts'

const MINUTE_MS = 60_000
/** Silence, recovery and retries need no better precision. */
const LOOK_MS = 2_000
const MOST_ALERTS = 50
const CLOSING_MS = 3_000

/** Deliveries of the service itself: not of strangers, and not our own. */
const OURS = '-is:rejected -is:malformed -is:synthetic -is:replay'
/** Filters of alerts that have none of their own. */
const USUAL = { silence: OURS, invalid: `verdict:invalid,unreadable ${OURS}` } as const

/** The key of an alert's work is visible to all followers of a shared log. */
const masking = createMasking(() => MASKED_NAMES)

export interface AlertMemories {
  readonly lastIncident: number
  readonly alerts: Readonly<Record<string, AlertMemory>>
  /** Deliveries up to this id are told. */
  readonly upTo?: number | undefined
}

export interface AlertsPorts {
  readonly settings: SettingsStore
  readonly store: MatchSource
  /** Of this host, or of the shared log that it follows; null when there is none: then nothing is watched. */
  readonly receiver: {
    state(): Pick<ReceiverState, 'state'>
    onState(listener: (state: Pick<ReceiverState, 'state'>) => void): () => void
  } | null
  /** Absent on a machine without others. */
  readonly leases?: Leases | undefined
  /** Reads what the holder of an alert kept; undefined when it is none. */
  recall(
    memory: unknown,
  ): (Pick<AlertMemories, 'lastIncident'> & { readonly memory: AlertMemory }) | undefined
  /** The last results of the scheduled sweeps. */
  swept(): readonly ScheduleState[]
  readonly clock: Clock
  readonly timer: Timer
  readonly memories: AlertMemories
  remember(memories: AlertMemories): Promise<void>
  onSwept(listener: (state: ScheduleState) => void): () => void
  /** Never throws. */
  send(alert: Alert, note: AlertNote): Promise<AlertSent>
  /** @throws AcuseError for a target or program that cannot get messages */
  demandSendable(alert: Alert): Promise<void>
  warn(message: string): void
}

/** Watches the receiver, the deliveries and the scheduled sweeps, and sends messages about incidents to other systems. */
export class Alerts {
  readonly #ports: AlertsPorts
  readonly #leases: Leases
  readonly #changed = new Listeners()
  readonly onChange = this.#changed.add
  #memories: AlertMemories
  /** Messages under way, by the alert's name. */
  readonly #sending = new Map<string, Promise<void>>()
  /** Time of the last delivery that an alert selects, by its name. */
  readonly #matchedAt = new Map<string, number>()
  #listeningSince: number | null = null
  #offSince: number | null = null
  #begunAt = 0
  #begun = false
  #unset: (() => void) | undefined
  readonly #stops: (() => void)[] = []

  constructor(ports: AlertsPorts) {
    this.#ports = ports
    this.#leases = ports.leases ?? ALONE
    this.#memories = ports.memories
  }

  /** Starts watching; call it when the receiver has been started. */
  begin(): void {
    const { receiver, store, clock, onSwept } = this.#ports
    if (!receiver) return
    this.#begun = true
    this.#begunAt = clock.now()
    this.#stops.push(
      receiver.onState(({ state }) => this.#turned(state)),
      onSwept((state) => this.#swept(state)),
      watchMatches({
        store,
        wanted: () =>
          this.#watching('silence', 'invalid').map((alert) => ({ key: alert.name, filter: filterOf(alert) })),
        found: (name, rows) => this.#matched(name, rows.length),
        // Of a shared log another holder watches while this host is off.
        from: this.#ports.leases ? undefined : this.#memories.upTo,
        reached: (upTo) => {
          const isFirst = this.#memories.upTo === undefined
          this.#memories = { ...this.#memories, upTo }
          // Later ones are kept with what they change, and at the end.
          if (isFirst && this.#watching('silence', 'invalid').length > 0) void this.#remember(this.#memories)
        },
      }),
    )
    this.#want()
    this.#turned(receiver.state().state)
  }

  list(): readonly AlertState[] {
    return this.#ports.settings.get().alerts.map((alert) => {
      const { open, outbox, lastSentAt, lastFailure, discarded } = this.#memory(alert.name)
      return { alert, open, waiting: outbox.length, lastSentAt, lastFailure, discarded }
    })
  }

  /** Names of enabled alerts whose last message could not be sent. */
  failing(): readonly string[] {
    return this.list().flatMap(({ alert, lastFailure }) => (alert.enabled && lastFailure ? [alert.name] : []))
  }

  /** @throws AcuseError `conflict` for a name in use, `bad-params`, `bad-filter`, `not-found` for an unknown target */
  async save({ previousName, ...alert }: Params<'alerts.save'>): Promise<Settings> {
    const { settings } = this.#ports
    const { alerts } = settings.get()
    const before = previousName === undefined ? undefined : this.#find(previousName)
    if (alerts.some(({ name }) => name === alert.name && name !== previousName))
      throw refused('conflict', 'alert-name-taken', { path: 'name', name: alert.name })
    if (!before && alerts.length >= MOST_ALERTS)
      throw refused('conflict', 'too-many-alerts', { most: MOST_ALERTS })
    if ((alert.target === null) === (alert.program === null))
      throw badParam('target', 'target: give either a target or a program.')
    if (alert.minutes === 0 && (alert.cause === 'silence' || alert.cause === 'invalid'))
      throw badParam('minutes', 'minutes: give at least 1.')
    readFilter(alert.filter)
    await this.#ports.demandSendable(alert)
    const saved = await settings.change((present) => ({
      ...present,
      alerts: before
        ? present.alerts.map((one) => (one.name === before.name ? alert : one))
        : [...present.alerts, alert],
    }))
    if (before) {
      const { [before.name]: kept = QUIET, ...others } = this.#memories.alerts
      // An incident of another cause would never be over, and a disabled alert sends nothing.
      const same = before.cause === alert.cause && alert.enabled
      const memory = same ? kept : { ...kept, open: [], outbox: [], tries: 0, nextTryAt: 0 }
      await this.#remember({ ...this.#memories, alerts: { ...others, [alert.name]: memory } }, alert)
    } else await this.#remember(this.#memories)
    this.#want()
    this.#look()
    return saved
  }

  /** @throws AcuseError `not-found` */
  async remove(name: string): Promise<Settings> {
    this.#find(name)
    const saved = await this.#ports.settings.change((present) => ({
      ...present,
      alerts: present.alerts.filter((one) => one.name !== name),
    }))
    const { [name]: _gone, ...alerts } = this.#memories.alerts
    await this.#remember({ ...this.#memories, alerts })
    this.#want()
    return saved
  }

  /** @throws AcuseError `not-found` */
  async test(name: string): Promise<AlertSent> {
    const { send, clock } = this.#ports
    return send(this.#find(name), testNote(this.#find(name), clock.now()))
  }

  /** @throws AcuseError `conflict` while an alert posts to the target */
  demandUnused(target: string): void {
    const user = this.#ports.settings.get().alerts.find((one) => one.target === target)
    if (user) throw refused('conflict', 'target-of-alert', { alert: user.name, target })
  }

  /** Stops watching, since the end of this process is no incident. Waits shortly for messages under way: the next start would repeat them. */
  async close(): Promise<void> {
    this.#begun = false
    this.#unset?.()
    for (const stop of this.#stops.splice(0)) stop()
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const unset = this.#ports.timer.set(CLOSING_MS, resolve)
    await Promise.race([Promise.all(this.#sending.values()), late])
    unset()
    if (this.#watching('silence', 'invalid').length > 0) await this.#remember(this.#memories)
    this.#changed.clear()
  }

  #find(name: string): Alert {
    const found = this.#ports.settings.get().alerts.find((one) => one.name === name)
    if (found) return found
    throw refused('not-found', 'no-alert', { path: 'name', name })
  }

  #watching(...causes: readonly Alert['cause'][]): readonly Alert[] {
    return this.#ports.settings.get().alerts.filter((one) => one.enabled && causes.includes(one.cause))
  }

  #want(): void {
    if (!this.#begun) return
    const enabled = this.#ports.settings.get().alerts.filter((one) => one.enabled)
    this.#leases.want(
      'alert',
      enabled.map((alert) => this.#work(alert)),
    )
  }

  #work(alert: Alert): WantedWork {
    const { name, target, program } = alert
    return {
      ...{ kind: 'alert', name, by: this },
      destination: target === null ? `hooks/${program}` : masking.target(target),
      ready: () => !this.#sending.has(name),
      taken: ({ memory, keptAt }) => {
        this.#recall(name, memory)
        this.#makeUp(alert, memory === null ? this.#begunAt : keptAt)
      },
      kept: (memory) => this.#recall(name, memory),
      lost() {},
    }
  }

  #holds(alert: Alert): boolean {
    return this.#leases.holds(this.#work(alert))
  }

  #recall(name: string, kept: unknown): void {
    const recalled = this.#ports.recall(kept)
    if (!recalled) return
    const lastIncident = Math.max(this.#memories.lastIncident, recalled.lastIncident)
    const alerts = { ...this.#memories.alerts, [name]: recalled.memory }
    this.#memories = { ...this.#memories, lastIncident, alerts }
    this.#changed.tell()
  }

  /** Takes what no host watched between the end of the last holder and now. */
  #makeUp({ name, cause }: Alert, since: number): void {
    if (cause === 'invalid' && (this.#matchedAt.get(name) ?? 0) > since) this.#matched(name, 1)
    if (cause === 'missed')
      for (const state of this.#ports.swept()) if ((state.last?.endedAt ?? 0) > since) this.#swept(state)
    this.#look()
  }

  #memory(name: string): AlertMemory {
    return this.#memories.alerts[name] ?? QUIET
  }

  #turned(state: ReceiverState['state']): void {
    const { clock } = this.#ports
    const listening = state === 'listening'
    this.#listeningSince = listening ? (this.#listeningSince ?? clock.now()) : null
    // A receiver that starts again is off until it listens.
    this.#offSince = listening ? null : (this.#offSince ?? clock.now())
    if (state !== 'starting') this.#look()
  }

  #swept({ schedule: { connection }, last }: ScheduleState): void {
    if (!last || last.error) return
    const found = { count: last.fresh, connection }
    for (const alert of this.#watching('missed'))
      if (last.fresh > 0) this.#observe(alert, { ...found, wrong: true, worse: true })
      else if (last.missing === 0) this.#observe(alert, { ...found, wrong: false })
    this.#look()
  }

  #matched(name: string, count: number): void {
    this.#matchedAt.set(name, this.#ports.clock.now())
    for (const alert of this.#watching('invalid'))
      if (alert.name === name) this.#observe(alert, { wrong: true, count, connection: null })
    this.#look()
  }

  /** Judges everything that depends on time, sends what is due, and comes back later. */
  #look(): void {
    if (!this.#begun) return
    this.#unset?.()
    this.#unset = undefined
    const alerts = this.#ports.settings.get().alerts.filter(({ enabled }) => enabled)
    for (const alert of alerts) {
      const wrong = this.#isWrong(alert)
      if (wrong !== null) this.#observe(alert, { wrong, count: 0, connection: null })
      if (this.#holds(alert)) this.#deliver(alert)
    }
    if (alerts.length > 0) this.#unset = this.#ports.timer.set(LOOK_MS, () => this.#look())
  }

  /** @returns null when time alone changes nothing */
  #isWrong({ name, cause, minutes, hours }: Alert): boolean | null {
    const now = this.#ports.clock.now()
    const passed = (from: number): boolean => now - from >= minutes * MINUTE_MS
    const [open] = this.#memory(name).open
    const matchedAt = this.#matchedAt.get(name)
    switch (cause) {
      case 'receiver-off':
        return this.#offSince === null ? false : passed(this.#offSince) || null
      case 'invalid':
        return open && passed(Math.max(matchedAt ?? 0, this.#begunAt, open.since)) ? false : null
      case 'silence': {
        if (open) return (matchedAt ?? 0) > open.since ? false : null
        const working = hours ? workingSince(hours, now) : 0
        if (this.#listeningSince === null || working === null) return null
        return passed(Math.max(matchedAt ?? 0, this.#listeningSince, working)) || null
      }
      case 'missed':
        return null
    }
  }

  #observe(alert: Alert, observation: Observation): void {
    if (!this.#holds(alert)) return
    const { name } = alert
    const next = this.#memories.lastIncident + 1
    const before = this.#memory(name)
    const memory = observed(before, observation, this.#ports.clock.now(), next)
    if (memory === before) return
    const opened = memory.open.some(({ incident }) => incident === next)
    const lastIncident = opened ? next : this.#memories.lastIncident
    void this.#remember(
      { ...this.#memories, lastIncident, alerts: { ...this.#memories.alerts, [name]: memory } },
      alert,
    )
  }

  #deliver(alert: Alert): void {
    const { name } = alert
    const message = due(this.#memory(name), this.#ports.clock.now())
    if (!message || this.#sending.has(name)) return
    const sent = this.#send(alert, message).then(() => {
      this.#sending.delete(name)
      if (due(this.#memory(name), this.#ports.clock.now())) this.#look()
    })
    this.#sending.set(name, sent)
  }

  async #send(alert: Alert, message: Message): Promise<void> {
    const { name } = alert
    // First on disk: after a crash the incident is not told as a new one.
    await this.#remember(this.#memories, alert)
    if (!this.#holds(alert)) return
    const { problem } = await this.#ports.send(alert, noteOf(alert, message))
    if (!this.#isKnown(name, message)) return
    const memory = tried(this.#memory(name), message, problem, this.#ports.clock.now())
    await this.#remember({ ...this.#memories, alerts: { ...this.#memories.alerts, [name]: memory } }, alert)
  }

  /** Whether the alert was neither removed nor renamed while it sent. */
  #isKnown(name: string, message: Message): boolean {
    return this.#memory(name).outbox.some(({ incident }) => incident === message.incident)
  }

  /** A failing disk loses the memory, not the message. @param alert whose next holder gets it */
  async #remember(memories: AlertMemories, alert?: Alert): Promise<void> {
    this.#memories = memories
    this.#changed.tell()
    try {
      await this.#ports.remember(memories)
      if (alert && this.#holds(alert)) {
        const { lastIncident } = memories
        await this.#leases.keep(this.#work(alert), { lastIncident, memory: this.#memory(alert.name) })
      }
    } catch (error) {
      this.#ports.warn(`The state of the alerts could not be kept: ${messageOf(error)}`)
    }
  }
}

const filterOf = ({ cause, filter }: Alert): string =>
  filter.trim() !== '' ? filter : cause === 'invalid' ? USUAL.invalid : USUAL.silence
