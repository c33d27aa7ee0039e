import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ForeignDocument } from './foreign-ledger.ts'
import { type ForeignShape, PLAIN_SHAPE, writeDate, writeItem } from './foreign-shape.ts'

/**
 * The two sync routes of the specification as another team might have built them. It shares no code and no shape with the sandbox, so
 * that what both took for granted shows.
 */
export interface ForeignKnobs {
  readonly shape: ForeignShape
  /** `jumbled`: pages rise, the items within one do not. `shuffled`: no order at all. */
  readonly order: 'ascending' | 'descending' | 'jumbled' | 'shuffled'
  readonly from: 'inclusive' | 'exclusive'
  readonly to: 'inclusive' | 'exclusive'
  /** Microseconds to which the service cuts the dates it compares, at the offset of its shape. */
  readonly resolution: number
  readonly largestPage: number
  /** False: it takes a documentTypeId and lists every type all the same. */
  readonly filtersTypes: boolean
  /** Members of the page. */
  readonly pageNames: 'camel' | 'Pascal'
  /** Makes of an item's text what is listed in its place. */
  readonly spoil: (document: ForeignDocument, item: string) => string
  /** What goes wrong at a request, counted from 1. */
  readonly fault: (nth: number, query: ForeignQuery) => ForeignFault | null
  /** Answers wait for it. */
  readonly held: Promise<void> | null
}

export type ForeignFault =
  | { readonly status: number; readonly body?: string }
  /** JSON that stops in the middle, with the length that it says; a reset connection; an HTML page. */
  | 'truncated'
  | 'reset'
  | 'html'
  /** An empty page that says that more follows. */
  | 'empty'
  /** `hasMore` true whatever follows; for treasury with the cursor that was sent. */
  | 'more'

export interface ForeignQuery {
  readonly route: 'accounting' | 'treasury'
  readonly from: string | null
  readonly to: string | null
  readonly after: string | null
  readonly type: number | null
  readonly pageSize: number
}

export interface ForeignService {
  readonly url: string
  /** What it was asked, and how many items it listed. */
  readonly asked: readonly (ForeignQuery & { readonly listed: number })[]
  /** Its books; changing them changes what it lists. */
  documents: readonly ForeignDocument[]
  /** Changes its ways from the next request on, and forgets what it was asked. */
  turn(knobs: Partial<ForeignKnobs>): void
  close(): Promise<void>
}

export const PLAIN_KNOBS: ForeignKnobs = {
  shape: PLAIN_SHAPE,
  ...{ order: 'ascending', from: 'inclusive', to: 'inclusive', resolution: 1, largestPage: 500 },
  ...{ filtersTypes: true, pageNames: 'camel', spoil: (_, item) => item, fault: () => null, held: null },
}

/** Starts it on a free port of the loopback interface. The caller closes it. */
export async function foreignService(
  documents: readonly ForeignDocument[],
  given: Partial<ForeignKnobs> = {},
): Promise<ForeignService> {
  let knobs: ForeignKnobs = { ...PLAIN_KNOBS, ...given }
  const asked: (ForeignQuery & { listed: number })[] = []
  const server = createServer(async (request, response) => {
    await knobs.held
    const query = queryOf(request)
    if (typeof query === 'string') return refuse(response, 400, query)
    if (!request.headers['x-api-key']) return refuse(response, 401, 'no key')
    const page = pageOf(service.documents, knobs, query)
    asked.push({ ...query, listed: page.listed.length })
    answer(request, response, page, knobs, knobs.fault(asked.length, query), query)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const service: ForeignService = {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, documents },
    turn(change) {
      knobs = { ...PLAIN_KNOBS, ...change }
      asked.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}

const ROUTES: Readonly<Record<string, ForeignQuery['route']>> = {
  '/api/v1/documents/accounting-sync': 'accounting',
  '/api/v1/documents/treasury-sync': 'treasury',
}

function queryOf(request: IncomingMessage): ForeignQuery | string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
  const route = ROUTES[pathname]
  if (!route) return 'no such route'
  const pageSize = Number(searchParams.get('pageSize') ?? '200')
  if (!(pageSize >= 1 && pageSize <= 500)) return 'pageSize'
  const [from, to] = [searchParams.get('from'), searchParams.get('to')]
  if (route === 'accounting' && (from === null || to === null)) return 'from and to are required'
  if ((from !== null && instantOf(from) === null) || (to !== null && instantOf(to) === null))
    return 'not an ISO 8601 date-time'
  if (from !== null && to !== null && (instantOf(to) ?? 0) < (instantOf(from) ?? 0)) return 'to before from'
  const type = searchParams.get('documentTypeId')
  return {
    ...{ route, from, to, pageSize, after: searchParams.get('afterDocumentId') },
    type: type === null ? null : Number(type),
  }
}

/** Microseconds since the epoch of a full date-time with offset; null for anything else. */
function instantOf(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!parts) return null
  const [, seconds = '', fraction = '', zone = ''] = parts
  return Date.parse(`${seconds}${zone}`) * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

interface ForeignPage {
  readonly listed: readonly ForeignDocument[]
  readonly hasMore: boolean
}

function pageOf(
  documents: readonly ForeignDocument[],
  knobs: ForeignKnobs,
  query: ForeignQuery,
): ForeignPage {
  const { resolution, order, shape, filtersTypes } = knobs
  const east = shape.offset * 60_000_000
  const cut = (instant: number) => Math.floor((instant + east) / resolution) * resolution
  const from = query.from === null ? null : cut(instantOf(query.from) ?? 0)
  const to = query.to === null ? null : cut(instantOf(query.to) ?? 0)
  const treasury = query.route === 'treasury'
  const begins = ({ issued, id }: ForeignDocument): boolean => {
    if (from === null) return true
    if (treasury && query.after !== null)
      return cut(issued) > from || (cut(issued) === from && id > query.after)
    return knobs.from === 'exclusive' ? cut(issued) > from : cut(issued) >= from
  }
  const ends = ({ issued }: ForeignDocument): boolean =>
    to === null || (knobs.to === 'exclusive' ? cut(issued) < to : cut(issued) <= to)
  const rising = documents
    .filter((one) => begins(one) && ends(one) && (!treasury || one.debt))
    .filter(({ type }) => query.type === null || !filtersTypes || type === query.type)
    .sort((a, b) => cut(a.issued) - cut(b.issued) || (a.id < b.id ? -1 : 1))
  const mixed = (a: ForeignDocument, b: ForeignDocument) =>
    a.id.slice(-4) < b.id.slice(-4) ? -1 : a.id.slice(-4) > b.id.slice(-4) ? 1 : a.id < b.id ? -1 : 1
  const all =
    treasury || order === 'ascending' || order === 'jumbled'
      ? rising
      : order === 'descending'
        ? rising.toReversed()
        : rising.sort(mixed)
  const listed = all.slice(0, Math.min(query.pageSize, knobs.largestPage))
  return { hasMore: all.length > listed.length, listed: order === 'jumbled' ? listed.sort(mixed) : listed }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { listed, hasMore }: ForeignPage,
  knobs: ForeignKnobs,
  fault: ForeignFault | null,
  query: ForeignQuery,
): void {
  if (fault === 'reset') {
    request.socket.resetAndDestroy()
    return
  }
  if (fault === 'html') {
    response.setHeader('Content-Type', 'text/html')
    response.end('<html>Bad gateway</html>')
    return
  }
  if (fault !== null && typeof fault === 'object') {
    refuse(response, fault.status, fault.body ?? 'it is down')
    return
  }
  const shown = fault === 'empty' ? [] : listed
  const last = shown.at(-1)
  const stuck = fault === 'more'
  const next = stuck
    ? { from: query.from, after: query.after }
    : hasMore && last
      ? {
          from: writeDate(last.issued, { ...knobs.shape, zone: 'offset', precision: 'micro' }),
          after: last.id,
        }
      : { from: null, after: null }
  const name = (plain: string) =>
    knobs.pageNames === 'camel' ? plain : plain.slice(0, 1).toUpperCase() + plain.slice(1)
  const items = shown.map((document) => knobs.spoil(document, writeItem(document, knobs.shape)))
  const cursor =
    query.route === 'treasury'
      ? `,"${name('nextFrom')}":${JSON.stringify(next.from)},"${name('nextAfterDocumentId')}":${JSON.stringify(next.after)}`
      : ''
  const text = `{"${name('count')}":${items.length},"${name('items')}":[${items.join(',')}]${cursor},"${name('hasMore')}":${hasMore || stuck || fault === 'empty'}}`
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  if (fault !== 'truncated') {
    response.end(bytes)
    return
  }
  response.write(bytes.subarray(0, bytes.length >> 1))
  setTimeout(() => response.destroy(), 10)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ mistake: message }))
}
