import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Analysis } from '#core/checks/analysis.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { aDelivery, anEvent, openTestStore, testWorkers } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('when a storage thread dies another takes over, and nobody is told yes for what it had (architecture)', async () => {
  const made: Worker[] = []
  const keep = (spawn: () => Worker) => () => {
    const worker = spawn()
    made.push(worker)
    return worker
  }
  await using opened = await openTestStore(undefined, {
    workers: {
      writer: keep(testWorkers.writer),
      reader: keep(testWorkers.reader),
      analyst: keep(testWorkers.analyst),
      checker: testWorkers.checker,
    },
  })
  const { store } = opened
  await store.capture.append(aDelivery())
  await store.deliveries.settled(10_000)
  await store.deliveries.rows([1])
  for (const worker of made.splice(0)) await worker.terminate()
  await expect.poll(() => store.status().state, { timeout: 10_000 }).toBe('ok')
  const again = await store.capture.append(
    aDelivery({ body: anEvent('customer.deactivated', { CustomerId: 1 }) }),
  )
  expect(again.id).toBe(2)
  await expect
    .poll(async () => (await store.deliveries.rows([1, 2]).catch(() => [])).at(1)?.kind, { timeout: 10_000 })
    .toBe('customer.deactivated')
})

test('a delivery whose analysis fails does not stop the ones behind it', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    for (const body of ['good', 'poison', 'good']) await opened.store.capture.append(aDelivery({ body }))
  }
  const plain: Analysis = {
    event: null,
    kind: null,
    group: null,
    documentId: null,
    number: null,
    statusId: null,
    party: null,
    timestamp: null,
    facts: null,
    verdict: 'valid',
    findings: [],
    findingCount: 0,
    searchText: '',
  }
  const analyst = new Analyst(
    { captured: `${folder}/captured.db`, derived: `${folder}/derived.db`, rebuild: true },
    ({ body }) => {
      if (!('bytes' in body)) return { ...plain, verdict: 'unreadable' }
      if (Buffer.from(body.bytes).toString() === 'poison') throw new RangeError('too deep')
      return plain
    },
  )
  expect(analyst.step()).toMatchObject({ firstId: 1, lastId: 3, count: 3 })
  expect(analyst.step()).toBeUndefined()
  analyst.close()
  await using again = await openTestStore(folder)
  const { rows } = await again.store.deliveries.page(EVERYTHING, { from: 0, limit: 9 })
  expect(rows.map(({ verdict }) => verdict)).toEqual(['valid', 'unreadable', 'valid'])
})
