import { expect, test } from 'vitest'
import { PAGES_KEPT, RecentPages } from '@/shared/live/recent-pages.ts'

test('one page too many takes the place of the one used longest ago', () => {
  const pages = new RecentPages<string>()
  for (let page = 0; page < PAGES_KEPT; page++) pages.set(page, `page ${page}`)
  pages.set(0, 'page 0 anew')
  expect(pages.use(1)).toBe('page 1')
  pages.set(99, 'page 99')
  expect(pages.size).toBe(PAGES_KEPT)
  const kept = [pages.get(0), pages.get(1), pages.use(2), pages.get(3)]
  expect(kept).toEqual(['page 0 anew', 'page 1', undefined, 'page 3'])
})
