import type { Kind } from '#catalog/kinds.ts'
import { createRandom } from '../data/random.ts'
import { readExactly, withValueAt } from '../domain/json.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { bad, messageOf } from '../domain/refusal.ts'
import { operationNamed } from '../operations/operations.ts'
import type { Change, Enveloped, Transactions } from '../state/transactions.ts'

/** One step: an operation, and the parameter that takes the id from the step before. */
type Step = readonly [operation: string, takesIdAs?: 'id' | 'documentId']

const QUOTATION: Step = ['create-quotation']
const INVOICE: Step = ['create-invoice']
const EXPENSE: Step = ['create-expense']
const SUBMITTED: readonly Step[] = [INVOICE, ['submit', 'id']]
const CREDIT_NOTE: readonly Step[] = [INVOICE, ['create-credit-note', 'documentId']]
const DEBIT_NOTE: readonly Step[] = [EXPENSE, ['create-debit-note', 'documentId']]

/** Shortest chain of operations to an event of each kind; it starts with a new document, contact or product. */
export const CHAINS: Readonly<Record<Kind, readonly Step[]>> = {
  'cotizacion.created': [QUOTATION],
  'cotizacion.updated': [QUOTATION, ['edit-quotation', 'id']],
  'cotizacion.anulated': [QUOTATION, ['void-quotation', 'id']],
  'factura.created': [INVOICE],
  'factura.updated': [INVOICE, ['edit-invoice', 'id']],
  'factura.anulated': [INVOICE, ['void-invoice', 'id']],
  'nota_credito.created': CREDIT_NOTE,
  'nota_credito.updated': [...CREDIT_NOTE, ['edit-credit-note', 'id']],
  'nota_credito.anulated': [...CREDIT_NOTE, ['void-credit-note', 'id']],
  'nota_debito.created': DEBIT_NOTE,
  'nota_debito.updated': [...DEBIT_NOTE, ['edit-debit-note', 'id']],
  'nota_debito.anulated': [...DEBIT_NOTE, ['void-debit-note', 'id']],
  'gasto.created': [EXPENSE],
  'gasto.updated': [EXPENSE, ['edit-expense', 'id']],
  'gasto.anulated': [EXPENSE, ['void-expense', 'id']],
  'dgii.aprobado': [...SUBMITTED, ['approve', 'id']],
  'dgii.rechazado': [...SUBMITTED, ['reject', 'id']],
  'dgii.en_proceso': [...SUBMITTED, ['poll', 'id']],
  'dgii.aceptado_condicional': [...SUBMITTED, ['accept-conditionally', 'id']],
  'customer.created': [['create-customer']],
  'customer.updated': [['create-customer'], ['edit-customer', 'id']],
  'customer.deactivated': [['create-customer'], ['deactivate-customer', 'id']],
  'product.created': [['create-product']],
  'product.updated': [['create-product'], ['edit-product', 'id']],
  'product.deactivated': [['create-product'], ['deactivate-product', 'id']],
  'supplier.created': [['create-supplier']],
  'supplier.updated': [['create-supplier'], ['edit-supplier', 'id']],
  'supplier.deactivated': [['create-supplier'], ['deactivate-supplier', 'id']],
}

export interface EmitOptions {
  readonly data?: unknown
  /** New values by JSON pointer into the envelope. They change the event, not the document. */
  readonly overrides?: ReadonlyMap<string, unknown>
  readonly seed?: number
}

const IDS = ['DocumentId', 'CustomerId', 'SupplierId', 'ProductId']

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

export function createEmitting(transactions: Transactions) {
  return {
    /**
     * Emits one event of a kind, by its chain of operations on new documents. The chain's earlier steps emit nothing,
     * but the sync routes list their documents. With `data`, it emits exactly that content and performs no operation.
     * @throws Refusal (400) for content that is not JSON, or an unknown pointer; then nothing is changed
     */
    emit: (kind: Kind, options: EmitOptions) => emitted(transactions, kind, options, false),
    /**
     * Performs a kind's chain on new documents and emits every event on the way, so that a receiver of all of them misses none.
     * @returns the events in order; the last one has that kind
     */
    live: (kind: Kind): readonly SandboxEvent[] => {
      let id = ''
      // A transaction per step gives each event another Timestamp.
      return CHAINS[kind].flatMap(([name, takesIdAs]) => {
        const params = takesIdAs === undefined ? {} : { [takesIdAs]: id }
        const { result, events } = transactions.run(name, {}, (change) =>
          operationNamed(name).run(change, params),
        )
        id = result
        return events
      })
    },
    /** Emits an event with exactly this body, valid or not. @throws Refusal (400) when the text is not JSON */
    send: (kind: Kind, text: string): SandboxEvent => {
      const envelope = parseJson(text)
      const finish = (made: readonly Enveloped[]) =>
        made.map((event) => ({ ...event, envelope, text, subject: subjectOf(envelope, event.subject) }))
      const { events } = transactions.run('sent as edited', { finish }, (change) =>
        change.emit(kind, kind, null),
      )
      return only(kind, events)
    },
    /** @returns the body that `emit` would make now, indented; rolls back all changes */
    preview: (kind: Kind, seed?: number): string => {
      const { body } = emitted(transactions, kind, seed === undefined ? {} : { seed }, true)
      return JSON.stringify(readExactly(body), null, 2)
    },
  }
}

function emitted(
  transactions: Transactions,
  kind: Kind,
  { data, overrides, seed }: EmitOptions,
  rehearsal: boolean,
): SandboxEvent {
  const changed = (event: Enveloped): Enveloped => {
    let { envelope } = event
    for (const [pointer, value] of overrides ?? []) envelope = withValueAt(envelope, pointer, value)
    return { ...event, envelope, subject: subjectOf(envelope, event.subject) }
  }
  const own = seed === undefined ? {} : { random: createRandom(seed) }
  const finish = (made: readonly Enveloped[]) => made.slice(-1).map(changed)
  const { events } = transactions.run('emit', { ...own, finish, rehearsal }, (change) => {
    if (data === undefined) runChain(change, kind)
    else change.emit(kind, kind, data)
  })
  return only(kind, events)
}

function only(kind: Kind, [event]: readonly SandboxEvent[]): SandboxEvent {
  if (!event) throw new Error(`the chain of ${kind} emits nothing`)
  return event
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw bad('not-json', `The body is not JSON: ${messageOf(error)}.`)
  }
}
