import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '#core/json/tree.ts'
import { readPage } from '#core/reconcile/sync-source.ts'
import { forAll } from '../../../support/for-all.ts'

const read = (text: string) => readPage(new TextEncoder().encode(text))
const pageOf = (text: string) => {
  const page = read(text)
  if ('code' in page) throw new Error(page.message)
  return page
}

describe('a page of a sync route (Endpoints)', () => {
  it('gives items, hasMore and the cursor as received', () => {
    const page = pageOf(
      '{"items":[{"a":1.0},{}],"count":2,"nextFrom":"2026-10-05T00:00:00-04:00","nextAfterDocumentId":"7D3F","hasMore":true}',
    )
    expect(page.items.map((item) => sourceOf(page.tree, item))).toEqual(['{"a":1.0}', '{}'])
    const cursor = { nextFrom: '2026-10-05T00:00:00-04:00', nextAfterDocumentId: '7D3F' }
    expect(page).toMatchObject({ hasMore: true, ...cursor })
  })

  it('takes names in another case, the documented one first; of duplicate keys the last', () => {
    expect(pageOf('{"Items":[1],"HasMore":true}')).toMatchObject({ items: { length: 1 }, hasMore: true })
    expect(pageOf('{"Items":[1],"items":[],"hasMore":true,"hasMore":false}')).toMatchObject({
      ...{ items: [], hasMore: false },
    })
  })

  it('concludes nothing from a count: what it counts is not shown', () => {
    for (const count of ['7', '-1', 'null', '"x"', '{}'])
      expect(pageOf(`{"items":[1],"count":${count},"hasMore":false}`).items).toHaveLength(1)
  })

  it.each([
    ['a list', '[]', 'it is a list instead of an object'],
    ['a number', '7', 'it is a number instead of an object'],
    ['no items', '{"count":0,"hasMore":false}', 'it has no items'],
    ['items that are null', '{"items":null,"hasMore":false}', 'its items are null instead of a list'],
    ['items that are an object', '{"items":{},"hasMore":false}', 'its items are an object instead of a list'],
    ['no hasMore', '{"items":[]}', 'it has no hasMore'],
    ['hasMore as text', '{"items":[],"hasMore":"false"}', 'its hasMore is a text instead of true or false'],
  ])('says what %s lacks', (_, text, sentence) => {
    const page = read(text)
    const params = { why: 'member', member: /hasMore/.test(sentence) ? 'hasMore' : 'items' }
    expect(page).toMatchObject({ code: 'unknown-page', message: expect.stringContaining(sentence), params })
  })

  it('reads items of any depth and shape', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(pageOf(`{"items":[${deep},null,{"a":1,"a":2}],"hasMore":false}`).items).toHaveLength(3)
  })

  it('never throws, whatever comes', () => {
    forAll(100, [fc.uint8Array({ maxLength: 200 })], (bytes) => void readPage(bytes))
    forAll(100, [fc.json()], (text) => void read(text))
    forAll(100, [fc.json(), fc.json()], (a, b) => void read(`{"items":${a},"hasMore":${b},"nextFrom":${a}}`))
  })
})
