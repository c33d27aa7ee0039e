import type { Alert, AlertProblem, AlertState, OpenIncident } from '#contract/alerts.ts'

/** Waits before each further try, in milliseconds. After the last one the message is given up. */
export const RETRY_AFTER: readonly number[] = [5_000, 20_000, 80_000, 320_000, 1_280_000]
/** Maximum messages that wait for a receiver that is down; the oldest gives way. */
export const MOST_WAITING = 20

export interface Message extends OpenIncident {
  readonly event: 'opened' | 'recovered'
  readonly at: number
}

/** What a host remembers of an alert over restarts. */
export interface AlertMemory extends Pick<AlertState, 'lastSentAt' | 'lastFailure' | 'discarded'> {
  /** At most one per connection; only `missed` has connections. */
  readonly open: readonly OpenIncident[]
  /** Oldest first. */
  readonly outbox: readonly Message[]
  /** Failed tries of the oldest message, and when the next one is due. */
  readonly tries: number
  readonly nextTryAt: number
}

export const QUIET: AlertMemory = {
  open: [],
  outbox: [],
  tries: 0,
  nextTryAt: 0,
  lastSentAt: null,
  lastFailure: null,
  discarded: 0,
}

/**
 * What was observed. `worse`: so much is wrong now that was not told before, such as newly missed documents: a new incident takes the place
 * of the open one.
 */
export interface Observation {
  readonly wrong: boolean
  readonly worse?: boolean
  readonly count: number
  readonly connection: string | null
}

/**
 * Takes an observation. An incident gets one message when it opens and one when it is over, however often it is observed.
 * @param nextIncident id of the incident that may open
 */
export function observed(
  memory: AlertMemory,
  { wrong, worse = false, count, connection }: Observation,
  at: number,
  nextIncident: number,
): AlertMemory {
  const present = memory.open.find((one) => one.connection === connection)
  const others = memory.open.filter((one) => one !== present)
  if (!wrong)
    return present ? sending({ ...memory, open: others }, { ...present, event: 'recovered', at }) : memory
  if (present && !worse) {
    if (count === 0) return memory
    const counted = { ...present, count: present.count + count }
    return { ...memory, open: memory.open.map((one) => (one === present ? counted : one)) }
  }
  const opened = { incident: nextIncident, since: at, count, connection }
  return sending({ ...memory, open: [...others, opened] }, { ...opened, event: 'opened', at })
}

function sending(memory: AlertMemory, message: Message): AlertMemory {
  const outbox = [...memory.outbox, message]
  if (outbox.length <= MOST_WAITING) return { ...memory, outbox }
  // The oldest has been tried already; its tries do not count for the next one.
  return { ...memory, outbox: outbox.slice(1), tries: 0, discarded: memory.discarded + 1 }
}

export const due = ({ outbox, nextTryAt }: AlertMemory, now: number): Message | undefined =>
  now >= nextTryAt ? outbox[0] : undefined

/** Takes the result of sending a message, which may have given way meanwhile. @param problem null: it got through */
export function tried(
  memory: AlertMemory,
  message: Message,
  problem: AlertProblem | null,
  at: number,
): AlertMemory {
  const oldest = memory.outbox[0]
  const isOldest = oldest?.incident === message.incident && oldest.event === message.event
  const rest = isOldest ? memory.outbox.slice(1) : memory.outbox
  if (problem === null)
    return { ...memory, outbox: rest, tries: 0, nextTryAt: at, lastSentAt: at, lastFailure: null }
  const lastFailure = { ...problem, at }
  if (!isOldest) return { ...memory, lastFailure }
  const wait = RETRY_AFTER[memory.tries]
  if (wait === undefined)
    return { ...memory, outbox: rest, tries: 0, nextTryAt: at, lastFailure, discarded: memory.discarded + 1 }
  return { ...memory, tries: memory.tries + 1, nextTryAt: at + wait, lastFailure }
}

/** What leaves the machine, as JSON. It has counts and names from the settings, and no data of a delivery. */
export interface AlertNote {
  readonly alert: string
  readonly cause: Alert['cause']
  readonly event: Message['event'] | 'test'
  /** 0 for a test. */
  readonly incident: number
  readonly since: string
  readonly at: string
  readonly count: number
  readonly connection: string | null
  /** One sentence; chat services show this member. */
  readonly text: string
}

export function noteOf(alert: Alert, { event, incident, since, at, count, connection }: Message): AlertNote {
  const { name, cause } = alert
  return {
    ...{ alert: name, cause, event, incident },
    ...{ since: new Date(since).toISOString(), at: new Date(at).toISOString() },
    ...{ count, connection },
    text: `Acuse, ${name}: ${event === 'opened' ? opened(alert, count, connection) : over(alert, connection)}`,
  }
}

export function testNote({ name, cause }: Alert, now: number): AlertNote {
  const at = new Date(now).toISOString()
  const text = `Acuse, ${name}: this is a test.`
  return { alert: name, cause, event: 'test', incident: 0, since: at, at, count: 0, connection: null, text }
}

function opened({ cause, minutes }: Alert, count: number, connection: string | null): string {
  switch (cause) {
    case 'missed':
      return `documents of ${connection} with newly missed events: ${count}.`
    case 'invalid':
      return `deliveries that the filter selects: ${count}.`
    case 'silence':
      return `no delivery for ${minutes} min.`
    case 'receiver-off':
      return 'the receiver does not listen.'
  }
}

function over({ cause, minutes }: Alert, connection: string | null): string {
  switch (cause) {
    case 'missed':
      return `${connection} has no missing document any more.`
    case 'invalid':
      return `no such delivery for ${minutes} min.`
    case 'silence':
      return 'deliveries arrive again.'
    case 'receiver-off':
      return 'the receiver listens again.'
  }
}
