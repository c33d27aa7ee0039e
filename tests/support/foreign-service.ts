import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { ForeignDocument } from './foreign-ledger.ts'
import { type ForeignShape, PLAIN_SHAPE, writeItem } from './foreign-shape.ts'
import { opened } from './listening-port.ts'

/** accounting-sync as another team might build it: it shares no code and no shape with the sandbox, so it reveals shared assumptions. */
export interface ForeignKnobs {
  readonly shape: ForeignShape
  /** `jumbled`: pages rise, the items within one do not. `shuffled`: no order at all. */
  readonly order: 'ascending' | 'descending' | 'jumbled' | 'shuffled'
  readonly from: 'inclusive' | 'exclusive'
  readonly to: 'inclusive' | 'exclusive'
  /** Resolution in microseconds to which the service truncates dates before comparing, at the offset of its shape. */
  readonly resolution: number
  readonly largestPage: number
  /** False: the service accepts a documentTypeId and still lists every type. */
  readonly filtersTypes: boolean
  /** Spelling of the page's members. */
  readonly pageNames: 'camel' | 'Pascal'
  /** Replaces an item's text. */
  readonly spoil: (document: ForeignDocument, item: string) => string
  /** Fault of the nth request, from 1. */
  readonly fault: (nth: number) => ForeignFault | null
  /** Answers wait for this promise. */
  readonly held: Promise<void> | null
}

/** `truncated`: JSON that stops in the middle; `empty`: a page without items although more follow; `more`: `hasMore` is always true. */
export type ForeignFault = { readonly status: number } | 'truncated' | 'reset' | 'empty' | 'more'

export type ForeignService = Awaited<ReturnType<typeof foreignService>>

const PLAIN_KNOBS: ForeignKnobs = {
  shape: PLAIN_SHAPE,
  ...{ order: 'ascending', from: 'inclusive', to: 'inclusive', resolution: 1, largestPage: 500 },
  ...{ filtersTypes: true, pageNames: 'camel', spoil: (_, item) => item, fault: () => null, held: null },
}

/**
 * Starts the service on a free port of the loopback interface. The caller closes it.
 * @param documents the initial documents; a test may replace the service's `documents` later
 */
export async function foreignService(documents: readonly ForeignDocument[]) {
  let knobs = PLAIN_KNOBS
  let asked = 0
  const server = createServer(async (request, response) => {
    await knobs.held
    const query = queryOf(request)
    if (typeof query === 'string') return refuse(response, 400, query)
    if (!request.headers['x-api-key']) return refuse(response, 401, 'no key')
    asked += 1
    answer(request, response, pageOf(service.documents, knobs, query), knobs, knobs.fault(asked))
  })
  const service = {
    ...{ url: `http://127.0.0.1:${await opened(server)}`, documents },
    /** Changes the knobs, and counts requests from 1 again. */
    turn(change: Partial<ForeignKnobs>) {
      knobs = { ...PLAIN_KNOBS, ...change }
      asked = 0
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}

interface ForeignQuery {
  /** Microseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly type: number | null
  readonly pageSize: number
}

function queryOf(request: IncomingMessage): ForeignQuery | string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
  if (pathname !== '/api/v1/documents/accounting-sync') return 'no such route'
  const pageSize = Number(searchParams.get('pageSize') ?? '200')
  if (!(pageSize >= 1 && pageSize <= 500)) return 'pageSize'
  const [from, to] = ['from', 'to'].map((name) => instantOf(searchParams.get(name) ?? ''))
  if (from == null || to == null) return 'from and to are full ISO 8601 date-times'
  if (to < from) return 'to before from'
  const type = searchParams.get('documentTypeId')
  return { from, to, pageSize, type: type === null ? null : Number(type) }
}

/** @returns microseconds since the epoch of a full date-time with offset; null for other text */
function instantOf(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  if (!parts) return null
  const [, seconds = '', fraction = '', zone = ''] = parts
  return Date.parse(`${seconds}${zone}`) * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function pageOf(documents: readonly ForeignDocument[], knobs: ForeignKnobs, query: ForeignQuery) {
  const { resolution, order, shape, filtersTypes } = knobs
  const east = shape.offset * 60_000_000
  const cut = (instant: number) => Math.floor((instant + east) / resolution) * resolution
  const [from, to] = [cut(query.from), cut(query.to)]
  const rising = documents
    .filter(({ issued }) => (knobs.from === 'exclusive' ? cut(issued) > from : cut(issued) >= from))
    .filter(({ issued }) => (knobs.to === 'exclusive' ? cut(issued) < to : cut(issued) <= to))
    .filter(({ code }) => query.type === null || !filtersTypes || code === query.type)
    .sort((a, b) => cut(a.issued) - cut(b.issued) || (a.id < b.id ? -1 : 1))
  const mixed = (a: ForeignDocument, b: ForeignDocument) =>
    a.id.slice(-4) < b.id.slice(-4) ? -1 : a.id.slice(-4) > b.id.slice(-4) ? 1 : a.id < b.id ? -1 : 1
  const all =
    order === 'descending' ? rising.toReversed() : order === 'shuffled' ? rising.sort(mixed) : rising
  const listed = all.slice(0, Math.min(query.pageSize, knobs.largestPage))
  return { hasMore: all.length > listed.length, listed: order === 'jumbled' ? listed.sort(mixed) : listed }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { listed, hasMore }: ReturnType<typeof pageOf>,
  { pageNames, shape, spoil }: ForeignKnobs,
  fault: ForeignFault | null,
): void {
  if (fault === 'reset') return void request.socket.resetAndDestroy()
  if (fault !== null && typeof fault === 'object') return void refuse(response, fault.status, 'it is down')
  const shown = fault === 'empty' ? [] : listed
  const more = hasMore || fault === 'more' || fault === 'empty'
  const [count, items, hasMoreName] = ['count', 'items', 'hasMore'].map((name) =>
    pageNames === 'camel' ? name : name.slice(0, 1).toUpperCase() + name.slice(1),
  )
  const texts = shown.map((document) => spoil(document, writeItem(document, shape)))
  const text = `{"${count}":${shown.length},"${items}":[${texts.join(',')}],"${hasMoreName}":${more}}`
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  if (fault !== 'truncated') return void response.end(bytes)
  response.write(bytes.subarray(0, bytes.length >> 1))
  setTimeout(() => response.destroy(), 10)
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ mistake: message }))
}
