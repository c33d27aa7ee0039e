import { KINDS, type Kind } from '#catalog/kinds.ts'
import { createParty, type PartyData } from '#sandbox/data/parties.ts'
import { createProduct } from '#sandbox/data/products.ts'
import { createRandom, type Random } from '#sandbox/data/random.ts'
import { aLine, anEvent, type EventObject } from '../support/events.ts'

const ENDPOINTS = ['default', 'erp', 'contabilidad', 'pruebas'] as const
const ENDPOINT_SHARES = [70, 15, 10, 5]
const PARTIES = 4_000
const PRODUCTS = 600
/** Documents whose lives go on at a time. */
const OPEN = 3_000
/** How many documents have one line, two, and so on. */
const LINE_SHARES = [12, 20, 21, 18, 15, 14]

/** First events of documents, how often, and the sequence of their numbers. */
const FIRST = ['factura.created', 58, 'E31'] as const
const BEGINNINGS: readonly (readonly [Kind, number, string])[] = [
  FIRST,
  ['gasto.created', 24, 'B01'],
  ['cotizacion.created', 6, 'COT'],
  ['nota_credito.created', 8, 'E34'],
  ['nota_debito.created', 4, 'E33'],
]
const SHARES = BEGINNINGS.map(([, share]) => share)
const OTHERS = KINDS.filter(({ group }) => group === 'contacts' || group === 'catalog').map(
  ({ kind }) => kind,
)

/** What may follow what, and how many times in a hundred; where it adds up to less, a life may end there. */
const FOLLOWERS = new Map(
  Object.entries({
    'factura.created':
      'factura.updated 30, dgii.en_proceso 30, dgii.aprobado 26, dgii.rechazado 4, dgii.aceptado_condicional 3, factura.anulated 3',
    'factura.updated': 'dgii.aprobado 60, dgii.rechazado 4, factura.updated 8, factura.anulated 4',
    'dgii.en_proceso': 'dgii.aprobado 88, dgii.rechazado 6, dgii.aceptado_condicional 4',
    'dgii.aprobado': 'factura.anulated 2',
    'gasto.created': 'gasto.updated 45, gasto.anulated 5',
    'cotizacion.created': 'cotizacion.updated 50, cotizacion.anulated 10',
    'nota_credito.created': 'nota_credito.updated 20, nota_credito.anulated 5',
    'nota_debito.created': 'nota_debito.updated 20, nota_debito.anulated 5',
  }).map(([kind, followers]) => [
    kind,
    followers.split(', ').map((one) => {
      const [follower, share] = one.split(' ')
      return [follower as Kind, Number(share)] as const
    }),
  ]),
)

interface Party extends PartyData {
  readonly id: string
}

interface Step {
  readonly kind: Kind
  readonly id: string
  readonly number: string
  readonly party: Party
  readonly statusId: number
}

function stepOf(random: Random, step: Step): Step | undefined {
  let left = random.int(0, 99)
  for (const [kind, share] of FOLLOWERS.get(step.kind) ?? []) {
    if (left < share) return { ...step, kind, statusId: kind.endsWith('.anulated') ? 8 : 2 }
    left -= share
  }
  return undefined
}

function aUuid(random: Random): string {
  const [a, b, c, d] = [0, 1, 2, 3].map(() =>
    random
      .int(0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, '0'),
  )
  return `${a}-${b?.slice(0, 4)}-4${b?.slice(5)}-8${c?.slice(1, 4)}-${c?.slice(4)}${d}`
}

/** How members of `data` that differ from event to event get their values. */
type Setter = (step: Step, amount: number) => unknown
const SETTERS: readonly (readonly [RegExp, Setter])[] = [
  [/^DocumentId$/, ({ id }) => id],
  [/^Number$/, ({ number }) => number],
  [/^StatusId$/, ({ statusId }) => statusId],
  [/^AmountDue$/, (_, amount) => amount],
  [/^(?:Customer|Supplier)Id$/, ({ party }) => party.id],
  [/^(?:Customer|Supplier|Legal|Commercial)Name$/, ({ party }) => party.name],
  [/TaxId$|^TaxIdentification$/, ({ party }) => party.taxId],
  [/Phone$/, ({ party }) => party.phone],
  [/Email$/, ({ party }) => party.email],
  [/Address$/, ({ party }) => party.address],
]

function templateOf(kind: Kind) {
  const event = anEvent(kind)
  // What the authority's events say of the status is told by their names.
  const own = kind.startsWith('dgii.') ? ['StatusId'] : []
  const setters = Object.keys(event.data).flatMap((name) => {
    const setter = own.includes(name) ? undefined : SETTERS.find(([pattern]) => pattern.test(name))?.[1]
    return setter ? [[name, setter] as const] : []
  })
  return { event, setters }
}

/**
 * An endless stream of what the service might send, the same for the same seed and instants: documents with lives, contacts and products,
 * of which a few are spoilt, sent twice, late, or rejected for want of the secret header.
 */
export function createEvents(seed: number) {
  const random = createRandom(seed)
  const templates = new Map(KINDS.map(({ kind }) => [kind, templateOf(kind)]))
  const line = aLine()
  const parties = Array.from({ length: PARTIES }, () => aParty(random))
  const products = Array.from({ length: PRODUCTS }, () => ({ ...createProduct(random), id: aUuid(random) }))
  const lives: Step[] = []
  let serial = 0
  let last: { readonly endpoint: string; readonly body: Buffer; readonly rejected: boolean } | undefined

  function begun(other: boolean): Step {
    const [kind, , sequence] = BEGINNINGS[random.weighted(SHARES)] ?? FIRST
    const number = `${sequence}${String(++serial).padStart(10, '0')}`
    const party = random.pick(parties)
    return { kind: other ? random.pick(OTHERS) : kind, id: aUuid(random), number, party, statusId: 1 }
  }

  function step(): Step {
    const chance = random.int(0, 99)
    if (chance < 6) return begun(true)
    const fresh = lives.length < OPEN / 6 || (chance < 45 && lives.length < OPEN)
    const going = fresh ? undefined : lives.splice(random.int(0, lives.length - 1), 1)[0]
    return going ?? begun(false)
  }

  function aLineAt(place: number): object {
    const product = random.pick(products)
    const quantity = random.int(1, 24)
    const net = (quantity * product.price) / 100
    return {
      ...line,
      ...{ LineId: aUuid(random), ProductId: product.id, Code: product.code, Order: place + 1 },
      ...{ Description: product.description, IsService: product.isService, IsExempt: product.rate === 0 },
      ...{ Quantity: quantity, UnitPrice: product.price / 100, NetAmount: net, Discount: 0 },
      ...{ TotalTax: (net * product.rate) / 100, Subtotal: net },
    }
  }

  function eventOf(now: Step, at: number): EventObject {
    const { event, setters } = templates.get(now.kind) ?? templateOf(now.kind)
    const late = random.int(0, 99) === 0 ? random.int(400, 9_000) * 1_000_000 : 0
    const told = timestamp(at - late - random.int(80_000, 900_000))
    const data: Record<string, unknown> = { ...event.data }
    const amount = random.int(50_000, 25_000_000) / 100
    for (const [name, setter] of setters) data[name] = setter(now, amount)
    if ('Lines' in data)
      data.Lines = Array.from({ length: 1 + random.weighted(LINE_SHARES) }, (_, place) => aLineAt(place))
    if ('Accounting' in data) {
      const sums = { TaxableAmount: amount, Total: amount, AmountDue: amount }
      data.Accounting = { ...(data.Accounting as object), IssuedAt: told, ...sums }
    }
    return { ...event, Timestamp: told, data }
  }

  return {
    /** @param at microseconds since the epoch: when it arrives */
    next(at: number) {
      if (last && random.int(0, 199) === 0) return last
      const now = step()
      const after = stepOf(random, now)
      if (after) lives.push(after)
      last = {
        endpoint: ENDPOINTS[random.weighted(ENDPOINT_SHARES)] ?? 'default',
        body: Buffer.from(spoilt(random, eventOf(now, at))),
        rejected: random.int(0, 249) === 0,
      }
      return last
    },
  }
}

function aParty(random: Random): Party {
  const kinds = ['company', 'person', 'government', 'free-zone', 'foreign'] as const
  const kind = kinds[random.weighted([60, 25, 7, 4, 4])] ?? 'company'
  return { ...createParty(random, kind), id: aUuid(random) }
}

/** With seven digits and the offset, as the service writes them. */
function timestamp(at: number): string {
  const local = new Date(at / 1_000 - 4 * 3_600_000).toISOString()
  return `${local.slice(0, 19)}.${String(Math.floor(at) % 1_000_000).padStart(6, '0')}7-04:00`
}

/** Of a thousand: 12 lack what is documented, 6 have another type, 6 a field more, 2 another name, 3 end in the middle, 8 tell UTC. */
function spoilt(random: Random, event: EventObject): string {
  const chance = random.int(0, 999)
  const { data } = event
  if (chance < 8) return JSON.stringify({ Event: event.Event, data })
  if (chance < 12) delete data.DocumentId
  else if (chance < 18 && 'StatusId' in data) data.StatusId = String(data.StatusId)
  else if (chance < 24) data.Observaciones = 'Entregar en almacén'
  else if (chance < 26) return JSON.stringify({ ...event, Event: `${event.Event}.v2` })
  else if (chance >= 30 && chance < 38)
    return JSON.stringify({ ...event, Timestamp: String(event.Timestamp).replace(/-04:00$/, 'Z') })
  const text = JSON.stringify(event)
  return chance >= 26 && chance < 29 ? text.slice(0, Math.floor(text.length * 0.7)) : text
}
