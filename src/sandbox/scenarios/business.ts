import { createRandom, type Random } from '../data/random.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { operationNamed } from '../operations/operations.ts'
import type { Transactions } from '../state/transactions.ts'

export interface ScenarioStep {
  readonly events: readonly SandboxEvent[]
  /** Whether the receiver is unreachable while this step's events are sent (`outage-day`). */
  readonly outage: boolean
}

export interface Act {
  readonly random: Random
  perform(name: string, params: Readonly<Record<string, unknown>>): string
}

export interface Stage {
  lives(): boolean
  readonly now: number
  /** The workspace's offset in milliseconds east of UTC. */
  readonly eastward: number
  step(work: (act: Act) => void, outage?: boolean): ScenarioStep
}

export type Play = (stage: Stage, count: number) => Iterable<ScenarioStep>

/**
 * Makes the stage on which a scenario plays; every step is one transaction.
 * @param seed a separate seed for the data; undefined: the world's generator
 */
export function createStage(
  transactions: Transactions,
  cause: string,
  seed: number | undefined,
  place: Omit<Stage, 'step'>,
): Stage {
  const options = seed === undefined ? {} : { random: createRandom(seed) }
  return {
    ...place,
    step: (work, outage = false) => {
      const { events } = transactions.run(cause, options, (change) =>
        work({
          random: change.random,
          perform: (name, params) => operationNamed(name).run(change, params),
        }),
      )
      return { events, outage }
    },
  }
}

const VOID_BY_NOTE = 'void-by-note'

type Life = readonly string[]

type Lives = readonly (readonly [weight: number, life: Life])[]

const INVOICE_LIVES: Lives = [
  [38, ['submit', 'approve']],
  [22, ['submit', 'poll', 'approve']],
  [8, ['submit', 'poll', 'poll', 'poll', 'approve', 'register-payment']],
  [7, ['submit', 'poll', 'accept-conditionally']],
  [6, ['submit', 'poll', 'reject', 'edit-invoice', 'submit', 'approve']],
  [3, ['submit', 'reject']],
  [3, ['submit', 'poll']],
  [3, ['edit-invoice', 'submit', 'approve']],
  [3, ['void']],
  [3, ['submit', 'approve', VOID_BY_NOTE]],
  [4, []],
]

const EXPENSE_LIVES: Lives = [
  [70, []],
  [15, ['register-payment']],
  [10, ['edit-expense']],
  [5, ['void']],
]

const noteLives = (edit: string): Lives => [
  [84, []],
  [9, [edit]],
  [7, ['void']],
]

/** Creation and later operations of quotations, contacts and products, which no sync route lists. */
const OTHER_LIVES: Lives = [
  [5, ['create-quotation']],
  [3, ['create-quotation', 'edit-quotation']],
  [3, ['create-quotation', 'void']],
  [4, ['create-customer', 'edit-customer']],
  [2, ['create-customer', 'deactivate-customer']],
  [2, ['create-supplier', 'edit-supplier']],
  [2, ['create-supplier', 'deactivate-supplier']],
  [3, ['create-product', 'edit-product']],
  [2, ['create-product', 'deactivate-product']],
]

const drawLife = (random: Random, lives: Lives): Life =>
  lives[random.weighted(lives.map(([weight]) => weight))]?.[1] ?? []

interface BusinessPlan {
  /** Exact number of documents that the plan adds to the sync routes. */
  readonly count: number
  readonly issuedAt: (nth: number) => number
  /** Most documents issued between two operations on the same document. */
  readonly delay: number
  /** Documents per step; larger months use larger steps. */
  readonly batch: number
  readonly outage: (nth: number) => boolean
}

interface Later {
  readonly id: string
  readonly life: Life
  readonly due: number
}

const CASH = { paymentTermId: 1 }

/** Simulates days of a small company: sales, purchases and notes, with quotations, contacts and products between them. */
export function* business(stage: Stage, plan: BusinessPlan): Iterable<ScenarioStep> {
  const day = createDay(plan)
  while (day.made() < plan.count) {
    if (!stage.lives()) return
    const outage = plan.outage(day.made())
    yield stage.step((act) => {
      for (let at = 0; at < plan.batch && day.made() < plan.count; at++) {
        day.goOn(act)
        day.document(act)
      }
    }, outage)
  }
  while (day.unfinished() && stage.lives()) yield stage.step((act) => day.finish(act))
}

function createDay(plan: BusinessPlan) {
  let made = 0
  let later: Later[] = []
  /** Documents that a note may correct: accepted invoices, and expenses without further operations. */
  const invoices: string[] = []
  const expenses: string[] = []

  const date = () => ({ issuedAt: new Date(plan.issuedAt(made)).toISOString() })
  const putOff = (act: Act, id: string, life: Life): void => {
    if (life.length > 0) later.push({ id, life, due: made + act.random.int(0, plan.delay) })
  }
  const happen = (act: Act, { id, life }: Later): void => {
    const [name = '', ...rest] = life
    if (name === VOID_BY_NOTE) {
      if (made >= plan.count) return
      act.perform('void', { id, ...date() })
      made += 1
      return
    }
    act.perform(name, { id })
    if (rest.length === 0 && (name === 'approve' || name === 'accept-conditionally')) invoices.push(id)
    putOff(act, id, rest)
  }
  /** Skips the rest of a document's plan when another caller has voided or corrected the document. */
  const happenIfAllowed = (act: Act, one: Later): void => {
    try {
      happen(act, one)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
    }
  }
  return { made: () => made, unfinished: () => later.length > 0, goOn, document, finish }

  function goOn(act: Act): void {
    const due = later.filter((one) => one.due <= made)
    if (due.length === 0) return
    later = later.filter((one) => one.due > made)
    for (const one of due) happenIfAllowed(act, one)
  }
  function finish(act: Act): void {
    const rest = later
    later = []
    for (const one of rest) happenIfAllowed(act, one)
  }
  function document(act: Act): void {
    // A void by note adds a document, so `goOn` may have made the last one.
    if (made >= plan.count) return
    if (act.random.chance(6)) other(act)
    const what = act.random.weighted([60, 28, 8, 4])
    if (what === 2 && invoices.length > 0) note(act, invoices, 'edit-credit-note')
    else if (what === 3 && expenses.length > 0) note(act, expenses, 'edit-debit-note')
    else if (what === 1) expense(act)
    else invoice(act)
    made += 1
  }
  function invoice(act: Act): void {
    const life = drawLife(act.random, INVOICE_LIVES)
    const term = !life.includes('register-payment') && act.random.chance(40) ? CASH : {}
    putOff(act, act.perform('create-invoice', { ...date(), ...term }), life)
  }
  function expense(act: Act): void {
    const life = drawLife(act.random, EXPENSE_LIVES)
    const term = life.length === 0 && act.random.chance(40) ? CASH : {}
    const id = act.perform('create-expense', { ...date(), ...term })
    if (life.length === 0) expenses.push(id)
    putOff(act, id, life)
  }
  function note(act: Act, open: string[], edit: string): void {
    const [id = ''] = open.splice(act.random.int(0, open.length - 1), 1)
    const name = act.random.chance(25) ? 'edit-text' : 'edit-amount'
    try {
      putOff(act, act.perform(name, { id, ...date() }), drawLife(act.random, noteLives(edit)))
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      invoice(act)
    }
  }
  function other(act: Act): void {
    const [creates = '', ...life] = drawLife(act.random, OTHER_LIVES)
    putOff(act, act.perform(creates, {}), life)
  }
}
