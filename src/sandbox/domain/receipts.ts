import { DOCUMENT_TYPES } from '#catalog/service.ts'
import type { PartyClass } from '../data/parties.ts'
import type { Random } from '../data/random.ts'
import type { Family, PartyRole, WithholdingRule } from './records.ts'

/** What the sandbox knows about one type of document beyond the catalogue. */
export interface Receipt {
  /** 31 for E31, 0 for a quotation (sandbox choice: DocumentTypeId is the code's number). */
  readonly type: number
  /** E31; COT for quotations. */
  readonly code: string
  readonly family: Family
  readonly role: PartyRole
  /** Parties it is written for when none is named. */
  readonly classes: readonly PartyClass[]
  /** Special regimes, exports and foreign payments carry no ITBIS. */
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

/** @throws Error for a code that the catalogue does not name */
export function receipt(code: string): Receipt {
  const found = RECEIPTS.get(code)
  if (!found) throw new Error(`no receipt ${code}`)
  return found
}

/** Codes of a family, in the catalogue's order. */
export const codesOf = (family: Family): readonly string[] =>
  DOCUMENT_TYPES.filter((type) => type.family === family).map((type) => type.code)

/** How often each invoice type occurs, in the catalogue's order: E31, E32, E44, E45, E46. */
export const INVOICE_WEIGHTS = [45, 38, 4, 8, 5]
/** The same for E41, E43, E47. */
export const EXPENSE_WEIGHTS = [35, 50, 15]

/** An e-NCF is the code with ten digits of its sequence; a quotation's number has a form of its own. */
export const documentNumber = (code: string, serial: number): string =>
  code === QUOTATION.code
    ? `COT-${String(serial).padStart(6, '0')}`
    : `${code}${String(serial).padStart(10, '0')}`
