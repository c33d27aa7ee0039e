import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { aDelivery, keeping, openTestStore, type TestStore } from '../../support/store.ts'

const MB = 1_000_000
/** A loaded machine takes its time. */
const PATIENT = { timeout: 20_000 }

const put = ({ store }: TestStore, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => store.capture.append(aDelivery({ body: 'x'.repeat(100_000) }))),
  )
const ids = async ({ store }: TestStore) =>
  (await store.deliveries.scan(EVERYTHING, { after: null, limit: 1_000 })).map(({ id }) => id)

test('beyond the budget the oldest go where the settings say so, and what is pinned stays', async () => {
  const budgetBytes = 8 * MB
  await using opened = await openTestStore(undefined, {
    retention: keeping({ budgetBytes, overBudget: 'delete-oldest' }),
  })
  const { store } = opened
  await put(opened, 20)
  await store.deliveries.pin([1], true)
  await store.trash.add({ ids: [2, 3] })
  for (let round = 0; round < 6; round += 1) await put(opened, 20)
  expect(await store.deliveries.settled(30_000)).toBe(0)
  await expect
    .poll(() => store.status().counts.budgetDeleted, PATIENT)
    .toBeGreaterThanOrEqual(140 - 2 - budgetBytes / 100_000)
  const left = await ids(opened)
  const { counts } = store.status()
  expect(counts).toMatchObject({ trashed: 0, stored: left.length, budgetDeleted: 138 - left.length })
  // The newest, in one piece, and no more gone than was needed.
  expect(left).toEqual([1, ...Array.from({ length: left.length - 1 }, (_, i) => 142 - left.length + i)])
  expect(left.length).toBeGreaterThan(20)
  expect(left.length * 100_000).toBeLessThanOrEqual(budgetBytes)
})

test.each([
  ['cannot be kept by deleting', { budgetBytes: 1, overBudget: 'delete-oldest' }, 5],
  ['only warns', { budgetBytes: 2 * MB }, 60],
] as const)(
  'nothing goes where the budget %s, and the figures say that it is passed',
  async (_, limits, count) => {
    await using opened = await openTestStore(undefined, { retention: keeping(limits) })
    await put(opened, count)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const { state, counts, disk } = opened.store.status()
    expect([state, counts.stored, counts.budgetDeleted]).toEqual(['ok', count, 0])
    expect(disk.usedBytes).toBeGreaterThan(limits.budgetBytes)
  },
)

test('deliveries are refused where the settings say so, told, and taken again once there is room', async () => {
  let retention: Settings['retention'] = {
    ...DEFAULT_SETTINGS.retention,
    budgetBytes: 3 * MB,
    overBudget: 'refuse',
  }
  await using opened = await openTestStore(undefined, { retention: () => retention })
  const { store } = opened
  await put(opened, 60)
  await expect.poll(() => store.status().state, PATIENT).toBe('refusing')
  expect(store.status().reason).toMatch(/disk budget of 3,000,000 bytes/)
  await expect(store.capture.append(aDelivery())).rejects.toMatchObject({ code: 'store-failed' })
  await expect(store.capture.openBody().write(Buffer.alloc(10))).rejects.toMatchObject({
    code: 'store-failed',
  })
  expect(store.status().counts.stored).toBe(60)
  retention = { ...retention, budgetBytes: 100 * MB }
  await expect.poll(() => store.status().state, PATIENT).toBe('ok')
  expect((await store.capture.append(aDelivery())).id).toBe(61)
})
