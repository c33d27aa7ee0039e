import { expect, test } from 'vitest'
import { runningSandbox } from '../support/running-sandbox.ts'

/** `npm test` walks through ten thousand; the full proof is run with ACUSE_DOCUMENTS=100000. */
const DOCUMENTS = Number(process.env.ACUSE_DOCUMENTS ?? 10_000)
const MOST_PAGES = 10_000

interface Item {
  readonly DocumentId: string
  readonly IssuedAt: string
  readonly Accounting: { readonly AmountDue: number }
}

test(`both sync routes give each of ${DOCUMENTS} documents and of those added meanwhile, once`, async () => {
  const { client } = await runningSandbox()
  const before = (await client.sync('accounting-sync', { from: '2020-01-01', to: '2099-01-01' })).body.count
  const add = async (count: number) => (await client.admin('POST', '/scenarios/burst', { count })).body.events
  let made = before + (await add(DOCUMENTS))

  const due = new Map<string, number>()
  let from = '2020-01-01T00:00:00-04:00'
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { body } = await client.sync('accounting-sync', { from, to: '2099-01-01', pageSize: 500 })
    const items: readonly Item[] = body.items
    for (const { DocumentId, Accounting } of items) due.set(DocumentId, Accounting.AmountDue)
    if (!body.hasMore) break
    if (page < 5) made += await add(2)
    const last = items.at(-1)?.IssuedAt ?? ''
    expect(Date.parse(last)).toBeGreaterThan(Date.parse(from))
    from = last
  }
  expect(due.size).toBe(made)

  const debts = [...due].filter(([, amount]) => amount > 0).map(([id]) => id)
  const seen: string[] = []
  let cursor: Record<string, string> = {}
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { body } = await client.sync('treasury-sync', { ...cursor, pageSize: 500 })
    seen.push(...body.items.map(({ DocumentId }: Item) => DocumentId))
    if (!body.hasMore) break
    cursor = { from: body.nextFrom, afterDocumentId: body.nextAfterDocumentId }
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.toSorted()).toEqual(debts.toSorted())
}, 300_000)
