import { Worker } from 'node:worker_threads'
import { EVERYTHING } from '#core/filter/tree.ts'
import { openStore } from '#storage/open.ts'

/* Run as a process of its own: deletes and restores everything without end, until it is killed. */
const [, , folder = '', source = ''] = process.argv
const worker = (name: string) => () => new Worker(new URL(`${name}/worker.ts`, source))
const store = await openStore({
  folder,
  workers: { writer: worker('writer'), reader: worker('reader'), analyst: worker('analyst') },
})
process.stdout.write('open\n')
for (;;) {
  const { batch } = await store.trash.add({ filter: EVERYTHING, text: '', upTo: null })
  if (batch !== null) await store.trash.restore(batch)
}
