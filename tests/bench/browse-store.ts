import { DatabaseSync } from 'node:sqlite'
import { KINDS } from '#catalog/kinds.ts'
import type { Sort, SortKey } from '#contract/order.ts'
import { VERDICTS } from '#contract/values.ts'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { createRandom } from '#sandbox/data/random.ts'
import { sizeOf, storeFiles } from '#storage/disk/files.ts'
import { Reader } from '#storage/reader/reader.ts'
import type { Figure } from './report.ts'

const LIMIT = 200
/** One that an index helps, one of text, numbers, and what is looked up. */
const SORTS: readonly SortKey[] = ['kind', 'document', 'size', 'took', 'verdict']
const DAY_MS = 86_400_000
/** Words of names, towns, products, numbers and tax ids: from a handful of deliveries to many thousands. */
export const WORDS = [
  'quisqueya',
  'cemento',
  'E310000000123',
  '"Peña & Asociados"',
  'acetaminofen',
  'yokasta',
  '809',
  'rheinland',
]
/** Kinds with verdicts, never asked for before: those that are rare and those that are half of everything. */
export const PAIRS = KINDS.map(({ kind }, place) => `kind:${kind} verdict:${VERDICTS[place % 4]}`)

export const percentile = (values: readonly number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? Number.NaN

/** Milliseconds: as the clock has it, and of this thread's own work, which other work on the machine does not lengthen. */
export interface Took {
  readonly ms: number
  readonly cpu: number
}

async function timed(work: () => unknown): Promise<Took> {
  const before = process.threadCpuUsage()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  const { user, system } = process.threadCpuUsage(before)
  return { ms, cpu: (user + system) / 1_000 }
}

/**
 * What the store's reader takes for the questions of the window, without the window, and how large the files are (P8, P9, P10, P12).
 * @param rawBytes of headers and bodies, as they came
 */
export async function browseStore(folder: string, rows: number, rawBytes: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const add = (...figure: Figure) => figures.push(figure)
  const addTook = (row: string, what: string, target: string, took: readonly Took[], p?: number) => {
    const walls = took.map(({ ms }) => ms)
    add(row, what, target, 'ms', p === undefined ? walls : [percentile(walls, p)])
    // Counted in ticks of some milliseconds, so that only the sum of many says anything.
    const mean = took.reduce((sum, { cpu }) => sum + cpu, 0) / took.length
    if (p !== 0.5) add(row, `${what}: processor time, mean`, '', 'ms', [mean])
  }
  const paths = storeFiles(folder)
  const random = createRandom(8)
  let reader = new Reader(paths)
  const newest = { from: 'newest', limit: LIMIT } as const
  addTook('P7', 'first page of all', '', [await timed(() => reader.page(EVERYTHING, newest))])

  const eachOf = async (filters: readonly string[], work: (filter: string) => unknown) => {
    const took: Took[] = []
    for (const filter of filters) took.push(await timed(() => work(filter)))
    return took
  }
  const page = (filter: string) => reader.page(readFilter(filter), newest)
  addTook(
    'P8',
    'new filter, kind + verdict: first page and exact count',
    '≤ 100 ms',
    await eachOf(PAIRS, page),
  )
  const pages: Took[] = []
  for (const filter of ['', 'kind:factura.* verdict:valid', 'kind:dgii.aprobado verdict:valid']) {
    const { total } = await page(filter)
    for (let n = 0; n < 400; n++) {
      const from = random.int(0, Math.max(0, total - LIMIT))
      pages.push(await timed(() => reader.page(readFilter(filter), { from, limit: LIMIT })))
    }
  }
  addTook('P8', `page of ${LIMIT} rows anywhere, median`, '', pages, 0.5)
  addTook('P8', `page of ${LIMIT} rows anywhere, 99th percentile`, '≤ 1 ms', pages, 0.99)
  const counted = ['', 'group:invoices', 'endpoint:erp', 'is:late']
  const counts = await eachOf(counted, (filter) => reader['deliveries.summary']({ filter }))
  addTook('P8', 'new filter: counts by verdict', '≤ 100 ms', counts)
  addTook('P9', 'new text filter: first page and exact count', '≤ 100 ms', await eachOf(WORDS, page))

  const instants = Array.from({ length: 200 }, () => Date.now() - random.int(0, 30 * 1_440) * 60_000)
  const jumps: Took[] = []
  for (const instant of instants)
    jumps.push(await timed(() => reader['deliveries.at']({ filter: '', instant })))
  addTook('E3', 'jump to a time, 99th percentile of 200', '', jumps, 0.99)
  const sorts: Took[] = []
  for (const by of SORTS) sorts.push(await timed(() => sorted(reader, by)))
  addTook('E3', 'new order of all deliveries, until it is whole', '', sorts)
  const deep: Took[] = []
  for (let n = 0; n < 200; n++)
    deep.push(
      await timed(() =>
        reader.page(EVERYTHING, { from: random.int(0, rows - LIMIT), limit: LIMIT, sort: orderOf('size') }),
      ),
    )
  addTook('E3', 'page of it anywhere, median', '', deep, 0.5)

  const days = await timelines(reader, random)
  addTook('P10', 'timeline of a day, median', '', days, 0.5)
  addTook('P10', 'timeline of a day, 99th percentile of 200', '≤ 2 ms', days, 0.99)
  const day = `received:${new Date(Date.now() - 12 * DAY_MS).toISOString().slice(0, 10)}`
  addTook('P8', 'a day by received:, first page', '≤ 100 ms', await eachOf([day], page))
  addTook(
    'P8',
    'a day by received:, exact count',
    '',
    await eachOf([day], (filter) => settled(reader, filter)),
  )
  reader.close()

  reader = new Reader(paths)
  const [scan = { ms: 0, cpu: 0 }] = await eachOf(['/ferreter.a\\s+[0-9]{7}x/'], (filter) =>
    settled(reader, filter),
  )
  add('E', 'bodies searched by an expression', '', '/s', [(rows / scan.ms) * 1_000])
  add('E', 'bodies searched by an expression, by processor time', '', '/s', [(rows / scan.cpu) * 1_000])
  reader.close()

  const share = (bytes: number) => bytes / rawBytes
  add('P9', 'text index / raw bytes', '≤ 0.20 ×', '×', [share(indexBytes(paths.derived))])
  add('P12', 'captured.db / raw bytes', '≤ 1.15 ×', '×', [share(sizeOf(paths.captured))])
  add('P12', 'derived.db / raw bytes', '', '×', [share(sizeOf(paths.derived))])
  return figures
}

/** Whole days, halves and sixths of them, anywhere in the month, as wide as a chart draws them. */
async function timelines(reader: Reader, random: ReturnType<typeof createRandom>): Promise<Took[]> {
  const { stored } = reader.timeline(EVERYTHING, { from: 0, to: 60_000, bucketMs: 60_000, by: 'verdict' })
  const first = stored?.from ?? 0
  const took: Took[] = []
  for (let n = 0; n < 200; n++) {
    const span = DAY_MS / random.pick([1, 1, 2, 6])
    const from = first + random.int(0, 29 * 1_440) * 60_000
    const by = random.pick(['verdict', 'group'] as const)
    const query = {
      from,
      to: from + span,
      bucketMs: Math.max(60_000, span / random.pick([96, 288, 1_440])),
      by,
    }
    took.push(await timed(() => reader.timeline(EVERYTHING, query)))
  }
  return took
}

const orderOf = (by: SortKey): Sort => ({ by, descending: true })

/** Asks for the first page until the order is made. */
async function sorted(reader: Reader, by: SortKey): Promise<void> {
  for (;;) {
    const page = await reader.page(EVERYTHING, { from: 'newest', limit: LIMIT, sort: orderOf(by) })
    if (!page.ordered?.making) return
  }
}

/** Asks until all members are found. */
async function settled(reader: Reader, filter: string): Promise<void> {
  for (;;) if (!(await reader['deliveries.summary']({ filter })).searching) return
}

function indexBytes(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true })
  const row = db.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search%'").get()
  return Number(row?.bytes)
}
