import { DatabaseSync } from 'node:sqlite'
import { KINDS } from '#catalog/kinds.ts'
import { VERDICTS } from '#contract/values.ts'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { createRandom } from '#sandbox/data/random.ts'
import { sizeOf, storeFiles } from '#storage/disk/files.ts'
import { Reader } from '#storage/reader/reader.ts'
import { words } from '../support/words.ts'
import { type Figure, percentile } from './report.ts'

const LIMIT = 200
const DAY_MS = 86_400_000
/** Search words that match from a handful of deliveries to many thousands: names, towns, products, numbers, tax ids. */
export const WORDS = [
  ...words`quisqueya cemento E310000004123 acetaminofen yokasta 809 rheinland`,
  '"Peña & Asociados"',
]
/** Filters by kind and verdict that no earlier query has cached; some match few deliveries, some half of them. */
export const PAIRS = KINDS.map(({ kind }, place) => `kind:${kind} verdict:${VERDICTS[place % 4]}`)

export async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/**
 * Measures the store's reader with the window's queries, and the size of the files (P8, P9, P10, P12).
 * @param rawBytes bytes of all received headers and bodies
 */
export async function browseStore(folder: string, rawBytes: number): Promise<Figure[]> {
  const paths = storeFiles(folder)
  const random = createRandom(8)
  const reader = new Reader(paths)
  const page = (filter: string) => reader.page(readFilter(filter), { from: 'newest', limit: LIMIT })
  const eachOf = async (filters: readonly string[], work: (filter: string) => unknown) => {
    const took: number[] = []
    for (const filter of filters) took.push(await timed(() => work(filter)))
    return took
  }
  const pairs = await eachOf(PAIRS, page)
  const pages: number[] = []
  for (const filter of ['', 'kind:factura.* verdict:valid', 'kind:dgii.aprobado verdict:valid']) {
    const { total } = await page(filter)
    for (let n = 0; n < 400; n++) {
      const from = random.int(0, Math.max(0, total - LIMIT))
      pages.push(await timed(() => reader.page(readFilter(filter), { from, limit: LIMIT })))
    }
  }
  const summary = (filter: string) => reader['deliveries.summary']({ filter })
  const counts = await eachOf(['', 'group:invoices', 'endpoint:erp', 'is:late'], summary)
  const texts = await eachOf(WORDS, page)
  const days = await timelines(reader, random)
  const day = `received:${new Date(Date.now() - 12 * DAY_MS).toISOString().slice(0, 10)}`
  const received = await eachOf([day], page)
  reader.close()
  const share = (bytes: number) => [bytes / rawBytes]
  const among = `page of ${LIMIT} rows anywhere,`
  return [
    ['P8', 'new filter, kind + verdict: first page and exact count', '≤ 100 ms', 'ms', pairs],
    ['P8', `${among} median`, '', 'ms', [percentile(pages, 0.5)]],
    ['P8', `${among} 99th percentile`, '≤ 1 ms', 'ms', [percentile(pages, 0.99)]],
    ['P8', 'new filter: counts by verdict', '≤ 100 ms', 'ms', counts],
    ['P8', 'a day by received:, first page', '≤ 100 ms', 'ms', received],
    ['P9', 'new text filter: first page and exact count', '≤ 100 ms', 'ms', texts],
    ['P10', 'timeline of a day, median', '', 'ms', [percentile(days, 0.5)]],
    ['P10', 'timeline of a day, 99th percentile of 200', '≤ 2 ms', 'ms', [percentile(days, 0.99)]],
    ['P9', 'text index / raw bytes', '≤ 0.20 ×', '×', share(indexBytes(paths.derived))],
    ['P12', 'captured.db / raw bytes', '≤ 1.15 ×', '×', share(sizeOf(paths.captured))],
    ['P12', 'derived.db / raw bytes', '', '×', share(sizeOf(paths.derived))],
  ]
}

/** Times timelines of days, half days and sixths of a day anywhere in the month, as wide as a chart. */
async function timelines(reader: Reader, random: ReturnType<typeof createRandom>): Promise<number[]> {
  const { stored } = reader.timeline(EVERYTHING, { from: 0, to: 60_000, bucketMs: 60_000, by: 'verdict' })
  const took: number[] = []
  for (let n = 0; n < 200; n++) {
    const span = DAY_MS / random.pick([1, 1, 2, 6])
    const from = (stored?.from ?? 0) + random.int(0, 29 * 1_440) * 60_000
    const by = random.pick(['verdict', 'group'] as const)
    const bucketMs = Math.max(60_000, span / random.pick([96, 288, 1_440]))
    took.push(await timed(() => reader.timeline(EVERYTHING, { from, to: from + span, bucketMs, by })))
  }
  return took
}

function indexBytes(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true })
  const row = db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%'").get()
  return Number(row?.bytes)
}
