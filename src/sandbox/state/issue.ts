import type { Random } from '../data/random.ts'
import { amountDue, totalsOf } from '../domain/amounts.ts'
import { divideRounded } from '../domain/decimal.ts'
import { documentNumber, QUOTATION, type Receipt, receipt } from '../domain/receipts.ts'
import { CASH, CURRENCIES, type Currency, type Document, type Payment, TERMS } from '../domain/records.ts'
import { SandboxError } from '../world.ts'
import type { Change } from './change.ts'
import { activeParty, tell } from './find.ts'
import { drawLines, editedLines, LINE_PARAMETERS, type LineArgs } from './lines.ts'
import { ISSUED_AT, issueInstant } from './parameters.ts'

const DAY = 86_400_000

export interface IssueArgs extends LineArgs {
  readonly currency: string | undefined
  readonly paymentTermId: number | undefined
  readonly issuedAt: string | undefined
}

export const ISSUE_PARAMETERS = [
  ...LINE_PARAMETERS,
  {
    name: 'currency',
    type: 'string',
    required: false,
    summary: 'currency',
    values: CURRENCIES.map(({ code }) => code),
  },
  {
    name: 'paymentTermId',
    type: 'integer',
    required: false,
    summary: 'payment term; 1 is cash, paid when issued; credit when absent',
    values: TERMS.map(({ id }) => String(id)),
  },
  ISSUED_AT,
] as const

function currencyOf(random: Random, kind: Receipt, code: string | undefined): Currency {
  const [peso, dollar, euro] = CURRENCIES
  if (!peso || !dollar || !euro) throw new Error('three currencies')
  if (code !== undefined) return CURRENCIES.find((one) => one.code === code) ?? peso
  if (kind.foreign) return random.chance(75) ? dollar : euro
  return kind.code === 'E31' && random.chance(12) ? dollar : peso
}

/** Pesos per unit in ten-thousandths, within what the last years have seen. */
const rateOf = (random: Random, currency: Currency): number =>
  currency.code === 'DOP'
    ? 10_000
    : currency.code === 'USD'
      ? random.int(588_000, 642_000)
      : random.int(655_000, 720_000)

/** Kinds of goods and services bought, as the tax authority numbers them: the common ones. */
const BOUGHT = [2, 2, 3, 5, 6, 9, 10]

const paidInCash = (random: Random, amount: number, at: number): readonly Payment[] =>
  amount === 0 ? [] : [{ method: random.int(1, 3), amount, at }]

/** Issues a quotation, invoice or expense and tells of it. */
export function issue(change: Change, kind: Receipt, partyId: string | undefined, args: IssueArgs): string {
  const { random } = change
  const party = activeParty(change, kind.role, kind.classes, partyId)
  const issuedAt = issueInstant(change, args.issuedAt)
  const currency = currencyOf(random, kind, args.currency)
  const rate = rateOf(random, currency)
  const withholding = kind.withholding(random)
  const lines = drawLines(change, kind, rate, withholding, args)
  const termId = args.paymentTermId ?? random.pick([2, 3, 3, 4, 5])
  const term = TERMS.find(({ id }) => id === termId)
  if (!term) throw new SandboxError(400, 'bad-parameter', 'paymentTermId is not known.')
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
    issuedAt,
    limitAt: issuedAt + term.days * DAY,
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
    payments: term.id === CASH && kind.family !== 'quotation' ? paidInCash(random, owed, issuedAt) : [],
    credited: 0,
    modifies: null,
    creditNoteId: null,
  }
  tell(change, 'created', document)
  return document.id
}

/** Saves an edited document and tells of it; a rejected invoice may then be submitted again. */
export function saveEdited(change: Change, document: Document, args: LineArgs): string {
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

/** Registers a payment: it changes what is owed, and no event tells of it. */
export function pay(change: Change, document: Document, method: number, amount: number | undefined): string {
  const due = amountDue(document)
  if (due === 0) throw new SandboxError(409, 'nothing-due', `${document.number} owes nothing.`)
  const sum = amount ?? due
  if (sum < 1 || sum > due)
    throw new SandboxError(
      400,
      'bad-parameter',
      `amount is more than 0 and at most the ${(due / 100).toFixed(2)} that are due.`,
    )
  const payments = [...document.payments, { method, amount: sum, at: change.now }]
  change.store.putDocument({ ...document, payments, updatedAt: change.now })
  return document.id
}
