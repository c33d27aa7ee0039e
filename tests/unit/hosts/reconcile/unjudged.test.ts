import { expect, test } from 'vitest'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { ReportParams } from '#contract/reconcile.ts'
import type { Store } from '#core/ports.ts'
import { ThreadReconciles } from '#hosts/reconcile/thread-reconciles.ts'
import { storeFiles } from '#storage/disk/files.ts'

test('nothing is rebuilt or reported while captured deliveries wait for their analysis: they would be sent once more', async () => {
  const deliveries = { settled: async () => 3 } as unknown as Store['deliveries']
  const reconciles = new ThreadReconciles({
    paths: storeFiles(''),
    worker: () => {
      throw new Error('no thread is needed for that')
    },
    store: { deliveries, addReader: () => () => {} },
    version: '0',
    surroundings: () => ({ connections: [], ownReceiver: null }),
    warn: () => {},
  })
  const refused = { code: 'not-available', message: expect.stringContaining('3 deliveries are still being') }
  await expect(
    reconciles.report({ ...DEFAULT_CONNECTION, name: 'main', baseUrl: '' }, {
      sweep: 1,
      format: 'csv',
    } as ReportParams),
  ).rejects.toMatchObject(refused)
  await expect(reconciles.planRebuild(1, { classes: ['missing'] }, false)).rejects.toMatchObject(refused)
})
