import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { anEvent, aUuid } from '../../support/events.ts'
import { aDelivery, openTestStore } from '../../support/store.ts'

const body = JSON.stringify(anEvent('factura.created', { data: { DocumentId: aUuid(1) } }))

test('a rebuilt delivery is listed and judged as any other and marked wherever it shows, but was never received', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  const rebuilt = await store.capture.append(aDelivery({ body, synthetic: true, answer: null }))
  const live = await store.capture.append(aDelivery({ body }))
  await store.deliveries.settled(10_000)
  const rows = await store.deliveries.rows([rebuilt.id ?? 0, live.id ?? 0])
  // The live one is no duplicate of what was rebuilt.
  expect(rows.map(({ marks, kind }) => [marks.filter((mark) => mark !== 'late'), kind])).toEqual([
    [['synthetic'], 'factura.created'],
    [[], 'factura.created'],
  ])
  const total = async (filter: string) => (await store.deliveries['deliveries.summary']({ filter })).total
  expect([await total('is:synthetic'), await total('-is:synthetic'), await total('')]).toEqual([1, 1, 2])
  expect((await store.deliveries.get(rebuilt.id ?? 0))?.marks).toEqual(['synthetic'])
  expect(store.status().counts).toMatchObject({ stored: 2, today: 1 })

  const requests = openCapturedRequests({ paths: storeFiles(opened.folder) })
  expect([1, 2].map((id) => requests.forwardable(id, readFilter('')))).toEqual([false, true])
  requests.close()
  using derived = new DatabaseSync(storeFiles(opened.folder).derived, { readOnly: true })
  expect(derived.prepare('SELECT delivery_id AS id, document_key AS key FROM document_event').all()).toEqual([
    { id: live.id, key: aUuid(1) },
  ])
})

test('what was rebuilt and came back here is listed, and is no event of the service: the document stays missing', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  const headers = ['x-acuse-synthetic', '1', 'X-Acuse-Replay', '7']
  const back = await store.capture.append(aDelivery({ body, headers }))
  await store.deliveries.settled(10_000)
  const [row] = await store.deliveries.rows([back.id ?? 0])
  expect(row?.marks).toContain('replay')
  using derived = new DatabaseSync(storeFiles(opened.folder).derived, { readOnly: true })
  for (const table of ['document_event', 'document'])
    expect(derived.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
})
