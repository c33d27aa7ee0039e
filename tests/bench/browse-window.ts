import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { installedChromium } from '../support/find-chromium.mjs'
import { sampleBody } from '../support/sample-deliveries.ts'
import { openings } from './browse-opening.ts'
import { clearFilter, filterBy, longTasks, watchWindow } from './browse-page.ts'
import { PAIRS, timed, WORDS } from './browse-store.ts'
import { load } from './load.ts'
import type { Figure } from './report.ts'
import { type Running, startAcuse, uiLink } from './servers.ts'

const CHROMIUM = installedChromium() ?? chromium.executablePath()
/** The browser compiles the code at the first opening, caches it at the second, and uses the cache from the third on. */
const OPENINGS = 4
const VIEWPORT = { width: 1280, height: 800 }
const PER_SECOND = 200
/** Filters that select more than a few rows, and less than half of them. */
const FILTERS = [
  ...[PAIRS[3], PAIRS[5], PAIRS[7]].map(String),
  ...['kind:gasto.* verdict:valid', 'kind:dgii.rechazado verdict:>=warning'],
]

type Add = (...figure: Figure) => void

/** Measures the real host and window on a store that receives 200 deliveries a second (P7, P8, P9, P11). */
export async function browseWindow(folder: string, rows: number, repeats: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  const start: number[] = []
  const shown: number[] = []
  const again: number[] = []
  const longAgain: number[] = []
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const baseline = await timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit'))
      const began = performance.now()
      const host = await startAcuse({ keep: true }, folder)
      start.push(performance.now() - began - baseline)
      await withSender(host, async () => {
        const [first, , ...later] = await openings(CHROMIUM, () => uiLink(host), OPENINGS)
        shown.push(first?.firstRows ?? Number.NaN)
        again.push(...later.map(({ firstRows: ms }) => ms))
        longAgain.push(...later.map(({ longTasks: tasks }) => Math.max(0, ...tasks)))
        if (repeat === repeats - 1) await browse(browser, host, rows, (...figure) => figures.push(figure))
      })
      await host.stop()
    }
  } finally {
    await browser.close()
  }
  return [
    ['P7', 'host: start to listening, less node -e 0', '≤ 400 ms', 'ms', start],
    ['P7', 'window: load to first rows, in a browser that was never there', '', 'ms', shown],
    ['P7', 'window opened again: first rows', '≤ 300 ms', 'ms', again],
    ['P11', 'longest task of a window opened again', '≤ 50 ms', 'ms', longAgain],
    ...figures,
  ]
}

async function withSender(host: Running, work: () => Promise<void>): Promise<void> {
  const seed = Date.now() % 1_000_000
  const bodies = Array.from({ length: 500 }, (_, n) => sampleBody(seed, n, Date.now()))
  const stop = new AbortController()
  const plan = { url: host.url.href, connections: 16, seconds: 3_600, bodies, rate: PER_SECOND }
  const sending = load(plan, undefined, stop.signal)
  try {
    await wait(1_500)
    await work()
  } finally {
    stop.abort()
  }
  const { requests, errors, perSecond } = await sending
  console.log(`sent ${requests} (${perSecond.toFixed(0)}/s), ${errors} failed`)
  if (errors > requests / 100) throw new Error(`${errors} of ${requests} deliveries were not taken.`)
}

async function browse(browser: Browser, host: Running, rows: number, add: Add): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  await watchWindow(page)
  await page.goto(await uiLink(host))
  await page.locator('[data-grid] [data-index]:not([aria-busy])').first().waitFor()
  await wait(2_000)
  await longTasks(page)
  await filters(page, FILTERS, rows, 'P8', 'new filter, kind + verdict', add)
  await filters(page, WORDS.slice(0, 6), rows, 'P9', 'text', add)
  await page.locator('[data-grid]').press('Home')
  await wait(10_000)
  const tasks = await longTasks(page)
  add('P11', 'longest task of the window', '≤ 50 ms', 'ms', [Math.max(0, ...tasks)])
  add('P11', 'tasks over 50 ms', '0', '', [tasks.length])
  add('P11', 'memory of the window at the end', '≤ 150 MB', 'MB', [await heap(page)])
  await page.close()
}

async function filters(
  page: Page,
  texts: readonly string[],
  rows: number,
  row: string,
  what: string,
  add: Add,
): Promise<void> {
  const shown: number[] = []
  const counted: number[] = []
  for (const text of texts) {
    const one = await filterBy(page, text)
    console.log(`${text}: rows ${one.rows.toFixed(0)} ms, all ${one.total} ${one.count.toFixed(0)} ms`)
    shown.push(one.rows)
    counted.push(one.count)
    await clearFilter(page, rows)
    await wait(300)
  }
  add(row, `${what}: first rows on screen`, '≤ 100 ms', 'ms', shown)
  add(row, `${what}: exact count on screen`, '≤ 100 ms', 'ms', counted)
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_048_576
}
