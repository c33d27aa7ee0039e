import { expect, test } from 'vitest'
import { linkOf, namesList, streamHash } from '@/app/place.ts'
import { words } from '../../../support/words.ts'

test('a link to the list: an empty filter in it means none, a missing one nothing', () => {
  expect(linkOf('#/stream?filter=')).toEqual({ filter: '', id: null })
  expect(linkOf('#/stream')).toEqual({ filter: null, id: null })
  expect(streamHash({ filter: '', id: null })).toBe('#/stream')
})
test.each([
  ...words`
    # #/settings/retention #/settings?filter=is:late #/stream?id=0 #/stream?id=-1 #/stream?id=1e9
    #/stream?id=99999999999999999999 #/stream?%
  `,
  '',
])('a link to the list: whatever else a hash holds says nothing: %s', (hash) =>
  expect(linkOf(hash)).toEqual({ filter: null, id: null }),
)

test('a link to the list: only an address that names the list, or nothing, is written to: another screen may be on its way', () => {
  for (const hash of ['', '#', '#/', '#/stream', '#/stream?id=7', '#/?filter=is:late'])
    expect([hash, namesList(hash)]).toEqual([hash, true])
  for (const hash of ['#/settings/targets', '#/replays', '#/streams', '#/settings?stream'])
    expect([hash, namesList(hash)]).toEqual([hash, false])
})
