import fc from 'fast-check'
import {
  DAY_US,
  type ForeignDocument,
  type ForeignEvent,
  foreignEvents,
  foreignLedger,
} from '../support/foreign-ledger.ts'
import type { ForeignFault, ForeignKnobs, ForeignService } from '../support/foreign-service.ts'
import { otherId, PLAIN_SHAPE } from '../support/foreign-shape.ts'
import { type ForeignTruth, foreignTruth } from '../support/foreign-truth.ts'
import { seeded } from '../support/random.ts'
import type { House, Printed, reconciling } from './reconcile-house.ts'

export interface World {
  readonly seed: number
  readonly count: number
  readonly lost: number
  /** Share of the documents with the same date. */
  readonly crowd: number
  readonly pageSize: number
  readonly stated: boolean
  readonly knobs: Partial<Omit<ForeignKnobs, 'fault' | 'spoil'>>
  readonly fault: readonly [nth: number, fault: ForeignFault] | null
  readonly spoil: 'no' | 'null' | 'deep' | 'some'
}

const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(fc.constant(usual), fc.constantFrom(...others))

/** Dates without an offset are in the connection's zone, since items cannot show another one. */
const dates = fc.oneof(
  fc.record({
    zone: fc.constantFrom('offset' as const, 'Z' as const),
    offset: mostly(-240, 0, 330, 840),
    precision: fc.constantFrom('second' as const, 'milli' as const, 'micro' as const, 'tick' as const),
  }),
  fc.record({
    ...{ zone: fc.constant('none' as const), offset: fc.constant(-240) },
    precision: fc.constantFrom('second' as const, 'milli' as const, 'tick' as const, 'day' as const),
  }),
)

export const worlds: fc.Arbitrary<World> = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 1, max: 70 }),
  lost: fc.constantFrom(0, 0.05, 0.3, 1),
  crowd: mostly(0, 0.3, 0.9),
  pageSize: fc.constantFrom(1, 7, 200, 500),
  stated: fc.boolean(),
  knobs: fc.record({
    shape: fc
      .tuple(
        dates,
        fc.record({
          spelling: fc.constantFrom('Pascal', 'camel', 'snake', 'kebab', 'UPPER'),
          nesting: fc.constantFrom('member', 'flat', 'data', 'inside'),
          wrapper: mostly<string | null>(null, 'Document', 'Record'),
          numbers: fc.constantFrom('number', 'text'),
          digits: fc.constantFrom('kept', 'short', 'long'),
          ids: mostly('plain', 'UPPER', 'braces', 'bare', 'other'),
          without: fc.subarray(['Number', 'StatusId', 'IsAnulated', 'DocumentTypeId'], { maxLength: 2 }),
        }),
        mostly<readonly string[]>([], ['IssuedAt'], ['DocumentId'], ['DocumentId', 'Number']),
      )
      .map(([dated, shape, more]) => ({
        ...PLAIN_SHAPE,
        ...dated,
        ...shape,
        without: [...shape.without, ...more],
      })),
    order: fc.constantFrom('ascending', 'descending', 'jumbled', 'shuffled'),
    from: mostly('inclusive', 'exclusive'),
    to: mostly('inclusive', 'exclusive'),
    resolution: mostly(1, 1_000, 1_000_000, DAY_US),
    largestPage: fc.constantFrom(2, 5, 20, 500),
    filtersTypes: mostly(true, false),
    pageNames: fc.constantFrom('camel', 'Pascal'),
  }) as fc.Arbitrary<World['knobs']>,
  fault: mostly<World['fault']>(
    null,
    [1, 'truncated'],
    [2, 'reset'],
    [2, { status: 503 }],
    [2, { status: 403 }],
    [2, 'empty'],
    [3, 'more'],
  ),
  spoil: mostly<World['spoil']>('no', 'null', 'deep', 'some'),
})

const DAYS = 5
/** Days between the starts of two worlds: documents spread over DAYS + 2 days, and one day between worlds stays empty. */
const APART = DAYS + 3

/** Sends a world's events and reconciles them. @param nth selects separate days, since the host keeps every world @returns the errors */
export async function wrongIn(
  house: House & ReturnType<typeof reconciling> & { readonly service: ForeignService },
  world: World,
  nth: number,
): Promise<readonly string[]> {
  const { service, acuse } = house
  const begin = Date.UTC(2026, 10, 10, 4) * 1_000 - nth * APART * DAY_US
  const documents = booksOf(world, begin, nth)
  const random = seeded(world.seed + 1)
  const captured: ForeignEvent[] = documents.flatMap(foreignEvents).filter(() => random() >= world.lost)
  service.documents = documents
  service.turn({
    ...world.knobs,
    fault: (request) => {
      const [at, fault] = world.fault ?? [0, null]
      return request === at || (fault === 'more' && request > at) ? fault : null
    },
    spoil: (document, item) => spoilt(world.spoil, document, item),
  })
  await deliver(house.receiverUrl, captured)
  await acuse(['connections', 'set', 'erp', '--types-complete', world.stated ? 'yes' : 'no'])
  const day = (days: number) => new Date(begin / 1_000 + days * 86_400_000).toISOString().slice(0, 10)
  const range = ['--from', day(0), '--to', day(DAYS - 1), '--page-size', String(world.pageSize)]
  const { result } = await house.reconcile(...range)
  const asked = ({ issued }: ForeignDocument) => issued >= begin && issued < begin + DAYS * DAY_US
  return against(result, documents, foreignTruth(documents, captured), unaskable(world), asked)
}

function booksOf({ seed, count, crowd }: World, begin: number, nth: number): readonly ForeignDocument[] {
  const date = begin + 2 * DAY_US + 36_000_000_000
  // Some documents are exactly at the ends of the range.
  const edges = [0, 1, DAYS * DAY_US - 1_000_000, DAYS * DAY_US - 1]
  const issued = (n: number, random: () => number) => {
    const edge = n % 7 === 3 ? edges[Math.floor(random() * edges.length * 2)] : undefined
    if (edge !== undefined) return begin + edge
    return random() < crowd
      ? date
      : begin + 1_000_000 + Math.floor((random() * (DAYS + 2) - 1) * 86_400) * 1_000_000
  }
  // Unique ids per world, since two seeds may draw the same id and one host captures all worlds.
  return foreignLedger({ seed: seed + nth * 1_000_003, count, issued }).map((one, i) => ({
    ...one,
    id: one.id.slice(0, -8) + (nth * 1_000 + i).toString(16).padStart(8, '0'),
    number: `E${one.code}${String(nth * 1_000 + i).padStart(10, '0')}`,
  }))
}

function spoilt(spoil: World['spoil'], { id }: ForeignDocument, item: string): string {
  if (spoil === 'null' || (spoil === 'some' && id < '4')) return 'null'
  return spoil === 'deep' ? `{"A":{"B":${item}},"C":1}` : item
}

/** Rules that the items do not allow. When documents are joined by Number, events without a Number cannot be assigned. */
function unaskable({ knobs: { shape = PLAIN_SHAPE } }: World): ReadonlySet<string> {
  const without = new Set(shape.without)
  const byNumber = shape.ids === 'other' || without.has('DocumentId')
  return new Set([
    ...(byNumber || without.has('StatusId') ? ['status-without-event'] : []),
    ...(byNumber || without.has('IsAnulated') ? ['void-without-event'] : []),
  ])
}

/** Checks that every row is true, and in a complete sweep that documents without a row match. */
function against(
  { complete, rows, ...more }: Printed & { readonly sharedDifferences?: unknown },
  documents: readonly ForeignDocument[],
  truth: ReadonlyMap<string, ForeignTruth>,
  unasked: ReadonlySet<string>,
  asked: (document: ForeignDocument) => boolean,
): readonly string[] {
  const wrong: string[] = []
  const byName = new Map(
    documents.flatMap(({ id, number }) => [id, otherId(id), number].map((name) => [name, id] as const)),
  )
  const told = new Set<string>()
  for (const row of rows) {
    const id = byName.get(row.number ?? '') ?? byName.get(plainId(row.documentId ?? ''))
    // No claim to check: only voids or answers of the authority were captured. If the service lists the document, its creation is missing.
    if (row.class === 'cannotTell' || row.class === 'dateUnknown') {
      if (id && row.class === 'cannotTell') told.add(id)
      continue
    }
    const true_ = id && truth.get(id)
    if (!true_) {
      wrong.push(`${row.class} ${row.documentId} ${row.number}: no such document`)
      continue
    }
    told.add(id)
    const rules = row.missed.map(({ rule }) => rule)
    const open = new Set<string>(row.cannotTell)
    if (more.sharedDifferences !== undefined) open.add('values-differ')
    const unsaid = true_.rules.filter((rule) => !rules.includes(rule as never) && !open.has(rule))
    const invented = rules.filter((rule) => !true_.rules.includes(rule))
    if (row.class !== true_.class || unsaid.length > 0 || invented.length > 0)
      wrong.push(
        `${row.class} ${rules} (open ${[...open]}) instead of ${true_.class} ${true_.rules}: ${row.number}`,
      )
  }
  if (!complete) return wrong
  const open = new Set([...unasked, ...(more.sharedDifferences === undefined ? [] : ['values-differ'])])
  const due = new Set(documents.filter(asked).map(({ id }) => id))
  const silent = [...truth]
    .filter(([id]) => due.has(id) && !told.has(id))
    .filter(([, one]) => one.class === 'missing' || one.rules.some((rule) => !open.has(rule)))
  return [...wrong, ...silent.map(([id, one]) => `silent about ${one.class} ${one.rules}: ${id}`)]
}

/** Sends events to a receiver, eight at a time. */
async function deliver(url: string, events: readonly ForeignEvent[]): Promise<void> {
  const waiting = events.values()
  const worker = async () => {
    for (const { body } of waiting) {
      const { status } = await fetch(url, { method: 'POST', body })
      if (status !== 200) throw new Error(`answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** Normalises the service's spellings of an id. */
const plainId = (id: string): string =>
  id
    .toLowerCase()
    .replace(/[{}-]/g, '')
    .replace(/^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/, '$1-$2-$3-$4-$5')
