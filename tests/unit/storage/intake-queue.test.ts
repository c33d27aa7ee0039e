import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { folderOf } from '#log/disk.ts'
import { LogReader } from '#log/reader.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { aDelivery, openTestStore } from '../../support/store.ts'

/** Numbers of deliveries that shared a write and a sync, from what senders append who send again a turn after each answer. */
async function batchesOf(senders: number, deliveries: number): Promise<number[]> {
  await using opened = await openTestStore()
  const { capture } = opened.store
  const send = async () => {
    for (let n = 0; n < deliveries; n++) {
      await capture.append(aDelivery())
      await turn()
    }
  }
  // Half of them begin while the others wait for their first answer.
  await Promise.all(Array.from({ length: senders }, (_, n) => (n % 2 ? turn().then(send) : send())))
  const reader = new LogReader(folderOf(storeFiles(opened.folder).log), 0)
  const { entries } = reader.next(senders * deliveries, Number.POSITIVE_INFINITY)
  reader.close()
  return [...Map.groupBy(entries, ({ synced }) => synced).values()].map((batch) => batch.length)
}

test.each([1, 2, 16, 50])(
  '%i busy senders share one write: none of them waits for a write of the others',
  async (senders) => {
    const batches = await batchesOf(senders, 20)
    expect(batches.reduce((sum, batch) => sum + batch, 0)).toBe(senders * 20)
    expect(batches.filter((batch) => batch === senders).length).toBeGreaterThan(15)
  },
)
