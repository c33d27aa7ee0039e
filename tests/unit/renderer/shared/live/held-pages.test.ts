import { expect, test } from 'vitest'
import { type HeldPages, PAGES_KEPT, withPage } from '@/shared/live/paged-rows.ts'

const answer = (row: string) => ({ rows: [row], total: 5_000 })
const full = Array.from({ length: PAGES_KEPT }, (_, page) => page).reduce<HeldPages<string> | null>(
  (held, page) => withPage(held, 'open', page, answer(`row ${page}`)).held,
  null,
)

test('one page too many lets go of the one read longest ago, and says which, so that it is asked for again', () => {
  const again = withPage(full, 'open', 0, answer('row 0 anew'))
  expect(again.dropped).toBeUndefined()
  const { held, dropped } = withPage(again.held, 'open', 99, answer('row 99'))
  expect(dropped).toBe(1)
  expect(held.pages.size).toBe(PAGES_KEPT)
  expect(held.pages.get(0)).toEqual(['row 0 anew'])
  expect(held.pages.has(1)).toBe(false)
})

test('what was held before is left as it was: React may work out the same state twice', () => {
  const before = new Map(full?.pages)
  withPage(full, 'open', 99, answer('row 99'))
  expect(full?.pages).toEqual(before)
})

test('nothing of another question stays', () => {
  const { held, dropped } = withPage(full, 'closed', 3, answer('other'))
  expect(dropped).toBeUndefined()
  expect([...held.pages]).toEqual([[3, ['other']]])
})
