import { EVERYTHING } from '#core/filter/tree.ts'
import { openStore } from '#storage/facade/store.ts'
import { testWorkers } from './store.ts'

/* A separate process: deletes and restores all deliveries in a loop until the test kills it. */
const [, , folder = ''] = process.argv
const store = await openStore({ folder, workers: testWorkers })
process.stdout.write('open\n')
for (;;) {
  const { batch } = await store.trash.add({ filter: EVERYTHING, text: '', upTo: null })
  if (batch !== null) await store.trash.restore(batch)
}
