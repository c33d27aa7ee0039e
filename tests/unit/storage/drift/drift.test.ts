import { join } from 'node:path'
import { expect } from 'vitest'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import type { Store } from '#core/ports.ts'
import { anEvent as anEventObject } from '../../../support/events.ts'
import { openTestStore } from '../../../support/store.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { arrive, execIn, found, noticesOf, test } from '../fixture.ts'

const KIND = 'dgii.aprobado'
const body = (change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify(anEventObject(KIND, { data: change }))

/** Makes the next opening rebuild derived.db. */
const makeAnew = (folder: string) => execIn(join(folder, 'derived.db'), 'PRAGMA user_version=1')

const plain = (count: number) => Array.from({ length: count }, () => ({ body: body() }))
const drifting = (store: Store) => found({ store }, 'is:drift')

test('what was observed marks the delivery that shows something first', async ({ store }) => {
  const notices = noticesOf(store)
  await arrive(store, ...plain(LEARNING_DELIVERIES))
  expect(await drifting(store)).toEqual([])
  expect((await store.deliveries['drift.list']({ since: 0 })).kinds[0]).toMatchObject({
    ...{ kind: KIND, deliveries: LEARNING_DELIVERIES, learning: false },
    ...{ missing: 0, undocumented: 0, events: 0 },
  })
  await arrive(store, { body: body({ Reason: 'ok' }) }, { body: body({ StatusId: null }) })
  const [first, second] = [LEARNING_DELIVERIES + 1, LEARNING_DELIVERIES + 2]
  expect(await drifting(store)).toEqual([first, second])
  expect(notices).toContainEqual({ type: 'drifted', kinds: [KIND] })
  const detail = await store.deliveries.get(first)
  expect(detail).toMatchObject({ verdict: 'noted', marks: expect.arrayContaining(['drift']) })
  expect(detail?.drift).toMatchObject([
    { code: 'new-field', pointer: '/data/Reason', now: { type: 'string', format: 'text' }, seen: 20 },
  ])
  const { events, total } = await store.deliveries['drift.events']({ kind: KIND, from: 0, limit: 1 })
  expect(total).toBe(2)
  expect(events).toMatchObject([{ code: 'now-null', deliveryId: second, kind: KIND }])
  const profile = await store.deliveries['drift.profile']({ kind: KIND })
  expect(profile.fields.map(({ place }) => place)).toEqual([
    ...['/Event', '/Timestamp', '/data', '/data/DocumentId', '/data/StatusId', '/data/Reason'],
  ])
  expect(profile.fields.at(-1)).toMatchObject({ n: 1, of: 22, documented: false, firstId: first })
  const at = (await store.deliveries.get(first))?.receivedAt ?? 0
  const [kind] = (await store.deliveries['drift.list']({ since: at })).kinds
  expect(kind).toMatchObject({ events: 2, fresh: 1, undocumented: 1 })
})

test('what was observed is learned from received events only', async ({ store }) => {
  await arrive(
    store,
    { body: body() },
    { body: body({ A: 1 }), rejected: true },
    { body: body({ B: 1 }), synthetic: true },
    { body: body({ C: 1 }), malformed: 'cut-off' },
    { body: body({ D: 1 }), headers: ['X-Acuse-Replay', '7'] },
    { body: body({ E: 1 }).slice(0, -1) },
    { body: '{"Event":"test.connection","Timestamp":"2026-11-21T09:00:00-04:00","data":{}}' },
    { body: '[]' },
  )
  const kinds = (await store.deliveries['drift.list']({ since: 0 })).kinds
  expect(kinds).toMatchObject([{ kind: KIND, deliveries: 1, fields: 5, learning: true, missing: 19 }])
})

test('what was observed is the same after the store was opened anew', { tags: 'long' }, async ({ store }) => {
  const folder = tempFolder()
  const all = [...plain(25), { body: body({ X: 1 }) }, { body: body({ StatusId: 'five' }) }]
  const times = all.map((one, at) => ({ ...one, receivedAt: 1_790_000_000_000_000 + at * 1_000_000 }))
  const read = async (store: Store) => ({
    profile: await store.deliveries['drift.profile']({ kind: KIND }),
    events: await store.deliveries['drift.events']({ from: 0, limit: 100 }),
    marked: await drifting(store),
  })
  await arrive(store, ...times)
  const whole = await read(store)
  for (const part of [times.slice(0, 10), times.slice(10, 26), times.slice(26)]) {
    await using opened = await openTestStore(folder)
    await arrive(opened.store, ...part)
  }
  const reopened = async () => {
    await using again = await openTestStore(folder)
    await again.store.deliveries.settled(10_000)
    return await read(again.store)
  }
  expect(await reopened()).toEqual(whole)
  makeAnew(folder)
  expect(await reopened()).toEqual(whole)
})

test('what was observed can be forgotten, also when derived.db is made again', async () => {
  const folder = tempFolder()
  const first = LEARNING_DELIVERIES + 1
  {
    await using test = await openTestStore(folder)
    const { store } = test
    await arrive(store, ...plain(LEARNING_DELIVERIES), { body: body({ X: 1 }) })
    const notices = noticesOf(store)
    expect(await drifting(store)).toEqual([first])
    await store.deliveries.driftReset([KIND])
    expect(await drifting(store)).toEqual([])
    expect((await store.deliveries['drift.list']({ since: 0 })).kinds).toEqual([])
    expect((await store.deliveries.get(first))?.drift).toEqual([])
    expect(notices).toContainEqual({ type: 'marked', ids: [first] })
    await arrive(store, { body: body({ Y: 1 }) })
  }
  makeAnew(folder)
  await using test = await openTestStore(folder)
  await test.store.deliveries.settled(10_000)
  const [kind, ...others] = (await test.store.deliveries['drift.list']({ since: 0 })).kinds
  expect(others).toEqual([])
  expect(kind).toMatchObject({ deliveries: 1, undocumented: 1 })
})

test('what was observed outlives the deliveries that taught it', async ({ store }) => {
  await arrive(store, ...plain(LEARNING_DELIVERIES), { body: body({ X: 1 }) }, { body: body() })
  await store.deliveries.retention({ keepNewest: 1 }, true)
  const profile = await store.deliveries['drift.profile']({ kind: KIND })
  expect(profile.deliveries).toBe(LEARNING_DELIVERIES + 2)
  const field = profile.fields.find(({ place }) => place === '/data/X')
  expect(field).toMatchObject({ n: 1, firstId: null, lastId: null })
  expect(profile.fields[0]).toMatchObject({ firstId: null, lastId: LEARNING_DELIVERIES + 2 })
  const { events } = await store.deliveries['drift.events']({ from: 0, limit: 10 })
  expect(events).toMatchObject([{ code: 'new-field', deliveryId: null }])
  expect(await drifting(store)).toEqual([])
  await arrive(store, { body: body({ X: 1 }) })
  expect(await drifting(store)).toEqual([])
})
