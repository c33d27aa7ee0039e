import { KINDS, type Kind } from '#catalog/kinds.ts'
import { createParty } from '#sandbox/data/parties.ts'
import { createProduct, type ProductData } from '#sandbox/data/products.ts'
import { createRandom, type Random } from '#sandbox/data/random.ts'
import { aLine, anEvent, type EventObject } from '../support/events.ts'
import { aUuid, nextLife, type Party, type Step, stepOf } from './browse-lives.ts'

const ENDPOINTS = ['default', 'erp', 'contabilidad', 'pruebas'] as const
const ENDPOINT_SHARES = [70, 15, 10, 5]
const PARTIES = 4_000
const PRODUCTS = 600
/** Documents whose lives go on at a time. */
const OPEN = 3_000
/** How many documents have one line, two, and so on. */
const LINE_SHARES = [12, 20, 21, 18, 15, 14]

export interface BrowseEvent {
  readonly endpoint: string
  readonly body: Buffer
  /** For want of the secret header; it is answered with 401. */
  readonly rejected: boolean
}

/** An endless stream of what the service might send: the same seed gives the same bytes for the same instants. */
export interface BrowseEvents {
  /** @param at microseconds since the epoch: when it arrives */
  next(at: number): BrowseEvent
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

interface Template {
  readonly event: EventObject
  readonly setters: readonly (readonly [string, Setter])[]
}

function templateOf(kind: Kind): Template {
  const event = anEvent(kind)
  // What the authority's events say of the status is told by their names.
  const own = kind.startsWith('dgii.') ? ['StatusId'] : []
  const setters = Object.keys(event.data).flatMap((name) => {
    const setter = own.includes(name) ? undefined : SETTERS.find(([pattern]) => pattern.test(name))?.[1]
    return setter ? [[name, setter] as const] : []
  })
  return { event, setters }
}

/** Documents with lives, contacts and products, of which a few are spoilt, sent twice, late, or turned away. */
export function createEvents(seed: number): BrowseEvents {
  const random = createRandom(seed)
  const templates = new Map(KINDS.map(({ kind }) => [kind, templateOf(kind)]))
  const line = aLine()
  const parties = Array.from({ length: PARTIES }, () => aParty(random))
  const products = Array.from({ length: PRODUCTS }, () => ({ ...createProduct(random), id: aUuid(random) }))
  const lives: Step[] = []
  let serial = 0
  let last: BrowseEvent | undefined

  function step(): Step {
    const chance = random.int(0, 99)
    if (chance < 6) return nextLife(random, 'other', parties, ++serial)
    const fresh = lives.length < OPEN / 6 || (chance < 45 && lives.length < OPEN)
    const going = fresh ? undefined : lives.splice(random.int(0, lives.length - 1), 1)[0]
    return going ?? nextLife(random, 'document', parties, ++serial)
  }

  function eventOf(now: Step, at: number): EventObject {
    const { event, setters } = templates.get(now.kind) ?? templateOf(now.kind)
    const late = random.int(0, 99) === 0 ? random.int(400, 9_000) * 1_000_000 : 0
    const told = timestamp(at - late - random.int(80_000, 900_000))
    const data: Record<string, unknown> = { ...event.data }
    const amount = random.int(50_000, 25_000_000) / 100
    for (const [name, setter] of setters) data[name] = setter(now, amount)
    if ('Lines' in data)
      data.Lines = Array.from({ length: 1 + random.weighted(LINE_SHARES) }, (_, place) =>
        aLineOf(random, line, random.pick(products), place + 1),
      )
    if ('Accounting' in data) {
      const sums = { TaxableAmount: amount, Total: amount, AmountDue: amount }
      data.Accounting = { ...(data.Accounting as object), IssuedAt: told, ...sums }
    }
    return { ...event, Timestamp: told, data }
  }

  return {
    next(at) {
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
  const shares = [60, 25, 7, 4, 4]
  const kind = (['company', 'person', 'government', 'free-zone', 'foreign'] as const)[random.weighted(shares)]
  return { ...createParty(random, kind ?? 'company'), id: aUuid(random) }
}

/** With seven digits and the offset, as the service writes them. */
function timestamp(at: number): string {
  const local = new Date(at / 1_000 - 4 * 3_600_000).toISOString()
  return `${local.slice(0, 19)}.${String(Math.floor(at) % 1_000_000).padStart(6, '0')}7-04:00`
}

function aLineOf(
  random: Random,
  template: object,
  product: ProductData & { readonly id: string },
  order: number,
): object {
  const quantity = random.int(1, 24)
  const net = (quantity * product.price) / 100
  return {
    ...template,
    ...{ LineId: aUuid(random), ProductId: product.id, Code: product.code, Order: order },
    ...{ Description: product.description, IsService: product.isService, IsExempt: product.rate === 0 },
    ...{ Quantity: quantity, UnitPrice: product.price / 100, NetAmount: net, Discount: 0 },
    ...{ TotalTax: (net * product.rate) / 100, Subtotal: net },
  }
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
