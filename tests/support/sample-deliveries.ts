import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import type { NewDelivery } from '#core/ports.ts'
import { createParty, PARTY_CLASSES } from '#sandbox/data/parties.ts'
import { createProduct } from '#sandbox/data/products.ts'
import { createRandom } from '#sandbox/data/random.ts'
import { seeded } from './random.ts'
import { aDelivery } from './store.ts'

/** Number of consecutive deliveries of one document. */
const STEPS = 3
const NAMES = [
  'Ferretería El Progreso, SRL',
  'Colmado La Fe',
  'Grupo Médico Naco',
  'Café <b>Santo</b> & Cía',
] as const
const account = createRandom(4)
/** Parties of every class, mostly companies. */
const PARTIES = Array.from({ length: 4_000 }, (_, n) =>
  createParty(account, PARTY_CLASSES[n % 9] ?? 'company'),
)
const PRODUCTS = Array.from({ length: 600 }, () => createProduct(account))
const FAMILIES = ['factura', 'factura', 'factura', 'nota_credito', 'nota_debito', 'gasto'] as const
/** Kinds without an accounting document, which occur less often. */
const OTHERS = KINDS.filter(({ group }) => ['contacts', 'catalog', 'quotations'].includes(group))

const randomOf = (seed: number, index: number) => seeded(Math.imul(seed + 1, 0x9e3779b1) ^ index)
const pick = <T>(from: readonly T[], at: number): T => from[Math.floor(at * from.length)] as T

function kindAt(seed: number, index: number): Kind {
  const document = Math.floor(index / STEPS)
  const random = randomOf(seed, -document - 1)
  const family = pick(FAMILIES, random())
  const [uncreated, status, third] = [random() < 0.08, random(), random()]
  const approved = status < 0.8 ? 'dgii.aprobado' : status < 0.9 ? 'dgii.rechazado' : 'dgii.en_proceso'
  const next: Kind = family === 'factura' ? approved : `${family}.updated`
  if (index % STEPS === 0) return uncreated ? next : `${family}.created`
  if (index % STEPS === 1) return next
  const other = OTHERS[document % OTHERS.length]
  if (other && third < 0.4) return other.kind
  return third < 0.9 ? `${family}.updated` : `${family}.anulated`
}

/** Formats local time with offset, as the service does. */
const localAt = (at: number): string => `${new Date(at - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00`

function documentId(seed: number, document: number): string {
  const random = randomOf(seed, -document - 1)
  const hex = (length: number) =>
    Math.floor(random() * 16 ** length)
      .toString(16)
      .padStart(length, '0')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(6)}${hex(6)}`
}

function sampleOf(name: string, seed: number, index: number): unknown {
  const document = Math.floor(index / STEPS)
  const random = randomOf(seed + 7, document)
  const amount = Math.round(random() * 9_000_000 + (index % STEPS) * 35_025) / 100
  const party = pick(PARTIES, random())
  switch (name) {
    case 'DocumentId':
      return documentId(seed, document)
    case 'StatusId':
      return 3
    case 'Number':
      return `E31${String(4_000 + document).padStart(10, '0')}`
    case 'Lines':
      return [0, 1].map((line) =>
        Object.fromEntries([...LINE_FIELDS.keys()].map((n) => [n, sampleOf(n, seed, index + line)])),
      )
    case 'Accounting':
      return Object.fromEntries([...ACCOUNTING_FIELDS.keys()].map((n) => [n, sampleOf(n, seed, index)]))
    case 'CustomerName':
    case 'SupplierName':
    case 'LegalName':
      return random() < 0.5 ? pick(NAMES, random()) : party.name
    case 'Description':
      return pick(PRODUCTS, randomOf(seed, index)()).description
    case 'CurrencyCode':
      return 'DOP'
    default:
      if (/Phone$/.test(name)) return party.phone
      if (/TaxId|TaxIdentification/.test(name)) return party.taxId
      if (/Address$/.test(name)) return party.address
      return /Amount|Total|Price|Due|Tax$/.test(name) ? amount : `${name} ${document % 97}`
  }
}

/** Makes a body, sometimes with a defect or as a duplicate. @param at milliseconds since the epoch @param gapMs milliseconds since the one before */
export function sampleBody(seed: number, index: number, at: number, gapMs = 0): string {
  const again = index > 0 && randomOf(seed + 9, index)() < 0.03
  return again ? bodyAt(seed, index - 1, at - gapMs) : bodyAt(seed, index, at)
}

function bodyAt(seed: number, index: number, at: number): string {
  const kind = kindAt(seed, index)
  const random = randomOf(seed + 3, index)
  const [defect, late] = [random(), random()]
  const spec = kindSpec(kind)
  const data: Record<string, unknown> = Object.fromEntries(
    (spec?.fields ?? []).map((name) => [name, sampleOf(name, seed, index)]),
  )
  if (spec?.statusId !== undefined) data.StatusId = spec.statusId
  const [identity = 'DocumentId'] = Object.keys(data)
  if (defect < 0.025) data[identity] = `{${documentId(seed, index)}}`
  else if (defect >= 0.06 && defect < 0.12) data.Sucursal = 'SD-02'
  const told = localAt(late < 0.03 ? at - 3_600_000 : at)
  const Timestamp = defect >= 0.025 && defect < 0.06 ? told.replace('-04:00', 'Z') : told
  const text = JSON.stringify({ Event: kind, Timestamp, data })
  return defect >= 0.12 && defect < 0.126 ? text.slice(0, Math.floor(text.length * 0.6)) : text
}

/** Makes delivery number `index` of a busy account as the receiver passes it to the store; the same seed gives the same deliveries. */
export function sampleDelivery(seed: number, index: number, at: number, gapMs = 0): NewDelivery {
  const random = randomOf(seed + 5, index)
  const body = sampleBody(seed, index, at, gapMs)
  const [endpoint, put, fate] = [random(), random(), random()]
  const erp = endpoint < 0.2
  const rejected = fate < 0.02
  const cutOff = !rejected && fate < 0.024
  return aDelivery({
    receivedAt: at * 1_000,
    endpoint: erp ? 'erp' : 'default',
    method: put < 0.08 ? 'PUT' : 'POST',
    url: erp ? '/erp/webhooks?source=acct' : '/',
    headers: [
      ...['Host', '127.0.0.1:4400', 'Content-Type', 'application/json', 'User-Agent', 'invoicing-service/1'],
      ...['X-Hook-Secret', 'correct-horse-battery-st', 'Content-Length', String(body.length)],
    ],
    body,
    rejected,
    malformed: cutOff ? 'cut-off' : null,
    answer: cutOff ? null : { status: rejected ? 401 : 200, headers: [], body: new Uint8Array() },
  })
}
