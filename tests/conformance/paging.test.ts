import { describe, expect, test } from 'vitest'
import { runningSandbox } from '../support/running-sandbox.ts'
import type { SandboxClient } from '../support/sandbox-client.ts'

const START = Date.UTC(2026, 0, 1, 12)
/** Each document on a date of its own, so that accounting-sync gets on with pages of two. */
const dateOf = (n: number) => new Date(START + n * 61_001).toISOString()

interface Item {
  readonly DocumentId: string
  readonly IssuedAt: string
}

async function add(client: SandboxClient, first: number, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = first; n < first + count; n += 1) {
    const params = { issuedAt: dateOf(n), paymentTermId: 3, lines: 1 }
    const { body } = await client.admin('POST', '/operations/create-invoice', params)
    ids.push(body.id)
  }
  return ids
}

/** Adds later-dated documents between the pages, as many as are left. */
class Growth {
  readonly ids: string[]
  readonly #client: SandboxClient
  readonly #most: number
  constructor(client: SandboxClient, ids: string[], most: number) {
    this.#client = client
    this.ids = ids
    this.#most = most
  }
  async step(): Promise<void> {
    if (this.ids.length < this.#most) this.ids.push(...(await add(this.#client, this.ids.length, 3)))
  }
}

const MOST_PAGES = 2_000

describe('treasury-sync is walked to its end with nothing missing and nothing doubled while later-dated documents are being added', () => {
  for (const [pageSize, count] of [
    [1, 40],
    [200, 650],
    [500, 1_100],
  ] as const)
    test(`${pageSize} per page`, async () => {
      const { client } = await runningSandbox()
      const growth = new Growth(client, await add(client, 0, count), count + 30)
      const seen: string[] = []
      let cursor: Record<string, string> = {}
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { status, body } = await client.sync('treasury-sync', { ...cursor, pageSize })
        expect(status).toBe(200)
        expect(body.count).toBe(body.items.length)
        seen.push(...body.items.map(({ DocumentId }: Item) => DocumentId))
        if (!body.hasMore) break
        expect(body.count).toBe(pageSize)
        await growth.step()
        cursor = { from: body.nextFrom, afterDocumentId: body.nextAfterDocumentId }
      }
      expect(seen).toEqual(growth.ids)
    })
})

describe('accounting-sync is walked by the last date returned with nothing missing and, after de-duplication, nothing doubled', () => {
  for (const [pageSize, count] of [
    [2, 40],
    [200, 650],
    [500, 1_100],
  ] as const)
    test(`${pageSize} per page, over distinct dates, while later-dated documents are being added`, async () => {
      const { client } = await runningSandbox()
      const growth = new Growth(client, await add(client, 0, count), count + 30)
      const seen: string[] = []
      let from = dateOf(0)
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { status, body } = await client.sync('accounting-sync', { from, to: '2027-01-01', pageSize })
        expect(status).toBe(200)
        const items: readonly Item[] = body.items
        const dates = items.map(({ IssuedAt }) => Date.parse(IssuedAt))
        expect(dates).toEqual(dates.toSorted((a, b) => a - b))
        seen.push(...items.map(({ DocumentId }) => DocumentId))
        if (!body.hasMore) break
        await growth.step()
        const last = items.at(-1)?.IssuedAt ?? ''
        expect(Date.parse(last)).toBeGreaterThan(Date.parse(from))
        from = last
      }
      expect([...new Set(seen)]).toEqual(growth.ids)
      // Pages overlap by the document whose date they start from, and by no other.
      const pages = Math.ceil((growth.ids.length - 1) / (pageSize - 1))
      expect(seen.length - growth.ids.length).toBe(pages - 1)
    })
})
