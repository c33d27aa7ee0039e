import { expect, it } from 'vitest'
import { anEvent, openTestStore, type TestStore } from '../../support/store.ts'
import { arrive, found } from './fixture.ts'

async function filled(count: number): Promise<TestStore> {
  const test = await openTestStore()
  const bodies = Array.from({ length: count }, (_, CustomerId) => anEvent('customer.created', { CustomerId }))
  await arrive(test.store, ...bodies.map((body) => ({ body })))
  return test
}

it('notes and tags: are found by filters anywhere in the set, among what no index answers too', async () => {
  await using test = await filled(6)
  const { deliveries } = test.store
  expect(await found(test, 'has:note')).toEqual([])
  expect(await found(test, 'size:>1 tag:urg*')).toEqual([])
  await deliveries.annotate({ ids: [2, 5], addTags: ['urgent', 'b'] })
  await deliveries.annotate({ ids: [5], note: '  Asked the accountant \n', removeTags: ['b'] })
  expect(await found(test, 'has:note')).toEqual([5])
  expect(await found(test, 'tag:urgent')).toEqual([2, 5])
  expect(await found(test, 'tag:URG*,none')).toEqual([2, 5])
  expect(await found(test, 'tag:b')).toEqual([2])
  expect(await found(test, '-has:tag,note kind:customer.created')).toEqual([1, 3, 4, 6])
  expect(await found(test, 'size:>1 tag:urg*')).toEqual([2, 5])
  expect((await deliveries['tags.list']({})).tags).toEqual([
    { tag: 'urgent', count: 2 },
    { tag: 'b', count: 1 },
  ])
  const counts = await deliveries['filter.counts']({ filter: 'has:note', field: 'tag' })
  expect(counts).toEqual({ counts: [{ value: 'urgent', count: 1 }], exact: true })
  const [row] = await deliveries.rows([5])
  expect(row).toMatchObject({ note: true, tags: ['urgent'] })
  expect((await deliveries.get(5))?.noteText).toMatchObject({ text: 'Asked the accountant' })
  await deliveries.annotate({ ids: [5], note: null, removeTags: ['urgent'] })
  expect(await found(test, 'size:>1 tag:urg*')).toEqual([2])
  expect(await found(test, 'has:note')).toEqual([])
})

it('notes and tags: survive the end of the process, and go with their delivery', async () => {
  await using first = await filled(3)
  await first.store.deliveries.annotate({ ids: [1, 2], note: 'kept', addTags: ['k'] })
  await first.store.close()
  await using again = await openTestStore(first.folder)
  expect(await found(again, 'has:note tag:k')).toEqual([1, 2])
  const { deliveries } = again.store
  await deliveries.pin([2], true)
  const outcome = await deliveries.retention({ keepNewest: 0 }, true)
  // A pin protects a delivery from retention; a note does not.
  expect(outcome).toMatchObject({ deliveries: 2, pinnedExempt: 1 })
  expect(await found(again, 'has:note')).toEqual([2])
  expect((await deliveries['tags.list']({})).tags).toEqual([{ tag: 'k', count: 1 }])
})

it('notes and tags: too many tags are refused in a sentence, and nothing of the call is kept', async () => {
  await using test = await filled(2)
  const { deliveries } = test.store
  const many = Array.from({ length: 20 }, (_, i) => `t${i}`)
  await deliveries.annotate({ ids: [2], addTags: many })
  await expect(deliveries.annotate({ ids: [1, 2], note: 'x', addTags: ['more'] })).rejects.toMatchObject({
    code: 'conflict',
    message:
      'Delivery 2 would have 21 tags; the limit is 20. Remove some of its tags first. Nothing was changed.',
  })
  expect(await found(test, 'has:note')).toEqual([])
  expect(await deliveries.annotate({ ids: [2], addTags: ['more'], removeTags: ['t0'] })).toBe(1)
})
