import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import type { World } from '#sandbox/world/world.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'
import { ALL, ANY, cents, type Data, dataOf, exact, expectFlawless, expectSums, worldOf } from '../judged.ts'

/** Performs an operation and expects flawless events. @returns the id and the kinds of the events */
function act(world: World, name: string, params: Data = {}): { id: string; kinds: Kind[]; data: Data } {
  const { id, events } = world.perform(name, params)
  for (const event of events) expectFlawless(event)
  const last = events.at(-1)
  return { id, kinds: events.map((event) => event.kind), data: last ? dataOf(last) : {} }
}

const everything = (world: World): string =>
  JSON.stringify([world.counts(), world.workspace(), world.accounting(ALL).map(({ json }) => json)])

/** Expects a refusal without any change. @returns its code */
function refusal(world: World, name: string, params: Data): string {
  const before = everything(world)
  try {
    world.perform(name, params)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Refusal)
    expect(everything(world)).toBe(before)
    const { message, status, code } = thrown as Refusal
    expect(message).toMatch(/^.{10,}[.]$/su)
    return `${status} ${code}`
  }
  return 'not refused'
}

const due = (world: World, id: string): number => {
  const { json = '' } = world.accounting(ALL).find((one) => one.id === id) ?? {}
  return Math.round(Number(JSON.parse(json).Accounting.AmountDue) * 100)
}

describe('invoices and the tax authority (States and transitions)', () => {
  it.each(['E31', 'E32', 'E44', 'E45', 'E46'])('%s fires factura.created', (type) => {
    const { kinds, data } = act(worldOf(1), 'create-invoice', { type })
    expect(kinds).toEqual(['factura.created'])
    expect(data.Number).toMatch(new RegExp(`^${type}\\d{10}$`))
    expect((data.Accounting as Data).DocumentTypeId).toBe(type.slice(1))
  })
  it('submission is silent, then 7 any number of times, then one of 5, 6 and 8', () => {
    for (const [name, kind, status] of [
      ['approve', 'dgii.aprobado', '5'],
      ['reject', 'dgii.rechazado', '6'],
      ['accept-conditionally', 'dgii.aceptado_condicional', '8'],
    ] as const) {
      const world = worldOf(2)
      const { id } = act(world, 'create-invoice')
      expect(act(world, 'submit', { id }).kinds).toEqual([])
      const polled = { kinds: ['dgii.en_proceso'], data: { StatusId: '7' } }
      for (let times = 0; times < 4; times++) expect(act(world, 'poll', { id })).toMatchObject(polled)
      expect(act(world, name, { id })).toMatchObject({ kinds: [kind], data: { StatusId: status } })
      expect(refusal(world, name, { id })).toBe('409 not-submitted')
    }
  })
  it('a rejected one is edited before it is submitted again', () => {
    const world = worldOf(3)
    const { id } = act(world, 'create-invoice')
    expect(refusal(world, 'poll', { id })).toBe('409 not-submitted')
    act(world, 'submit', { id })
    for (const name of ['submit', 'edit-invoice', 'void'])
      expect(refusal(world, name, { id })).toBe('409 pending')
    act(world, 'reject', { id })
    for (const name of ['submit', 'edit-amount']) expect(refusal(world, name, { id })).toBe('409 rejected')
    const edited = act(world, 'edit-invoice', { id })
    expect(edited).toMatchObject({ kinds: ['factura.updated'], data: { StatusId: '1' } })
    act(world, 'submit', { id })
    act(world, 'approve', { id })
    for (const name of ['edit-invoice', 'submit']) expect(refusal(world, name, { id })).toBe('409 accepted')
  })
  it('only invoices are submitted: they are the resource that emits dgii.* (Delivery rules, 3)', () => {
    const world = worldOf(4)
    for (const name of ['create-expense', 'create-quotation'])
      expect(refusal(world, 'submit', { id: act(world, name).id })).toBe('409 wrong-family')
  })
  it('voiding before acceptance: WasAcceptedByDGII false, CreditNoteId null, and it is over', () => {
    const world = worldOf(5)
    const { id } = act(world, 'create-invoice')
    const { kinds, data } = act(world, 'void', { id })
    expect(kinds).toEqual(['factura.anulated'])
    expect(data).toEqual({ DocumentId: id, WasAcceptedByDGII: false, CreditNoteId: null })
    for (const name of words('void void-invoice edit-invoice submit edit-amount edit-text register-payment'))
      expect(refusal(world, name, { id })).toMatch(/^409 (?:voided|nothing-due)$/)
  })
  it.each(['approve', 'accept-conditionally'])('voiding after %s: a credit note takes it back', (answer) => {
    const world = worldOf(6)
    const created = act(world, 'create-invoice', { lines: 3 })
    const { id } = created
    act(world, 'submit', { id })
    act(world, answer, { id })
    act(world, 'edit-amount', { id })
    const { events } = world.perform('void', { id })
    expect(events.map(({ kind }) => kind)).toEqual(['nota_credito.created', 'factura.anulated'])
    for (const event of events) expectFlawless(event)
    const [note, voided] = events
    const CreditNoteId = note?.subject
    expect(voided && dataOf(voided)).toEqual({ DocumentId: id, WasAcceptedByDGII: true, CreditNoteId })
    const whole = { ModifiedReferenceId: id, ReferenceSecuence: created.data.Number, ModificationCode: '1' }
    expect(note && dataOf(note)).toMatchObject(whole)
    const total = (one: Data): number => cents((one.Accounting as Data).Total)
    const back = world
      .accounting({ ...ALL, documentTypeId: 34 })
      .reduce((sum, { json }) => sum + Math.round(Number(JSON.parse(json).Accounting.Total) * 100), 0)
    expect(back).toBe(total(created.data))
    for (const name of ['void', 'edit-credit-note'])
      expect(refusal(world, name, { id: CreditNoteId })).toBe('409 voids-another')
  })
})

describe('corrections (Events, factura.updated)', () => {
  it.each(['edit-amount', 'edit-text'])('%s on an invoice fires nota_credito.created', (name) => {
    const world = worldOf(7)
    const invoice = act(world, 'create-invoice')
    const { kinds, data, id } = act(world, name, { id: invoice.id })
    expect(kinds).toEqual(['nota_credito.created'])
    expect(id).not.toBe(invoice.id)
    const told = { DocumentId: id, ModifiedReferenceId: invoice.id, ReferenceSecuence: invoice.data.Number }
    expect(data).toMatchObject(told)
    expect(data).toMatchObject({ CustomerId: invoice.data.CustomerId, SupplierId: null, SupplierName: null })
  })
  it.each(['E41', 'E43', 'E47'])('edit-amount and edit-text on %s fire nota_debito.created', (type) => {
    const world = worldOf(8)
    const expense = act(world, 'create-expense', { type })
    const { SupplierId } = expense.data
    expect(expense.kinds).toEqual(['gasto.created'])
    for (const name of ['edit-amount', 'edit-text']) {
      const { kinds, data } = act(world, name, { id: expense.id })
      expect(kinds).toEqual(['nota_debito.created'])
      expect(data).toMatchObject({ SupplierId, CustomerId: null, ModifiedReferenceId: expense.id })
    }
  })
  it('an amount is taken back exactly, given back by voiding the note, and never more than there is', () => {
    const world = worldOf(9)
    const { id, data } = act(world, 'create-invoice', { type: 'E32', lines: 2 })
    const before = cents(data.AmountDue)
    const note = act(world, 'edit-amount', { id, amount: '10.01' })
    expect([(note.data.Accounting as Data).Total, due(world, id)]).toEqual(['10.01', before - 1001])
    expect(act(world, 'edit-credit-note', { id: note.id, amount: 5 }).kinds).toEqual(['nota_credito.updated'])
    expect(due(world, id)).toBe(before - 500)
    expect(refusal(world, 'edit-amount', { id, amount: before })).toBe('400 bad-amount')
    for (const name of ['edit-invoice', 'void']) expect(refusal(world, name, { id })).toBe('409 has-notes')
    expect(act(world, 'void-credit-note', { id: note.id }).kinds).toEqual(['nota_credito.anulated'])
    expect(due(world, id)).toBe(before)
  })
  it('what was paid already is owed back by the note', () => {
    const world = worldOf(10)
    const { id } = act(world, 'create-invoice', { type: 'E32', paymentTermId: 1 })
    expect(due(world, id)).toBe(0)
    expect(act(world, 'edit-amount', { id, amount: 7 }).data.AmountDue).toBe('7.00')
  })
})

it('payments: change what is due and fire nothing', () => {
  const world = worldOf(12)
  const { id, data } = act(world, 'create-invoice', { type: 'E32' })
  const before = cents(data.AmountDue)
  expect(act(world, 'register-payment', { id, amount: 1 }).kinds).toEqual([])
  expect(due(world, id)).toBe(before - 100)
  expect(refusal(world, 'register-payment', { id, amount: String(before / 100) })).toBe('400 bad-amount')
  expect(refusal(world, 'register-payment', { id, amount: 0 })).toBe('400 bad-amount')
  expect(refusal(world, 'edit-invoice', { id })).toBe('409 has-payments')
  act(world, 'register-payment', { id })
  expect([due(world, id), refusal(world, 'register-payment', { id })]).toEqual([0, '409 nothing-due'])
})

it.each(['customer', 'supplier', 'product'])('%s: created, updated, deactivated, no more', (what) => {
  const world = worldOf(13)
  const { id, kinds } = act(world, `create-${what}`)
  expect(kinds).toEqual([`${what}.created`])
  expect(act(world, `edit-${what}`, { id }).kinds).toEqual([`${what}.updated`])
  expect(act(world, `deactivate-${what}`, { id }).kinds).toEqual([`${what}.deactivated`])
  for (const name of [`edit-${what}`, `deactivate-${what}`])
    expect(refusal(world, name, { id })).toBe('409 inactive')
  if (what !== 'supplier')
    expect(refusal(world, 'create-invoice', { [`${what}Id`]: id })).toBe('409 inactive')
})

const id = '00000000-0000-4000-8000-000000000000'
// Bounds of each parameter: descriptions.test.ts.
it.each<[name: string, params: Data, code: string]>([
  ['no-such-operation', {}, '404 unknown-operation'],
  ['submit', { id }, '404 not-found'],
  ['submit', { id, more: 1 }, '400 bad-parameter'],
  ['edit-customer', { id }, '404 not-found'],
  ['create-invoice', { customerId: id }, '404 not-found'],
  ['create-invoice', { type: 'E41' }, '400 bad-parameter'],
  ['create-invoice', { quantity: '1e3' }, '400 bad-parameter'],
  ['create-invoice', { quantity: '999999999.99', unitPrice: '999999999.99' }, '400 too-large'],
])('what is asked wrongly is refused, and nothing is changed: %s %j: %s', (name, params, code) =>
  expect(refusal(worldOf(15), name, params)).toBe(code),
)

it('whatever is done in whatever order, every event is flawless, every sum agrees, and a refusal changes nothing', () => {
  const names = worldOf(0).operations.map(({ name }) => name)
  const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(30)), { minLength: 10, maxLength: 80 })
  forAll(30, [fc.integer(), steps], (seed, list) => {
    const world = worldOf(seed)
    let told = 2
    let issued = 2
    const ids = [world.perform('create-invoice', {}).id, world.perform('create-expense', {}).id]
    for (const [name, which] of list) {
      const takes = world.operations
        .find((one) => one.name === name)
        ?.parameters.find((one) => one.required)?.name
      const before = world.counts()
      try {
        const { id, events } = world.perform(name, takes ? { [takes]: ids[which % ids.length] } : {})
        ids.push(id)
        told += events.length
        issued += events.filter(({ kind }) => /^(?!customer|supplier|product).*created$/.test(kind)).length
        for (const event of events) expectFlawless(event)
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        expect(world.counts()).toEqual(before)
      }
    }
    expect(world.counts()).toMatchObject({ events: told, documents: issued })
    for (const { json } of world.accounting(ALL)) expectSums(exact(json))
    for (const { json } of world.treasury(ANY)) {
      const { PaymentMethods: methods, Accounting: accounting, IsAnulated: anulated } = exact(json)
      expect(anulated).toBe(false)
      expect((methods as Data[]).at(-1)?.Amount).toBe((accounting as Data).AmountDue)
    }
    world.close()
  })
})
