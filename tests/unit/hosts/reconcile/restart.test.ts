import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { tempFolder } from '../../../support/temp-folder.ts'
import { business, ranged, reconcileHost } from './support.ts'

test('a sweep whose thread was killed in the middle is paused, and resumed gives the same result', async () => {
  const house = await business()
  await house.play('month', 80)
  const range = ranged({ pageSize: 3 })
  const whole = await house.call('sweeps.start', { connection: 'main', range })
  const expected = await house.sweep(whole.id, 'complete')
  const counts = (await house.call('reconciliation.summary', { sweep: whole.id })).counts

  const { id } = await house.call('sweeps.start', { connection: 'main', range })
  await house.sweep(id, ({ pages }) => pages > 3)
  await house.threads.at(-1)?.terminate()
  const paused = await house.sweep(id, 'paused')
  expect(paused.pages).toBeLessThan(expected.pages)
  expect(house.warnings.join()).toContain('Running sweeps are paused')
  await house.call('sweeps.resume', { id })
  const { documents, items, pages } = expected
  expect(await house.sweep(id, 'complete')).toMatchObject({ documents, items, pages })
  expect((await house.call('reconciliation.summary', { sweep: id })).counts).toEqual(counts)
})

test('a sweep that version 0.1 paused is refused on resume with a sentence, and nothing is claimed of its range', async () => {
  const dataDir = tempFolder()
  const first = await business({ dataDir })
  await first.play('month', 20)
  const { id } = await first.call('sweeps.start', { connection: 'main', range: ranged({ pageSize: 2 }) })
  await first.sweep(id, ({ pages }) => pages > 2)
  await first.close()
  // Version 0.1 stored neither the start of the range nor whether its ends are listed.
  const db = new DatabaseSync(join(dataDir, 'sweeps.db'))
  const since = "'$.walk.walk.begin', '$.walk.walk.ends', '$.walk.walk.edge'"
  db.exec(`UPDATE sweep SET walk = json_remove(walk, ${since}) WHERE id = ${id}`)
  db.close()
  const second = await reconcileHost({ dataDir })
  await expect(second.call('sweeps.resume', { id })).rejects.toThrow('earlier version of Acuse')
  expect((await second.call('sweeps.get', { id })).state).toBe('paused')
  expect((await second.call('reconciliation.summary', { sweep: id })).counts['webhook-only']).toBe(0)
})
