import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { createRandom } from '../data/random.ts'
import { indented, withValueAt } from '../domain/json.ts'
import { SandboxError, type SandboxEvent } from '../world.ts'
import { CHAINS } from './chains.ts'
import type { Change } from './change.ts'
import { operationNamed } from './operations/all.ts'
import type { Enveloped, Transactions } from './transactions.ts'

export interface EmitOptions {
  readonly data?: unknown
  readonly overrides?: ReadonlyMap<string, unknown>
  readonly seed?: number
}

const IDS = ['DocumentId', 'CustomerId', 'SupplierId', 'ProductId']

/** What an event with content of the caller's is about; its kind when the content does not say. */
function subjectOf(envelope: unknown, otherwise: string): string {
  const data = member(envelope, 'data')
  for (const name of IDS) {
    const id = member(data, name)
    if (typeof id === 'string' && id !== '') return id.toLowerCase()
  }
  return otherwise
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

function runChain(change: Change, kind: Kind): void {
  let id = ''
  for (const [name, takesIdAs] of CHAINS[kind])
    id = operationNamed(name).run(change, takesIdAs === undefined ? {} : { [takesIdAs]: id })
}

/** See World.emit. */
export function emit(transactions: Transactions, kind: Kind, options: EmitOptions): SandboxEvent {
  return emitted(transactions, kind, options, false)
}

/** See World.live. */
export function live(transactions: Transactions, kind: Kind): readonly SandboxEvent[] {
  checkKind(kind)
  let id = ''
  // A transaction for each step: each of its events has a Timestamp of its own.
  return CHAINS[kind].flatMap(([name, takesIdAs]) => {
    const params = takesIdAs === undefined ? {} : { [takesIdAs]: id }
    const { result, events } = transactions.run(name, {}, (change) =>
      operationNamed(name).run(change, params),
    )
    id = result
    return events
  })
}

/** See World.preview. */
export function preview(transactions: Transactions, kind: Kind, seed: number | undefined): string {
  return indented(emitted(transactions, kind, seed === undefined ? {} : { seed }, true).body)
}

/** See World.send. */
export function send(transactions: Transactions, kind: Kind, text: string): SandboxEvent {
  checkKind(kind)
  const envelope = parsed(text)
  const finish = (made: readonly Enveloped[]) =>
    made.map((event) => ({ ...event, envelope, text, subject: subjectOf(envelope, event.subject) }))
  return only(
    kind,
    transactions.run('sent as edited', { finish }, (change) => change.emit(kind, kind, null)).events,
  )
}

function emitted(
  transactions: Transactions,
  kind: Kind,
  { data, overrides, seed }: EmitOptions,
  rehearsal: boolean,
): SandboxEvent {
  checkKind(kind)
  const changed = (event: Enveloped): Enveloped => {
    let { envelope } = event
    for (const [pointer, value] of overrides ?? []) envelope = withValueAt(envelope, pointer, value)
    return { ...event, envelope, subject: subjectOf(envelope, event.subject) }
  }
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SandboxError(400, 'bad-seed', 'The seed is a whole number.')
  const own = seed === undefined ? {} : { random: createRandom(seed) }
  const finish = (made: readonly Enveloped[]) => made.slice(-1).map(changed)
  const { events } = transactions.run('emit', { ...own, finish, rehearsal }, (change) => {
    if (data === undefined) runChain(change, kind)
    else change.emit(kind, kind, data)
  })
  return only(kind, events)
}

function checkKind(kind: Kind): void {
  if (!kindSpec(kind))
    throw new SandboxError(404, 'unknown-kind', `“${String(kind).slice(0, 60)}” is none of the 28 kinds.`)
}

function only(kind: Kind, [event]: readonly SandboxEvent[]): SandboxEvent {
  if (!event) throw new Error(`the chain of ${kind} emits nothing`)
  return event
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SandboxError(400, 'not-json', `The body is not JSON: ${why}.`)
  }
}
