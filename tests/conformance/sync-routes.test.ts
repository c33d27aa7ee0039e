import { describe, expect, test } from 'vitest'
import { runningSandbox } from '../support/running-sandbox.ts'
import type { SandboxClient } from '../support/sandbox-client.ts'
import { words } from '../support/words.ts'

const DAY = { from: '2026-01-15T00:00:00-04:00', to: '2026-01-15T23:59:59-04:00' }
const ROUTES = ['accounting-sync', 'treasury-sync'] as const

const error = {
  error: { code: expect.stringMatching(/^[a-z0-9-]+$/), message: expect.stringMatching(/\.$/) },
}

async function invoices(client: SandboxClient, dates: readonly string[], more = {}): Promise<string[]> {
  const ids: string[] = []
  for (const issuedAt of dates) {
    const { status, body } = await client.admin('POST', '/operations/create-invoice', { issuedAt, ...more })
    expect([status, body.error]).toEqual([200, undefined])
    ids.push(body.id)
  }
  return ids
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString()

describe('Endpoints, both sync routes', () => {
  for (const route of ROUTES) {
    const path = `/api/v1/documents/${route}`
    const query = new URLSearchParams(DAY).toString()

    test(`${route}: Authentication: the credential is the X-Api-Key header, whatever its name's case`, async () => {
      const { client, sandbox } = await runningSandbox()
      for (const name of ['X-Api-Key', 'x-api-key', 'X-API-KEY'])
        expect((await client.send('GET', `${path}?${query}`, { [name]: sandbox.apiKey })).status).toBe(200)
    })

    test(`${route}: a key that was revoked is unknown from then on`, async () => {
      const { client } = await runningSandbox()
      const { body: issued } = await client.admin('POST', '/keys', { name: 'second' })
      const call = () => client.send('GET', `${path}?${query}`, { 'X-Api-Key': issued.key })
      expect((await call()).status).toBe(200)
      await client.admin('DELETE', `/keys/${issued.id}`)
      expect((await call()).status).toBe(401)
    })

    test(`${route}: Limits: pageSize is 200 unless given, from 1 to 500`, async () => {
      const { client } = await runningSandbox()
      await client.admin('POST', '/scenarios/burst', { count: 510 })
      const all = { from: '2020-01-01', to: '2099-01-01' }
      expect((await client.sync(route, all)).body).toMatchObject({ count: 200, hasMore: true })
      for (const pageSize of [1, 200, 499, 500]) {
        const { status, body } = await client.sync(route, { ...all, pageSize })
        expect([status, body.count, body.items.length, body.hasMore]).toEqual([200, pageSize, pageSize, true])
      }
    })

    test(`${route}: an offset whose + was not encoded is named as the mistake`, async () => {
      const { client, sandbox } = await runningSandbox()
      const headers = { 'X-Api-Key': sandbox.apiKey }
      const raw = `from=2026-01-15T00:00:00+02:00&to=2026-01-16`
      const { status, body } = await client.send('GET', `${path}?${raw}`, headers)
      expect(status).toBe(400)
      expect(body.error.message).toContain('%2B')
      expect((await client.send('GET', `${path}?${raw.replace('+', '%2B')}`, headers)).status).toBe(200)
    })
  }

  test('Versioning 1: routes carry /api/v1, exactly so', async () => {
    const { client, sandbox } = await runningSandbox()
    const headers = { 'X-Api-Key': sandbox.apiKey }
    const paths = words`/api/v2/documents/treasury-sync /documents/treasury-sync
      /api/v1/documents/Treasury-Sync /api/v1/documents/treasury-sync/ / /%`
    for (const path of paths)
      expect(await client.send('GET', path, headers)).toMatchObject({ status: 404, body: error })
  })
})

test('GET /api/v1/documents/accounting-sync: the body is an object with items, count and hasMore', async () => {
  const { client } = await runningSandbox()
  const [id] = await invoices(client, [at(1)])
  const { status, headers, body } = await client.sync('accounting-sync', DAY)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(Object.keys(body)).toEqual(['items', 'count', 'hasMore'])
  expect(body).toMatchObject({ count: 1, hasMore: false, items: [{ DocumentId: id, Accounting: {} }] })
})

describe('GET /api/v1/documents/treasury-sync', () => {
  test('no parameter is required; the body has items, count, both cursors and hasMore', async () => {
    const { client } = await runningSandbox()
    const [id] = await invoices(client, [at(1)], { paymentTermId: 3 })
    const { status, body } = await client.sync('treasury-sync')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['items', 'count', 'nextFrom', 'nextAfterDocumentId', 'hasMore'])
    expect(body).toMatchObject({ count: 1, nextAfterDocumentId: id, hasMore: false })
    expect(Date.parse(body.nextFrom)).toBe(Date.parse(at(1)))
  })

  test('the cursor goes on behind the document it names, also among documents of one instant', async () => {
    const { client } = await runningSandbox()
    await invoices(client, Array(5).fill(at(7)), { paymentTermId: 3 })
    const seen: string[] = []
    let cursor: Record<string, string> = {}
    for (;;) {
      const { body } = await client.sync('treasury-sync', { ...cursor, pageSize: 2 })
      seen.push(...body.items.map(({ DocumentId }: { DocumentId: string }) => DocumentId))
      if (!body.hasMore) break
      cursor = { from: body.nextFrom, afterDocumentId: body.nextAfterDocumentId }
    }
    expect(seen).toEqual([...new Set(seen)].toSorted())
    expect(seen).toHaveLength(5)
  })

  test('an empty page gives the cursor back', async () => {
    const { client } = await runningSandbox()
    const [from, last] = ['2026-01-01T00:00:00+02:00', '0F0F0F0F-0000-4000-8000-000000000000']
    const { body } = await client.sync('treasury-sync', { from, afterDocumentId: last })
    expect(body).toEqual({ items: [], count: 0, nextFrom: from, nextAfterDocumentId: last, hasMore: false })
  })
})

/** Gives each document a distinct date, so that a client can read accounting-sync in pages of two. */
const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1, 12) + n * 61_001).toISOString()
const MOST_PAGES = 2_000

/** Reads a route while documents with later dates are added between pages. @returns the listed and the existing ids */
async function walked(route: (typeof ROUTES)[number], pageSize: number, count: number) {
  const { client } = await runningSandbox()
  const [ids, seen]: [string[], string[]] = [[], []]
  const add = async (more: number) => {
    const dates = Array.from({ length: more }, (_, n) => dateOf(ids.length + n))
    ids.push(...(await invoices(client, dates, { paymentTermId: 3, lines: 1 })))
  }
  await add(count)
  let cursor: Record<string, string> = route === 'treasury-sync' ? {} : { from: dateOf(0), to: '2027-01-01' }
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, body } = await client.sync(route, { ...cursor, pageSize })
    expect([status, body.count]).toEqual([200, body.items.length])
    const dates = body.items.map(({ IssuedAt }: { IssuedAt: string }) => Date.parse(IssuedAt))
    expect(dates).toEqual(dates.toSorted((a: number, b: number) => a - b))
    seen.push(...body.items.map(({ DocumentId }: { DocumentId: string }) => DocumentId))
    if (!body.hasMore) break
    expect(body.count).toBe(pageSize)
    if (ids.length < count + 30) await add(3)
    cursor =
      route === 'treasury-sync'
        ? { from: body.nextFrom, afterDocumentId: body.nextAfterDocumentId }
        : { ...cursor, from: body.items.at(-1).IssuedAt }
  }
  return { ids, seen }
}

test.each([
  ['treasury-sync', 1, 40],
  ['treasury-sync', 500, 1_100],
  ['accounting-sync', 2, 40],
  ['accounting-sync', 200, 650],
] as const)(
  '%s by %i misses and doubles nothing under growth',
  { tags: 'long' },
  async (route, pageSize, count) => {
    const { ids, seen } = await walked(route, pageSize, count)
    expect([...new Set(seen)]).toEqual(ids)
    // Pages of accounting-sync overlap only by the document whose date they start from.
    const overlaps = route === 'treasury-sync' ? 0 : Math.ceil((ids.length - 1) / (pageSize - 1)) - 1
    expect(seen.length - ids.length).toBe(overlaps)
  },
)
