import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { createRandom } from '../data/random.ts'
import { withValueAt } from '../domain/json.ts'
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
  const { data, overrides, seed } = options
  if (!kindSpec(kind))
    throw new SandboxError(404, 'unknown-kind', `“${String(kind).slice(0, 60)}” is none of the 28 kinds.`)
  const changed = (event: Enveloped): Enveloped => {
    let { envelope } = event
    for (const [pointer, value] of overrides ?? []) envelope = withValueAt(envelope, pointer, value)
    return { ...event, envelope, subject: subjectOf(envelope, event.subject) }
  }
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new SandboxError(400, 'bad-seed', 'The seed is a whole number.')
  const own = seed === undefined ? {} : { random: createRandom(seed) }
  const finish = (made: readonly Enveloped[]) => made.slice(-1).map(changed)
  const { events } = transactions.run('emit', { ...own, finish }, (change) => {
    if (data === undefined) runChain(change, kind)
    else change.emit(kind, kind, data)
  })
  const [event] = events
  if (!event) throw new Error(`the chain of ${kind} emits nothing`)
  return event
}
