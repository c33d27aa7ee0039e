import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES } from '#catalog/service.ts'
import type { PartyClass, PartyData } from '../data/parties.ts'
import type { ProductData, TaxRate } from '../data/products.ts'
import type { Random } from '../data/random.ts'

export type Family = 'quotation' | 'invoice' | 'credit-note' | 'debit-note' | 'expense'
export type PartyRole = 'customer' | 'supplier'

export interface Party extends PartyData {
  readonly id: string
  readonly role: PartyRole
  readonly class: PartyClass
  readonly active: boolean
}

export interface Product extends ProductData {
  readonly id: string
  readonly active: boolean
}

/** One line; amounts in cents of the document's currency, quantity in hundredths, percentages in hundredths of a per cent. */
export interface Line {
  readonly id: string
  readonly productId: string | null
  readonly code: string
  readonly description: string
  readonly isService: boolean
  readonly unit: number
  readonly rate: TaxRate
  readonly quantity: number
  readonly price: number
  readonly discountPercent: number
  readonly discount: number
  readonly recharge: number
  readonly net: number
  readonly tax: number
  readonly withholdings: readonly Withholding[]
}

export interface Withholding {
  readonly name: 'ITBIS' | 'ISR'
  readonly percent: number
  readonly amount: number
}

/** Withholdings: `itbis` in per cent of the tax, `isr` in per cent of the net. */
export interface WithholdingRule {
  readonly itbis: number
  readonly isr: number
}

export interface Payment {
  readonly method: number
  readonly amount: number
  readonly at: number
}

/** What a note corrects, and why: 1 the whole document, 2 its text, 3 its amounts. */
export interface Modification {
  readonly id: string
  readonly number: string
  readonly code: 1 | 2 | 3
}

/**
 * Statuses before the authority's answer are sandbox choices (readings, Sandbox choices): 1 means issued. Voiding is not a status: a voided
 * document keeps its last one.
 */
export type Status = 1 | 5 | 6 | 7 | 8

export interface Document {
  readonly id: string
  readonly family: Family
  /** 31 for E31; 0 for a quotation, which is not a receipt. */
  readonly type: number
  readonly number: string
  readonly status: Status
  readonly pending: boolean
  readonly anulated: boolean
  readonly issuedAt: number
  readonly limitAt: number
  readonly updatedAt: number
  readonly offset: string
  readonly party: Party
  readonly currency: Currency
  /** Dominican pesos per unit, in ten-thousandths. */
  readonly rate: number
  readonly term: number
  readonly lines: readonly Line[]
  readonly withholding: WithholdingRule
  readonly freight: number
  readonly tip: number
  readonly bought: number | null
  /** Amount owed before payments and notes. */
  readonly owed: number
  readonly payments: readonly Payment[]
  /** Sum of all credit notes that are not voided, without freight and tip. */
  readonly credited: number
  readonly modifies: Modification | null
  readonly creditNoteId: string | null
}

export const CURRENCIES = [
  { id: 1, code: 'DOP' },
  { id: 2, code: 'USD' },
  { id: 3, code: 'EUR' },
] as const
export type Currency = (typeof CURRENCIES)[number]

/** Payment term 1: cash, paid at issue. */
export const CASH = 1
export const TERMS = [
  { id: CASH, name: 'Contado', days: 0 },
  { id: 2, name: 'Crédito 15 días', days: 15 },
  { id: 3, name: 'Crédito 30 días', days: 30 },
  { id: 4, name: 'Crédito 45 días', days: 45 },
  { id: 5, name: 'Crédito 60 días', days: 60 },
]

/** Names of payment methods on receipts; 4 stands for the amount due. */
export const PAYMENT_METHODS: ReadonlyMap<number, string> = new Map([
  [1, 'Efectivo'],
  [2, 'Cheque/Transferencia/Depósito'],
  [3, 'Tarjeta de débito/crédito'],
])
export const ON_CREDIT = { id: 4, name: 'Venta a crédito' }

export interface SandboxEvent {
  readonly seq: number
  readonly kind: Kind
  /** Id of a document, customer, supplier or product. Deliveries of one subject keep their order. */
  readonly subject: string
  /** The body as it is sent. */
  readonly body: string
  readonly cause: string
  readonly at: number
}

export interface Receipt {
  /** 31 for E31, 0 for a quotation (sandbox choice: DocumentTypeId is the code's number). */
  readonly type: number
  /** Such as E31; COT for quotations. */
  readonly code: string
  readonly family: Family
  readonly role: PartyRole
  readonly classes: readonly PartyClass[]
  /** Whether the receipt is without ITBIS: special regimes, exports and foreign payments. */
  readonly exempt: boolean
  readonly foreign: boolean
  readonly withholding: (random: Random) => WithholdingRule
}

const nothing: WithholdingRule = { itbis: 0, isr: 0 }
const always = (itbis: number, isr: number) => () => ({ itbis, isr })
const sometimes = (random: Random) => (random.chance(20) ? { itbis: 30, isr: 0 } : nothing)

const sale = { role: 'customer', exempt: false, foreign: false, withholding: always(0, 0) } as const
const purchase = { ...sale, role: 'supplier' } as const

const RULES: Readonly<
  Record<(typeof DOCUMENT_TYPES)[number]['code'], Omit<Receipt, 'type' | 'code' | 'family'>>
> = {
  E31: { ...sale, classes: ['company'], withholding: sometimes },
  E32: { ...sale, classes: ['person'] },
  E33: { ...sale, classes: [] },
  E34: { ...sale, classes: [] },
  E41: { ...purchase, classes: ['person'], withholding: always(100, 10) },
  E43: { ...purchase, classes: ['company'] },
  E44: { ...sale, classes: ['free-zone'], exempt: true },
  E45: { ...sale, classes: ['government'], withholding: always(0, 5) },
  E46: { ...sale, classes: ['foreign'], exempt: true, foreign: true },
  E47: { ...purchase, classes: ['foreign'], exempt: true, foreign: true, withholding: always(0, 27) },
}

export const QUOTATION: Receipt = {
  ...sale,
  type: 0,
  code: 'COT',
  family: 'quotation',
  classes: ['company', 'person'],
}

const RECEIPTS: ReadonlyMap<string, Receipt> = new Map(
  DOCUMENT_TYPES.map(({ code, family }) => [
    code,
    { ...RULES[code], type: Number(code.slice(1)), code, family },
  ]),
)

export function receipt(code: string): Receipt {
  const found = RECEIPTS.get(code)
  if (!found) throw new Error(`no receipt ${code}`)
  return found
}

export const codesOf = (family: Family): readonly string[] =>
  DOCUMENT_TYPES.filter((type) => type.family === family).map((type) => type.code)

/** Relative frequency of each invoice type, in the catalogue's order: E31, E32, E44, E45, E46. */
export const INVOICE_WEIGHTS = [45, 38, 4, 8, 5]
/** Relative frequency of E41, E43 and E47. */
export const EXPENSE_WEIGHTS = [35, 50, 15]

/** Formats a number: an e-NCF is the code and ten digits of its serial; quotations have another format. */
export const documentNumber = (code: string, serial: number): string =>
  code === QUOTATION.code
    ? `COT-${String(serial).padStart(6, '0')}`
    : `${code}${String(serial).padStart(10, '0')}`
