import { expect, test } from 'vitest'
import { filterHandlers } from '#core/engine/filters.ts'
import { memorySettings } from '../../support/memory-settings.ts'

function host() {
  const settings = memorySettings()
  const handlers = filterHandlers({ settings, announce: (changed) => changed })
  return { handlers, saved: () => settings.get().savedFilters }
}

test('a filter is kept under its name, sorted; the same name in another case is the same filter', async () => {
  const { handlers, saved } = host()
  await handlers['filters.save']({ name: 'Zeta', filter: 'is:late' })
  await handlers['filters.save']({ name: 'alfa', filter: '/x/i' })
  await handlers['filters.save']({ name: 'ALFA', filter: 'size:>1kb' })
  expect(saved()).toEqual([
    { name: 'ALFA', filter: 'size:>1kb' },
    { name: 'Zeta', filter: 'is:late' },
  ])
  await handlers['filters.save']({ name: 'Beta', filter: 'is:late', previousName: 'zeta' })
  expect(saved().map(({ name }) => name)).toEqual(['ALFA', 'Beta'])
  await handlers['filters.remove']({ name: 'beta' })
  expect(saved().map(({ name }) => name)).toEqual(['ALFA'])
})

test('a filter that tells of deliveries goes on telling when it is changed or renamed, until it is told not to', async () => {
  const { handlers, saved } = host()
  await handlers['filters.save']({ name: 'Late', filter: 'is:late', notify: true })
  await handlers['filters.save']({ name: 'Later', filter: 'is:late', previousName: 'late' })
  await handlers['filters.save']({ name: 'Later', filter: '-is:late' })
  expect(saved()).toEqual([{ name: 'Later', filter: '-is:late', notify: true }])
  await handlers['filters.save']({ name: 'Later', filter: '-is:late', notify: false })
  expect(saved()).toEqual([{ name: 'Later', filter: '-is:late' }])
})

test('one that does not parse, and a name that is not there, are refused', async () => {
  const { handlers, saved } = host()
  await expect(handlers['filters.save']({ name: 'x', filter: '/a(/' })).rejects.toMatchObject({
    code: 'bad-filter',
  })
  await expect(handlers['filters.save']({ name: 'x', filter: 'size:big' })).rejects.toMatchObject({
    code: 'bad-filter',
    details: { column: 5, problem: 'bad-amount' },
  })
  await expect(handlers['filters.remove']({ name: 'x' })).rejects.toMatchObject({ code: 'not-found' })
  expect(saved()).toEqual([])
})

test('no more are kept than a menu can show, but one that is there can still be changed', async () => {
  const { handlers, saved } = host()
  for (let n = 0; n < 200; n++) await handlers['filters.save']({ name: `f${n}`, filter: 'a' })
  await expect(handlers['filters.save']({ name: 'more', filter: 'a' })).rejects.toMatchObject({
    code: 'conflict',
  })
  await handlers['filters.save']({ name: 'f7', filter: 'b' })
  expect(saved()).toHaveLength(200)
})
