import type { Alert } from '#contract/alerts.ts'
import type { Message } from './incidents.ts'

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
