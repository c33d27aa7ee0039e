import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'
import { plant, sweep } from '../../../bench/reconcile-world.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { theTerms } from './support.ts'

const MIB = 1024 * 1024

test('20,000 items against 60,000 deliveries: every loss is found, in bounded memory, and any page can be read', () => {
  const folder = tempFolder()
  const documents = plant(folder, 60_000, 20_000)
  const store = openSweepStore({ paths: storeFiles(folder), warn: (message) => expect.unreachable(message) })
  const { id } = sweep(store, documents)
  const before = process.memoryUsage().rss
  const { counts } = store.compare(id, theTerms())
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(documents.length)
  const last = store.rows(id, { from: documents.length - 50, limit: 50 })
  expect(last.rows).toHaveLength(50)
  expect(last.total).toBe(documents.length)
  expect(store.rows(id, { classes: ['missing'], from: 0, limit: 1 }).total).toBe(counts.missing)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB)
  store.close()
}, 120_000)
