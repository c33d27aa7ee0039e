import { appendFileSync } from 'node:fs'
import { storeFiles } from '#storage/disk/files.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'

/* Run as a process of its own: sweeps as the sweeper does, and writes each page down once it is saved. */
const [, , folder = '', sweep = '', pages = ''] = process.argv
const id = Number(sweep)
const store = openSweepStore({
  paths: storeFiles(folder),
  warn: (message) => {
    throw new Error(message)
  },
})
store.recover()
store.change(id, { state: 'running' })

function step(): void {
  const { next } = store.walk(id) as { readonly next: number }
  if (next >= Number(pages)) {
    store.change(id, { state: 'complete', endedAt: 9 })
    store.close()
    return
  }
  // Pages overlap by one item, as those of the service do.
  const items = Array.from({ length: 6 }, (_, at) => next * 5 + at).map((n) => ({
    ...{ raw: Buffer.from(`{"n":${n}}`), key: `k${n}`, party: null, total: String(n), currency: 'DOP' },
    document: {
      ...{ documentKey: `k${n}`, documentId: `k${n}`, number: null, issuedAt: n, documentType: 31 },
      ...{ statusId: null, voided: null, accounting: new Map() },
    },
  }))
  store.save(id, {
    ...{
      items,
      walk: { next: next + 1 },
      requests: 1,
      retries: 0,
      at: 5,
      reached: String(next),
      mapping: null,
    },
  })
  // To a file: what a pipe has not taken yet would be lost with the process.
  appendFileSync(`${folder}/saved.txt`, `${next}\n`)
  process.stdout.write(`${next}\n`)
  setTimeout(step, 1)
}
step()
