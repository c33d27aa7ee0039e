import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { AnsweredInstead, Store } from '#core/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { aDelivery, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { execIn, test } from './fixture.ts'

const fromTarget: AnsweredInstead = {
  by: { by: 'target', target: 'http://127.0.0.1:8080/a:b' },
  answer: {
    ...{ status: 422, headers: ['X-From', 'erp', 'Odd', 'caf\xe9', 'Empty', ''] },
    body: new TextEncoder().encode('no such customer'),
  },
}
const hang: AnsweredInstead = { by: { by: 'fault', effect: 'hang' }, answer: null }

const expectBoth = async (store: Store) => {
  const pairs = [['X-From', 'erp'] as const, ['Odd', 'caf\xe9'] as const, ['Empty', ''] as const]
  const headers = pairs.map(([name, value]) => ({ name, value, masked: false }))
  const answered = { headers, bodyBase64: Buffer.from('no such customer').toString('base64') }
  const first = { answer: 422, tookUs: 700, answeredBy: fromTarget.by, answered }
  expect(await store.deliveries.get(1)).toMatchObject(first)
  const second = { answer: null, tookUs: null, answeredBy: hang.by, answered: null }
  expect(await store.deliveries.get(2)).toMatchObject(second)
  expect(await store.deliveries.get(3)).toMatchObject({ answer: 200, tookUs: 30, answeredBy: null })
  const { rows } = await store.deliveries.page(EVERYTHING, { from: 0, limit: 9 })
  expect(rows.map(({ answer }) => answer)).toEqual([422, null, 200, 200])
}

test('the answer given instead of the one appended is what every reading shows, at once and after a restart', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const { store } = opened
    for (let n = 0; n < 4; n += 1) await store.capture.append(aDelivery())
    store.capture.answered(1, 700, fromTarget)
    store.capture.answered(2, null, hang)
    store.capture.answered(3, 30)
    store.capture.answered(4, null)
    await expectBoth(store)
  }
  await using again = await openTestStore(folder)
  await expectBoth(again.store)
})

test('it is written in the next pause, though nothing else arrives', async ({ store, folder }) => {
  await store.capture.append(aDelivery())
  store.capture.answered(1, 700, fromTarget)
  using db = new DatabaseSync(storeFiles(folder).captured, { readOnly: true })
  await expect
    .poll(() => ({ ...db.prepare('SELECT answer_status, took_us, answered_by FROM delivery').get() }))
    .toEqual({ answer_status: 422, took_us: 700, answered_by: 'target:http://127.0.0.1:8080/a:b' })
})

test('who answered is salvaged with its delivery from a database set aside', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    for (let n = 0; n < 2; n += 1) await opened.store.capture.append(aDelivery())
    opened.store.capture.answered(1, 700, fromTarget)
    opened.store.capture.answered(2, null, hang)
  }
  execIn(storeFiles(folder).captured, 'PRAGMA application_id=7')
  await using opened = await openTestStore(folder)
  const [incident] = opened.store.status().incidents
  expect(readdirSync(folder).some((name) => name.startsWith('captured.damaged'))).toBe(true)
  expect(await opened.store.salvage(incident?.at ?? 0)).toBe(2)
  expect(await opened.store.deliveries.get(1)).toMatchObject({ answer: 422, answeredBy: fromTarget.by })
  expect(await opened.store.deliveries.get(2)).toMatchObject({ answer: null, answeredBy: hang.by })
})
