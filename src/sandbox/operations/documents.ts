import type { Kind } from '#catalog/kinds.ts'
import type { Random } from '../data/random.ts'
import { amountDue, type LineDraft, priceLine, totalsOf } from '../domain/amounts.ts'
import { divideRounded } from '../domain/json.ts'
import { documentData } from '../domain/projection.ts'
import {
  CASH,
  CURRENCIES,
  type Currency,
  codesOf,
  type Document,
  documentNumber,
  EXPENSE_WEIGHTS,
  type Family,
  INVOICE_WEIGHTS,
  type Line,
  type Payment,
  type Product,
  QUOTATION,
  type Receipt,
  receipt,
  type Status,
  TERMS,
  type WithholdingRule,
} from '../domain/records.ts'
import { bad, badAmount, refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { voidAccepted, voidNote } from './notes.ts'
import {
  type Args,
  choice,
  decimal,
  documentId,
  issuedAt,
  moment,
  operation,
  text,
  uuid,
  whole,
} from './operation.ts'
import {
  activeParty,
  activeProduct,
  anyParty,
  anyProduct,
  findDocument,
  isAccepted,
  mustAwaitAnswer,
  mustBeEditable,
  mustBeSubmittable,
  mustBeVoidable,
  tell,
} from './subjects.ts'

const MOST_LINES = 50
/** Parameters about a document's lines; `quantity` and `unitPrice` in hundredths. */
const LINE_PARAMETERS = {
  lines: whole('number of lines; drawn when absent', 1, MOST_LINES).exactOptional(),
  productId: uuid('product of the first line').exactOptional(),
  description: text('description of the first line').exactOptional(),
  quantity: decimal('quantity of the first line', 0.01).exactOptional(),
  unitPrice: decimal('unit price of the first line, before tax').exactOptional(),
}
type LineArgs = Args<typeof LINE_PARAMETERS>

/** Largest line in cents, ten thousand million units of a currency: sums and percentages of fifty such lines stay exact in a double. */
const LARGEST_LINE = 1e12

const COUNT_WEIGHTS = [45, 30, 15, 10]

const quantityOf = (random: Random, isService: boolean): number =>
  (isService
    ? random.int(1, 3)
    : random.weighted([70, 20, 10]) === 0
      ? random.int(1, 6)
      : random.int(4, 24)) * 100

/** @param rate Dominican pesos per unit of the document's currency, in ten-thousandths */
function draft(change: Change, product: Product, receipt: Receipt, rate: number): LineDraft {
  const { random } = change
  return {
    id: change.newId(),
    productId: product.id,
    code: product.code,
    description: product.description,
    isService: product.isService,
    unit: product.unit,
    rate: receipt.exempt ? 0 : product.rate,
    quantity: quantityOf(random, product.isService),
    price: divideRounded(product.price * 10_000, rate),
    discountPercent: random.chance(22) ? random.pick([250, 500, 1000, 1250, 1500]) : 0,
    recharge: random.chance(3) ? random.int(2, 40) * 500 : 0,
  }
}

function asSaid(line: LineDraft, args: LineArgs): LineDraft {
  const { description = line.description, quantity = line.quantity, unitPrice = line.price } = args
  return { ...line, description, quantity, price: unitPrice }
}

function checked(line: LineDraft, rule: WithholdingRule): Line {
  if (line.quantity * line.price > LARGEST_LINE * 100)
    throw bad('too-large', 'quantity × unitPrice is too large for one line.')
  return priceLine(line, rule)
}

function drawLines(
  change: Change,
  receipt: Receipt,
  rate: number,
  rule: WithholdingRule,
  args: LineArgs,
): readonly Line[] {
  const count = args.lines ?? change.random.weighted(COUNT_WEIGHTS) + 1
  return Array.from({ length: count }, (_, at) => {
    const { productId } = at === 0 ? args : {}
    const product = productId === undefined ? anyProduct(change) : activeProduct(change, productId)
    const line = draft(change, product, receipt, rate)
    return checked(at === 0 ? asSaid(line, args) : line, rule)
  })
}

/** Draws all lines again for a new number of lines or product. Otherwise changes the first line, in its quantity unless `args` says more. */
function editedLines(change: Change, receipt: Receipt, document: Document, args: LineArgs): readonly Line[] {
  const { withholding, lines, rate } = document
  if (args.lines !== undefined || args.productId !== undefined)
    return drawLines(change, receipt, rate, withholding, { ...args, lines: args.lines ?? lines.length })
  const [first, ...others] = lines
  if (!first) return lines
  const said = [args.description, args.quantity, args.unitPrice].some((value) => value !== undefined)
  const more = said ? first.quantity : first.quantity + change.random.int(1, 5) * 100
  return [checked(asSaid({ ...first, quantity: more }, args), withholding), ...others]
}

const DAY = 86_400_000

const CURRENCY_CODES = CURRENCIES.map(({ code }) => code)
const TERM_IDS = TERMS.map(({ id }) => id)
const ISSUE_PARAMETERS = {
  ...LINE_PARAMETERS,
  currency: choice('currency', CURRENCY_CODES).exactOptional(),
  paymentTermId: choice(
    'payment term; 1 is cash, paid when issued; credit when absent',
    TERM_IDS,
  ).exactOptional(),
  issuedAt,
}

function currencyOf(random: Random, kind: Receipt, code: string | undefined): Currency {
  const [peso, dollar, euro] = CURRENCIES
  if (code !== undefined) return CURRENCIES.find((one) => one.code === code) ?? peso
  if (kind.foreign) return random.chance(75) ? dollar : euro
  return kind.code === 'E31' && random.chance(12) ? dollar : peso
}

/** Draws a rate in ten-thousandths of a peso per unit, within the range of recent years. */
const rateOf = (random: Random, currency: Currency): number =>
  currency.code === 'DOP'
    ? 10_000
    : currency.code === 'USD'
      ? random.int(588_000, 642_000)
      : random.int(655_000, 720_000)

/** Common values of the tax authority's code for goods and services bought. */
const BOUGHT = [2, 2, 3, 5, 6, 9, 10]

const paidInCash = (random: Random, amount: number, at: number): readonly Payment[] =>
  amount === 0 ? [] : [{ method: random.int(1, 3), amount, at }]

function issue(
  change: Change,
  kind: Receipt,
  partyId: string | undefined,
  args: Args<typeof ISSUE_PARAMETERS>,
): string {
  const { random } = change
  const { role, classes } = kind
  const party = partyId === undefined ? anyParty(change, role, classes) : activeParty(change, role, partyId)
  const issued = args.issuedAt ?? change.issueInstant()
  const currency = currencyOf(random, kind, args.currency)
  const rate = rateOf(random, currency)
  const withholding = kind.withholding(random)
  const lines = drawLines(change, kind, rate, withholding, args)
  const termId = args.paymentTermId ?? random.pick([2, 3, 3, 4, 5])
  const term = TERMS.find(({ id }) => id === termId)
  if (!term) throw bad('bad-parameter', 'paymentTermId is not known.')
  const sale = kind.family === 'invoice'
  const net = lines.reduce((sum, line) => sum + line.net, 0)
  const freight =
    sale && !lines.some((line) => line.isService) && random.chance(10) ? random.int(5, 60) * 2500 : 0
  const tip = kind.code === 'E32' && random.chance(4) ? divideRounded(net * 10, 100) : 0
  const totals = totalsOf({ lines, freight, tip })
  const owed = totals.total - totals.withholdings
  const document: Document = {
    id: change.newId(),
    family: kind.family,
    type: kind.type,
    number: documentNumber(kind.code, change.store.nextSerial(kind.code)),
    status: 1,
    pending: false,
    anulated: false,
    issuedAt: issued,
    limitAt: issued + term.days * DAY,
    updatedAt: change.now,
    offset: change.offset,
    party,
    currency,
    rate,
    term: term.id,
    lines,
    withholding,
    freight,
    tip,
    bought: kind.family === 'expense' ? random.pick(BOUGHT) : null,
    owed,
    payments: term.id === CASH && kind.family !== 'quotation' ? paidInCash(random, owed, issued) : [],
    credited: 0,
    modifies: null,
    creditNoteId: null,
  }
  tell(change, 'created', document)
  return document.id
}

/** Saves an edited document and emits its event; a rejected invoice can be submitted again. */
function saveEdited(change: Change, document: Document, args: LineArgs): string {
  const kind = document.family === 'quotation' ? QUOTATION : receipt(`E${document.type}`)
  const lines = editedLines(change, kind, document, args)
  const totals = totalsOf({ ...document, lines })
  const owed = totals.total - totals.withholdings
  const [cash] = document.payments
  const edited: Document = {
    ...document,
    lines,
    owed,
    status: document.status === 6 ? 1 : document.status,
    payments: cash ? [{ ...cash, amount: owed }] : [],
    updatedAt: change.now,
  }
  tell(change, 'updated', edited)
  return edited.id
}

/** Registers a payment, which changes the amount due without an event. */
function pay(change: Change, document: Document, method: number, amount: number | undefined): string {
  const due = amountDue(document)
  if (due === 0) throw refused('nothing-due', `${document.number} owes nothing.`)
  const sum = amount ?? due
  if (sum < 1 || sum > due) throw badAmount(`the ${(due / 100).toFixed(2)} that are due`)
  const payments = [...document.payments, { method, amount: sum, at: change.now }]
  change.store.putDocument({ ...document, payments, updatedAt: change.now })
  return document.id
}

const party = (of: string) => uuid(`${of}; any fitting one when absent`).exactOptional()
const receiptType = (codes: readonly string[]) =>
  choice('type of receipt; drawn when absent', codes).exactOptional()

const drawn = (change: Change, codes: readonly string[], weights: readonly number[]): string =>
  codes[change.random.weighted(weights)] ?? codes[0] ?? ''

const INVOICES = codesOf('invoice')
const EXPENSES = codesOf('expense')

function editing(name: string, summary: string, family: Family) {
  return operation(name, summary, { id: documentId, ...LINE_PARAMETERS }, (change, args) => {
    const document = findDocument(change, args.id, [family])
    mustBeEditable(document)
    return saveEdited(change, document, args)
  })
}

function voided(change: Change, document: Document, issued: number | undefined): string {
  mustBeVoidable(document)
  if (document.family.endsWith('-note')) return voidNote(change, document)
  if (document.family === 'invoice' && isAccepted(document))
    return voidAccepted(change, document, issued ?? change.issueInstant())
  tell(change, 'anulated', { ...document, anulated: true, updatedAt: change.now })
  return document.id
}

const noteDate = moment(
  'issue date of the credit note that voiding an accepted invoice produces',
).exactOptional()

function voiding(name: string, summary: string, families: readonly Family[]) {
  return operation(name, summary, { id: documentId, issuedAt: noteDate }, (change, args) => {
    return voided(change, findDocument(change, args.id, families), args.issuedAt)
  })
}

export const DOCUMENT_OPERATIONS = [
  operation(
    'create-quotation',
    'Creates a quotation',
    { customerId: party('the customer'), ...ISSUE_PARAMETERS },
    (change, args) => issue(change, QUOTATION, args.customerId, args),
  ),
  editing('edit-quotation', 'Edits a quotation', 'quotation'),
  voiding('void-quotation', 'Voids a quotation', ['quotation']),
  operation(
    'create-invoice',
    'Creates an invoice',
    { type: receiptType(INVOICES), customerId: party('the customer'), ...ISSUE_PARAMETERS },
    (change, args) =>
      issue(change, receipt(args.type ?? drawn(change, INVOICES, INVOICE_WEIGHTS)), args.customerId, args),
  ),
  editing(
    'edit-invoice',
    'Edits an invoice that the authority has not accepted; a rejected one may then be submitted again',
    'invoice',
  ),
  voiding('void-invoice', 'Voids an invoice; an accepted one by a credit note', ['invoice']),
  operation(
    'create-expense',
    'Registers a purchase, minor expense or foreign payment',
    { type: receiptType(EXPENSES), supplierId: party('the supplier'), ...ISSUE_PARAMETERS },
    (change, args) =>
      issue(change, receipt(args.type ?? drawn(change, EXPENSES, EXPENSE_WEIGHTS)), args.supplierId, args),
  ),
  editing('edit-expense', 'Edits an expense', 'expense'),
  voiding('void-expense', 'Voids an expense', ['expense']),
  voiding('void-credit-note', 'Voids a credit note', ['credit-note']),
  voiding('void-debit-note', 'Voids a debit note', ['debit-note']),
  voiding('void', 'Voids any document', ['quotation', 'invoice', 'expense', 'credit-note', 'debit-note']),
  operation(
    'register-payment',
    'Registers a payment: it changes the amount due, without an event',
    {
      id: documentId,
      amount: decimal('amount; all that is due when absent').exactOptional(),
      method: choice('1 cash, 2 transfer, 3 card', [1, 2, 3]).exactOptional(),
    },
    (change, args) => {
      const document = findDocument(change, args.id, ['invoice', 'expense', 'credit-note', 'debit-note'])
      return pay(change, document, args.method ?? 2, args.amount)
    },
  ),
]

function answer(name: string, summary: string, kind: Kind, status: Status) {
  return operation(name, summary, { id: documentId }, (change, args) => {
    const document = findDocument(change, args.id)
    mustAwaitAnswer(document)
    const answered = { ...document, status, pending: status === 7, updatedAt: change.now }
    change.store.putDocument(answered)
    change.emit(kind, document.id, documentData(kind, answered))
    return document.id
  })
}

export const AUTHORITY_OPERATIONS = [
  operation(
    'submit',
    'Submits an invoice to the tax authority, without an event',
    { id: documentId },
    (change, args) => {
      const document = findDocument(change, args.id)
      mustBeSubmittable(document)
      change.store.putDocument({ ...document, pending: true, updatedAt: change.now })
      return document.id
    },
  ),
  answer('poll', 'The authority is still evaluating', 'dgii.en_proceso', 7),
  answer('approve', 'The authority accepts in full', 'dgii.aprobado', 5),
  answer('reject', 'The authority rejects', 'dgii.rechazado', 6),
  answer('accept-conditionally', 'The authority accepts with observations', 'dgii.aceptado_condicional', 8),
]
