import { openStore } from '#storage/facade/store.ts'
import { aDelivery, testWorkers } from './store.ts'

/* Run as a process of its own: appends without end and prints each id once it was told that the delivery is safe. */
const [, , folder = ''] = process.argv
const store = await openStore({ folder, workers: testWorkers })
await store.coverage.enter('listening')
for (let n = 0; ; n += 8) {
  const done = await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.capture.append(aDelivery({ body: `delivery ${n + i}` }))),
  )
  process.stdout.write(done.map(({ id }, i) => `${id} delivery ${n + i}\n`).join(''))
}
