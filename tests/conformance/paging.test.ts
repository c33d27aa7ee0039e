import { expect, test } from 'vitest'
import { runningSandbox } from '../support/running-sandbox.ts'
import type { SandboxClient } from '../support/sandbox-client.ts'

/** Each document on a date of its own, so that accounting-sync gets on with pages of two. */
const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1, 12) + n * 61_001).toISOString()
const MOST_PAGES = 2_000

async function add(client: SandboxClient, ids: string[], count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const params = { issuedAt: dateOf(ids.length), paymentTermId: 3, lines: 1 }
    ids.push((await client.admin('POST', '/operations/create-invoice', params)).body.id)
  }
}

/** Walks a route while later-dated documents are added between its pages. @returns what it listed, and what there is */
async function walked(route: 'accounting-sync' | 'treasury-sync', pageSize: number, count: number) {
  const { client } = await runningSandbox()
  const [ids, seen]: [string[], string[]] = [[], []]
  await add(client, ids, count)
  let cursor: Record<string, string> = route === 'treasury-sync' ? {} : { from: dateOf(0), to: '2027-01-01' }
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { status, body } = await client.sync(route, { ...cursor, pageSize })
    expect([status, body.count]).toEqual([200, body.items.length])
    const dates = body.items.map(({ IssuedAt }: { IssuedAt: string }) => Date.parse(IssuedAt))
    expect(dates).toEqual(dates.toSorted((a: number, b: number) => a - b))
    seen.push(...body.items.map(({ DocumentId }: { DocumentId: string }) => DocumentId))
    if (!body.hasMore) break
    expect(body.count).toBe(pageSize)
    if (ids.length < count + 30) await add(client, ids, 3)
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
] as const)('%s by %i misses and doubles nothing under growth', async (route, pageSize, count) => {
  const { ids, seen } = await walked(route, pageSize, count)
  expect([...new Set(seen)]).toEqual(ids)
  // Pages of accounting-sync overlap by the document whose date they start from, and by no other.
  const overlaps = route === 'treasury-sync' ? 0 : Math.ceil((ids.length - 1) / (pageSize - 1)) - 1
  expect(seen.length - ids.length).toBe(overlaps)
})
