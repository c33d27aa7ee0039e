import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import type { Kind } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { scanJson } from '#core/json/scan.ts'
import { readItem } from '#core/reconcile/item.ts'
import type { SweepItem } from '#core/reconcile/ports.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import type { CapturedEvent } from '#core/reconcile/types.ts'
import { chance, pick } from './chance.ts'
import type { Made } from './deliveries.ts'

/** Ids of what belongs to a comparison, apart from those of the list. */
export const FIRST_ID = 50_000_000
const EVENTS_PER_DOCUMENT = 10
const NAMES = [
  'Ferretería El Progreso, SRL',
  'Colmado La Fe',
  'Grupo Médico Naco',
  'Café <b>Santo</b> & Cía',
] as const

/** What became of a document on its way to the receiver. */
type Fate =
  | 'whole'
  | 'lost'
  | 'status-lost'
  | 'void-lost'
  | 'changed'
  | 'paid'
  | 'unlisted'
  | 'undated'
  | 'unsubscribed'
  | 'bare'
  | 'recent'

/** Both sides of one document. */
export interface WorldDocument {
  readonly index: number
  readonly documentId: string
  readonly item: SweepItem | null
  readonly itemText: string | null
  readonly deliveries: readonly Made[]
  readonly events: readonly CapturedEvent[]
}

function fateAt(seed: number, index: number): Fate {
  const at = chance(seed, index, 40)
  if (at < 0.05) return 'lost'
  if (at < 0.08) return 'status-lost'
  if (at < 0.095) return 'void-lost'
  if (at < 0.125) return 'changed'
  if (at < 0.145) return 'paid'
  if (at < 0.165) return 'unlisted'
  if (at < 0.175) return 'undated'
  if (at < 0.19) return 'unsubscribed'
  return at < 0.2 ? 'bare' : 'whole'
}

function idAt(seed: number, index: number): string {
  const hex = (salt: number, length: number) =>
    Math.floor(chance(seed, index, salt) * 16 ** length)
      .toString(16)
      .padStart(length, '0')
  return `${hex(3, 8)}-${hex(4, 4)}-4${hex(5, 3)}-a${hex(6, 3)}-${hex(7, 6)}${hex(8, 6)}`
}

const local = (at: number): string => `${new Date(at - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00`

/** An accounting projection as JSON text: amounts with the digits of a service, two after the point. */
function accountingText(
  type: string,
  seed: number,
  index: number,
  issuedAt: number,
  total: string,
  due: string,
): string {
  const values: Readonly<Record<string, string>> = {
    DocumentTypeId: type,
    IssuedAt: JSON.stringify(local(issuedAt)),
    LimitDate: JSON.stringify(local(issuedAt + 30 * 86_400_000)),
    CurrencyCode: chance(seed, index, 41) < 0.12 ? '"USD"' : '"DOP"',
    CurrencyRate: '1.0000',
    Total: total,
    TaxableAmount: total,
    AmountDue: due,
    AwaitsFiscalValidation: 'false',
  }
  const members = [...ACCOUNTING_FIELDS.keys()].map((name) => `"${name}":${values[name] ?? '0.00'}`)
  return `{${members.join(',')}}`
}

/** One document of the deterministic world. @param at its issue, milliseconds since the epoch */
export function documentAt(seed: number, index: number, at: number, recent: boolean): WorldDocument {
  const fate = recent ? 'recent' : fateAt(seed, index)
  const documentId = idAt(seed, index)
  const expense = fate === 'unsubscribed'
  const number = `${expense ? 'E41' : 'E31'}${String(1_000 + index).padStart(10, '0')}`
  const cents = Math.floor(chance(seed, index, 42) * 40_000_000)
  const money = (value: number) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`
  const type = expense ? '41' : '31'
  const party = pick(NAMES, chance(seed, index, 43))
  const total = money(cents)
  const before = accountingText(type, seed, index, at, total, total)
  const after =
    fate === 'changed'
      ? accountingText(type, seed, index, at, money(cents + 150_000), money(cents + 150_000))
      : fate === 'paid'
        ? accountingText(type, seed, index, at, total, '0.00')
        : before
  const facts = `"DocumentId":"${documentId}","Number":"${number}","StatusId":5`
  const tail = fate === 'bare' ? '' : `,"IsAnulated":${fate === 'void-lost'}`
  const identity = fate === 'bare' ? `"DocumentId":"${documentId}"` : facts
  const itemText =
    fate === 'unlisted' || fate === 'undated'
      ? null
      : `{${identity},"IssuedAt":"${local(at)}","CustomerName":${JSON.stringify(party)},"Accounting":${after}${tail}}`
  const created = {
    kind: 'factura.created' as Kind,
    data: `${facts.replace('"StatusId":5', '"StatusId":3')},"CustomerName":${JSON.stringify(party)},"Accounting":${before}`,
  }
  const approved = { kind: 'dgii.aprobado' as Kind, data: facts }
  const voided = {
    kind: 'factura.anulated' as Kind,
    data: `"DocumentId":"${documentId}","Number":"${number}"`,
  }
  const sent: Readonly<Record<Fate, readonly { kind: Kind; data: string }[]>> = {
    whole: [created, approved],
    lost: [],
    recent: [],
    unsubscribed: [],
    'status-lost': [created],
    'void-lost': [created, approved],
    changed: [created, approved],
    paid: [created, approved],
    unlisted: [created, approved, voided],
    undated: [approved],
    bare: [created],
  }
  const made = sent[fate].map(({ kind, data }, nth) =>
    deliveryOf(FIRST_ID + index * EVENTS_PER_DOCUMENT + nth, kind, data, at + nth * 90_000 + 2_000),
  )
  return {
    index,
    documentId,
    item: itemText === null ? null : readText(itemText),
    itemText,
    deliveries: made,
    events: made.map(capturedOf),
  }
}

function readText(text: string): SweepItem {
  const tree = scanJson(text)
  if ('problem' in tree) throw new Error('the world made an item that is no JSON')
  return readSweepItem(tree, 0)
}

export function deliveryOf(id: number, kind: Kind, data: string, at: number, synthetic = false): Made {
  return deliveryFrom(id, `{"Event":"${kind}","Timestamp":"${local(at)}","data":{${data}}}`, at, synthetic)
}

export function deliveryFrom(id: number, text: string, at: number, synthetic: boolean): Made {
  const body = new TextEncoder().encode(text)
  const analysis = analyse({ method: 'POST', contentType: 'application/json', body: { bytes: body } })
  const { event, kind, group, documentId, number, statusId, verdict } = analysis
  return {
    body,
    row: {
      ...{ id, receivedAt: at * 1_000, endpoint: 'default', method: 'POST', url: '/', size: body.byteLength },
      ...{
        answer: synthetic ? null : 200,
        tookUs: synthetic ? null : 1_400,
        rejected: false,
        malformed: null,
      },
      ...{ event, kind, group, documentId, number, statusId, verdict },
      timestamp: analysis.timestamp?.text ?? null,
      findings: analysis.findingCount,
      marks: synthetic ? ['synthetic'] : [],
      attempts: 0,
      note: false,
      tags: [],
    },
  }
}

function capturedOf({ row, body }: Made): CapturedEvent {
  const text = new TextDecoder().decode(body)
  const data = scanJson(text.slice(text.indexOf('"data":') + 7, -1))
  if ('problem' in data || row.kind === null) throw new Error('the world made an event that is no JSON')
  const read = readItem(data, 0)
  return {
    deliveryId: row.id,
    kind: row.kind,
    instant: row.receivedAt,
    number: read.number,
    issuedAt: read.issuedAt,
    documentType: read.documentType,
    accounting: read.accounting,
  }
}
