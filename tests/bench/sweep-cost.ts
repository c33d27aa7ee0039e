import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AS_FOUND } from '#core/reconcile/item.ts'
import { beginSweep } from '#core/reconcile/sweep-walk.ts'
import { PATIENCE } from '#core/reconcile/sync-source.ts'
import { runSweep } from '#core/sweep/sweeper.ts'
import { createSender } from '#outbound/sender.ts'
import { createSyncSource, PAGE_KEPT } from '#outbound/sync-client.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'
import { SWEEP } from './reconcile-world.ts'

const PAGE = 500
const START = Date.parse('2026-10-01T00:00:00-04:00')
const TIMEOUTS = { connectMs: 10_000, answerMs: 60_000, totalMs: 300_000 }

/** Pages as the service sends them; each but the first begins with the last item of the one before. */
function pagesOf(count: number): readonly Buffer[] {
  const item = (n: number) => ({
    DocumentId: `5f0c1d2e-3b4a-4c5d-8e6f-${String(n).padStart(12, '0')}`,
    ...{ Number: `E31${String(n).padStart(10, '0')}`, StatusId: 5, IsAnulated: false },
    ...{ IssuedAt: new Date(START + n * 1_000).toISOString(), CustomerName: 'Comercial Peña' },
    Lines: Array.from({ length: 3 }, (_, line) => ({
      Description: `Producto ${line}`,
      Quantity: 2,
      Price: 10.5,
    })),
    Accounting: { DocumentTypeId: 31, CurrencyCode: 'DOP', TaxableAmount: n, Total: n * 1.18, AmountDue: 0 },
  })
  return Array.from({ length: count }, (_, page) => {
    const first = page * (PAGE - 1)
    const items = Array.from({ length: PAGE }, (_none, at) => item(first + at))
    return Buffer.from(JSON.stringify({ items, count: PAGE, hasMore: page < count - 1 }))
  })
}

/** The bytes of a page over HTTP and nothing else: what the service and the way cost by themselves. */
const fetched = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      let size = 0
      response.on('data', (piece: Buffer) => {
        size += piece.byteLength
      })
      response.on('end', () => resolve(size))
    }).on('error', reject)
  })

/**
 * A sweep over HTTP: what a page of 500 costs beyond the service's own time (fetched, read, stored, the walk decided; at most 15 ms), and
 * whether memory stays flat: one page is held at a time.
 */
export async function sweepCost(folder: string, count: number): Promise<void> {
  const pages = pagesOf(count)
  let next = 0
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(pages[next++ % count])
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = openSweepStore({ paths: storeFiles(folder), warn: console.error })
  const sender = createSender({ environment: {}, answerKept: PAGE_KEPT })
  const now = () => performance.timeOrigin + performance.now()
  try {
    for (let page = 0; page < 5; page++) await fetched(baseUrl)
    const bare = performance.now()
    for (let page = 0; page < count; page++) await fetched(baseUrl)
    const own = (performance.now() - bare) / count
    next = 0
    const walk = beginSweep({ ...SWEEP.range, pageSize: PAGE }, [])
    const sweep = store.add({ ...SWEEP, connection: 'cost', walk })
    const heaps: number[] = []
    const began = performance.now()
    const done = await runSweep(
      {
        ...{ store, clock: { now }, patience: PATIENCE, wait: async () => {} },
        changed: () => heaps.push(process.memoryUsage().rss),
      },
      {
        ...{ sweep, walk, reading: AS_FOUND, signal: new AbortController().signal },
        source: createSyncSource(
          sender,
          { baseUrl, timeouts: TIMEOUTS, acceptAnyCertificate: false, apiKey: 'key' },
          now,
        ),
      },
    )
    const cost = (performance.now() - began) / count - own
    const mega = (bytes: number | undefined) => ((bytes ?? 0) / 1_048_576).toFixed(0)
    const quarter = heaps.length >> 2
    console.log(
      `sweep ${done.state}: ${done.documents} documents on ${done.pages} pages; a page costs ${cost.toFixed(1)} ms beyond the service's own ${own.toFixed(1)} ms (at most 15 ms)`,
    )
    console.log(
      `resident memory after a quarter of the pages ${mega(heaps[quarter])} MB, at the end ${mega(heaps.at(-1))} MB`,
    )
  } finally {
    sender.close()
    store.close()
    server.closeAllConnections()
    server.close()
  }
}
