import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { NewDelivery } from '#core/ports.ts'
import { aDelivery, appendAtOnce, keeping, openTestStore, type TestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const KB = 1_000
const MB = 1_000_000
const KINDS = {
  rejected: { rejected: true },
  malformed: { malformed: 'unparseable', answer: null },
} as const satisfies Record<string, Partial<NewDelivery>>
const OTHER = { rejected: 'malformed', malformed: 'rejected' } as const

async function kept({ store }: TestStore): Promise<number[]> {
  const rows = await store.deliveries.scan(EVERYTHING, { after: null, limit: 1_000 })
  return rows.map(({ id }) => id)
}

test.each(['rejected', 'malformed'] as const)('a flood of large %s ones pushes out its own', async (kind) => {
  const folder = tempFolder()
  const limits = { [`${kind}Bytes`]: 10 * MB }
  {
    await using opened = await openTestStore(folder, { retention: keeping(limits) })
    const { store } = opened
    await store.capture.append(aDelivery({ body: 'accepted' }))
    await store.capture.append(aDelivery({ body: 'other', ...KINDS[OTHER[kind]] }))
    await store.capture.append(aDelivery({ body: 'pinned', ...KINDS[kind] }))
    await store.deliveries.pin([3], true)
    // The request target counts too, and may be as long as a head.
    const large = { ...KINDS[kind], body: 'x'.repeat(150 * KB), url: `/${'y'.repeat(50 * KB)}` }
    for (let round = 0; round < 30; round += 1) {
      await appendAtOnce(store, 5, () => large)
      expect(store.status().disk[`${kind}Bytes`]).toBeLessThanOrEqual(10 * MB)
    }
    await store.deliveries.settled(20_000)
    const { counts } = store.status()
    expect(counts[kind] + counts[`${kind}Evicted`]).toBe(151)
    expect(counts[kind]).toBeGreaterThan(40)
    expect(counts[`${OTHER[kind]}Evicted`]).toBe(0)
    const ids = await kept(opened)
    expect(ids.slice(0, 3)).toEqual([1, 2, 3])
    expect(ids).toHaveLength(counts.stored)
    expect(ids.at(-1)).toBe(153)
    expect(store.status().disk.usedBytes).toBeLessThan(60 * MB)
    expect(store.status().disk.logBytes).toBeGreaterThan(MB)
  }
  await using again = await openTestStore(folder, { retention: keeping(limits) })
  const { counts, disk } = again.store.status()
  expect(counts[kind] + counts[`${kind}Evicted`]).toBe(151)
  expect(disk[`${kind}Bytes`]).toBeGreaterThan(8 * MB)
})

test('malformed ones have a ring of their own in deliveries, whose count follows the trash', async () => {
  await using opened = await openTestStore(undefined, { retention: keeping({ malformedDeliveries: 100 }) })
  const { store } = opened
  for (let i = 0; i < 150; i += 1) await store.capture.append(aDelivery(KINDS.malformed))
  await store.deliveries.settled(20_000)
  const { counts } = store.status()
  expect(counts.malformed).toBeLessThanOrEqual(100)
  expect(counts.malformed + counts.malformedEvicted).toBe(150)
  const { batch } = await store.trash.add({ ids: [150, 149] })
  expect(store.status().counts.malformed).toBe(counts.malformed - 2)
  await store.trash.restore(batch ?? 0)
  expect(store.status().counts.malformed).toBe(counts.malformed)
})

test('a malformed delivery whose sender gave the secret is in no ring: no flood pushes it out', {
  tags: 'long',
}, async () => {
  const folder = tempFolder()
  const limits = { retention: keeping({ malformedDeliveries: 100 }) }
  const own = { malformed: 'cut-off', answer: null, authenticated: true } as const
  {
    await using opened = await openTestStore(folder, limits)
    const { store } = opened
    await store.capture.append(aDelivery(own))
    await store.capture.append(aDelivery(own))
    const { batch } = await store.trash.add({ ids: [2] })
    await store.trash.restore(batch ?? 0)
    for (let i = 0; i < 250; i += 1) await store.capture.append(aDelivery(KINDS.malformed))
    expect((await kept(opened)).slice(0, 2)).toEqual([1, 2])
    expect(store.status().counts.malformed).toBe(store.status().counts.stored - 2)
  }
  await using again = await openTestStore(folder, limits)
  const { counts } = again.store.status()
  expect(counts.malformed).toBe(counts.stored - 2)
})

test('a quota that the settings lower takes effect without a restart', async () => {
  let retention = DEFAULT_SETTINGS.retention
  await using opened = await openTestStore(undefined, { retention: () => retention })
  const { store } = opened
  await store.capture.append(aDelivery())
  for (let i = 0; i < 140; i += 1) await store.capture.append(aDelivery(KINDS.rejected))
  await store.deliveries.settled(20_000)
  expect(store.status().counts.rejected).toBe(140)
  retention = { ...retention, rejectedDeliveries: 100 }
  await expect.poll(() => store.status().counts.rejected, { timeout: 10_000 }).toBeLessThanOrEqual(100)
  expect(store.status().counts.stored - store.status().counts.rejected).toBe(1)
})

const PATIENT = { timeout: 20_000 }

const put = ({ store }: TestStore, count: number) =>
  appendAtOnce(store, count, () => ({ body: 'x'.repeat(100_000) }))

test('beyond the budget the oldest go, and what is pinned stays', { tags: 'long' }, async () => {
  const budgetBytes = 8 * MB
  const retention = keeping({ budgetBytes, overBudget: 'delete-oldest' })
  await using opened = await openTestStore(undefined, { retention })
  const { store } = opened
  await put(opened, 20)
  await store.deliveries.pin([1], true)
  await store.trash.add({ ids: [2, 3] })
  for (let round = 0; round < 6; round += 1) await put(opened, 20)
  expect(await store.deliveries.settled(30_000)).toBe(0)
  const least = 140 - 2 - budgetBytes / 100_000
  await expect.poll(() => store.status().counts.budgetDeleted, PATIENT).toBeGreaterThanOrEqual(least)
  const left = await kept(opened)
  const { counts } = store.status()
  expect(counts).toMatchObject({ trashed: 0, stored: left.length, budgetDeleted: 138 - left.length })
  // The newest remain without gaps, and no more than necessary are deleted.
  expect(left).toEqual([1, ...Array.from({ length: left.length - 1 }, (_, i) => 142 - left.length + i)])
  expect(left.length).toBeGreaterThan(20)
  expect(left.length * 100_000).toBeLessThanOrEqual(budgetBytes)
})

test.each([
  ['cannot be kept by deleting', { budgetBytes: 1, overBudget: 'delete-oldest' }, 5],
  ['only warns', { budgetBytes: 2 * MB }, 60],
] as const)(
  'nothing goes where the budget %s, and that is shown',
  { tags: 'long' },
  async (_, limits, count) => {
    await using opened = await openTestStore(undefined, { retention: keeping(limits) })
    await put(opened, count)
    expect(await opened.store.deliveries.settled(30_000)).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const { state, counts, disk } = opened.store.status()
    expect([state, (await kept(opened)).length, counts.budgetDeleted]).toEqual(['ok', count, 0])
    expect(disk.usedBytes).toBeGreaterThan(limits.budgetBytes)
  },
)

test('beyond the budget deliveries are refused, and taken again later', { tags: 'long' }, async () => {
  let retention = keeping({ budgetBytes: 3 * MB, overBudget: 'refuse' })()
  await using opened = await openTestStore(undefined, { retention: () => retention })
  const { store } = opened
  await put(opened, 60)
  await expect.poll(() => store.status().state, PATIENT).toBe('refusing')
  expect(store.status().reason).toMatch(/disk budget of 3,000,000 bytes/)
  for (const refused of [store.capture.append(aDelivery()), store.capture.openBody().write(Buffer.alloc(10))])
    await expect(refused).rejects.toMatchObject({ code: 'store-failed' })
  expect(store.status().counts.stored).toBe(60)
  retention = { ...retention, budgetBytes: 100 * MB }
  await expect.poll(() => store.status().state, PATIENT).toBe('ok')
  expect((await store.capture.append(aDelivery())).id).toBe(61)
})
