import { seeded } from './random.ts'

/** One value of a document before serialisation. `digits`: a number; `instant`: microseconds since the epoch. */
export type Cell =
  | { readonly digits: string }
  | { readonly instant: number }
  | string
  | boolean
  | readonly never[]
  | null
export type Cells = readonly (readonly [name: string, cell: Cell])[]

export type Group = 'factura' | 'nota_credito' | 'nota_debito' | 'gasto'

/** A document of the foreign service, a second implementation that shares no code with the sandbox. */
export interface ForeignDocument {
  readonly id: string
  readonly number: string
  readonly group: Group
  /** Code of the document type, such as 31 for E31; also the service's type id. */
  readonly code: number
  /** Microseconds since the epoch. */
  readonly issued: number
  /** 5 to 8: the tax authority has answered; other values: it has not. */
  readonly status: number
  readonly voided: boolean
  readonly party: string
  readonly total: string
  /** The total before the last update; null: never updated. */
  readonly totalBefore: string | null
  readonly debt: boolean
}

/** An event as the service sends it: the kind and the body's bytes as text. */
export interface ForeignEvent {
  readonly kind: string
  readonly document: ForeignDocument
  readonly body: string
}

export const DAY_US = 86_400_000_000
/** Midnight of 1 October 2026 at -04:00. */
export const OCTOBER_US = Date.UTC(2026, 9, 1, 4) * 1_000

const CODES: readonly (readonly [code: number, group: Group])[] = [
  [31, 'factura'],
  [32, 'factura'],
  [34, 'nota_credito'],
  [33, 'nota_debito'],
  [43, 'gasto'],
]

export interface LedgerOptions {
  readonly seed: number
  readonly count: number
  /** Issue instant of document n, microseconds; default: spread over October. */
  readonly issued?: (n: number, random: () => number) => number
  /** Codes to draw from. */
  readonly codes?: readonly number[]
}

/** Draws documents; the same seed gives the same documents. */
export function foreignLedger(options: LedgerOptions): ForeignDocument[] {
  const random = seeded(options.seed)
  const spread = () => OCTOBER_US + Math.floor(random() * 31 * 86_400) * 1_000_000
  const codes = options.codes ?? CODES.map(([code]) => code)
  return Array.from({ length: options.count }, (_, n): ForeignDocument => {
    const code = codes[Math.floor(random() * codes.length)] ?? 31
    const group = CODES.find(([known]) => known === code)?.[1] ?? 'factura'
    const total = `${1 + Math.floor(random() * 90_000)}.${n % 3 === 0 ? '00' : n % 3 === 1 ? '50' : '07'}`
    const answered = group === 'factura' && random() < 0.8
    return {
      id: uuid(random),
      number: `E${code}${String(n + 1).padStart(10, '0')}`,
      ...{ group, code },
      issued: options.issued?.(n, random) ?? spread(),
      status: answered ? 5 + Math.floor(random() * 4) : 2,
      voided: random() < 0.1,
      party: `Ferretería Ñandú ${n}`,
      total,
      totalBefore: random() < 0.2 ? `${total}9` : null,
      debt: random() < 0.4,
    }
  })
}

function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** The accounting projection, which the service writes to events and to items. */
export function accountingCells(document: ForeignDocument, total = document.total): Cells {
  return [
    ['DocumentTypeId', { digits: String(document.code) }],
    ['BranchId', { digits: '1' }],
    ['SequenceTypeId', { digits: String(document.code) }],
    ['IssuedAt', { instant: document.issued }],
    ['LimitDate', { instant: document.issued + 30 * DAY_US }],
    ['PaymentTermId', null],
    ['CurrencyCode', 'DOP'],
    ['CurrencyRate', { digits: '1.0000' }],
    ['TaxableAmount', { digits: total }],
    ['TotalTaxes', { digits: '0.00' }],
    ['Total', { digits: total }],
    ['AmountDue', { digits: document.debt ? total : '0.00' }],
    ['AwaitsFiscalValidation', false],
  ]
}

/** @returns every event that the service sends about a document, in order, in the specification's form */
export function foreignEvents(document: ForeignDocument): ForeignEvent[] {
  const { group, status, voided, totalBefore } = document
  const events: ForeignEvent[] = []
  const add = (kind: string, data: Readonly<Record<string, unknown>>) => {
    const minutes = events.length * 3 + 1
    const body = JSON.stringify({
      Event: kind,
      Timestamp: localTime(document.issued + minutes * 60_000_000),
      data: { DocumentId: document.id, ...data },
    })
    events.push({ kind, document, body: body.replace(/"#digits ([^"]*)"/g, '$1') })
  }
  const full = (total: string) => ({
    ...{ SequenceTypeId: document.code, StatusId: 2, Number: document.number },
    ...(group === 'factura' ? { CustomerName: document.party } : { SupplierName: document.party }),
    Accounting: Object.fromEntries(
      accountingCells(document, total).map(([name, cell]) => [name, sentCell(cell)]),
    ),
  })
  add(`${group}.created`, full(totalBefore ?? document.total))
  if (totalBefore !== null) add(`${group}.updated`, full(document.total))
  const answer = ['aprobado', 'rechazado', 'en_proceso', 'aceptado_condicional'][status - 5]
  if (group === 'factura' && answer) add(`dgii.${answer}`, { StatusId: status })
  if (voided) add(`${group}.anulated`, {})
  return events
}

const sentCell = (cell: Cell): unknown =>
  cell !== null && typeof cell === 'object'
    ? 'digits' in cell
      ? `#digits ${cell.digits}`
      : 'instant' in cell
        ? localTime(cell.instant)
        : cell
    : cell

/** Formats an instant as in webhooks: local time with offset and seven decimals. */
function localTime(instant: number): string {
  const micros = instant % 1_000_000
  const local = new Date((instant - micros) / 1_000 - 4 * 3_600_000).toISOString().slice(0, 19)
  return `${local}.${String(micros).padStart(6, '0')}0-04:00`
}
