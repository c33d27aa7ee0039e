import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { openings } from './browse-opening.ts'
import {
  askHost,
  clearFilter,
  filterBy,
  firstRows,
  frameTimes,
  longTasks,
  scrollAbout,
  watchWindow,
  wheel,
} from './browse-page.ts'
import { PAIRS, percentile, WORDS } from './browse-store.ts'
import type { Figure } from './report.ts'
import { type Running, startAcuse, uiLink } from './servers.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Of which the browser compiles at the first, keeps what it compiled at the second, and has it from the third on. */
const OPENINGS = 4
const VIEWPORT = { width: 1280, height: 800 }
const PER_SECOND = 200
const DAY_MS = 86_400_000
/** Selects less than half of everything, and more than a few. */
const FILTERS = [
  PAIRS[3],
  PAIRS[5],
  PAIRS[7],
  'kind:gasto.* verdict:valid',
  'kind:dgii.rechazado verdict:>=warning',
]
const SCANNED = ['header.content-length:212', '$.data.Accounting.Total:>249000']
/** A search opens a million bodies. */
const PATIENCE_MS = 120_000

type Add = (...figure: Figure) => void

/** The real host and the real window on that store, which grows meanwhile: 200 deliveries a second (P7 to P11). */
export async function browseWindow(folder: string, rows: number, repeats: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const add: Add = (...figure) => figures.push(figure)
  const browser = await chromium.launch({ executablePath: CHROMIUM })
  const baseline: number[] = []
  const listening: number[] = []
  const shown: number[] = []
  const again: number[] = []
  const longAgain: number[] = []
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      baseline.push(await timed(() => once(spawn(process.execPath, ['-e', '0']), 'exit')))
      const { host, ms } = await startHost(folder)
      listening.push(ms)
      await withSender(host, async () => {
        const [first, , ...later] = await openings(CHROMIUM, () => uiLink(host), OPENINGS)
        shown.push(first?.firstRows ?? Number.NaN)
        again.push(...later.map(({ firstRows: ms }) => ms))
        longAgain.push(...later.map(({ longTasks: tasks }) => Math.max(0, ...tasks)))
        if (repeat < repeats - 1) return
        const page = await opened(browser, host)
        await browse(page, host, rows, add)
        await page.context().close()
      })
      await host.stop()
    }
  } finally {
    await browser.close()
  }
  const start = listening.map((ms, at) => ms - (baseline[at] ?? 0))
  const whole = listening.map((ms, at) => ms + (shown[at] ?? 0))
  return [
    ['P7', 'node -e 0', '', 'ms', baseline],
    ['P7', 'host: start to listening, less node -e 0', '≤ 400 ms', 'ms', start],
    ['P7', 'window: load to first rows, in a browser that was never there', '', 'ms', shown],
    ['P7', 'window opened again: first rows', '≤ 300 ms', 'ms', again],
    ['P11', 'longest task of a window opened again', '≤ 50 ms', 'ms', longAgain],
    ['P7', 'host started, window opened: first rows', '', 'ms', whole],
    ...figures,
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function startHost(folder: string): Promise<{ host: Running; ms: number }> {
  const began = performance.now()
  const host = await startAcuse({ keep: true }, folder)
  return { host, ms: performance.now() - began }
}

async function opened(browser: Browser, host: Running): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT })
  await watchWindow(page)
  await page.goto(await uiLink(host))
  await firstRows(page)
  return page
}

async function withSender(host: Running, work: () => Promise<void>): Promise<void> {
  const script = join(import.meta.dirname, 'browse-sender.ts')
  const sender: ChildProcess = spawn(process.execPath, [script, host.url.href, String(PER_SECOND)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  sender.stdout?.on('data', (part) => {
    said += part
  })
  const ended = once(sender, 'close')
  try {
    await wait(1_500)
    await work()
  } finally {
    sender.kill('SIGTERM')
    await ended
  }
  const { sent, failed, seconds } = JSON.parse(said) as { sent: number; failed: number; seconds: number }
  console.log(`sent ${sent} in ${seconds.toFixed(1)} s (${(sent / seconds).toFixed(0)}/s), ${failed} failed`)
  if (failed > sent / 100) throw new Error(`${failed} of ${sent} deliveries were not taken.`)
}

/** One after the other, as somebody might who looks for something. */
async function browse(page: Page, host: Running, rows: number, add: Add): Promise<void> {
  await wait(2_000)
  const still = await frameTimes(page, 180)
  add('P6', 'frames while following, 95th percentile', '≤ 20 ms', 'ms', [percentile(still, 0.95)])
  add('P11', 'work of the window while following', '', 'ms/s', [await windowWork(page, 5)])
  add('P11', 'work of the host while following', '', 'ms/s', [await hostWork(host, 5)])
  await longTasks(page)
  const tasks: number[] = []
  const note = async () => tasks.push(...(await longTasks(page)))

  await filters(page, FILTERS.map(String), rows, 'P8', 'new filter, kind + verdict', add)
  await note()
  await filters(page, WORDS.slice(0, 6), rows, 'P9', 'text', add)
  await note()
  await filters(page, SCANNED, rows, 'E', 'filter that opens deliveries', add)
  await note()

  const jumps = await scrollAbout(page, 30)
  add('P11', 'scroll bar put to random places: blank, 95th percentile', '', 'ms', [percentile(jumps, 0.95)])
  add('P11', 'scroll bar put to random places: longest blank', '≤ 100 ms', 'ms', [Math.max(...jumps)])
  await note()
  const frames = await wheel(page)
  add('P6', 'frames while scrolling, 95th percentile', '≤ 20 ms', 'ms', [percentile(frames, 0.95)])
  await note()
  const asked = Array.from({ length: 60 }, (_, n) => {
    const from = Date.now() - (2 + (n % 27)) * DAY_MS
    return { from, to: from + DAY_MS, bucketMs: 300_000, by: n % 2 ? 'group' : 'verdict', filter: '' }
  })
  add('P10', 'timeline of a day, asked by the window: median', '', 'ms', [
    percentile(await askHost(page, 'timeline.get', asked), 0.5),
  ])
  const orders = (['size', 'document', 'kind'] as const).map((by) => {
    return { filter: '', from: 'newest', limit: 200, sort: { by, descending: true } }
  })
  add(
    'E3',
    'first answer to a new order, asked by the window',
    '',
    'ms',
    await askHost(page, 'deliveries.page', orders),
  )
  await page.locator('[data-grid]').press('Home')
  await wait(10_000)
  await note()
  add('P11', 'longest task of the window', '≤ 50 ms', 'ms', [Math.max(0, ...tasks)])
  add('P11', 'tasks over 50 ms', '0', '', [tasks.length])
  add('P11', 'memory of the window at the end', '≤ 150 MB', 'MB', [await heap(page)])
}

async function filters(
  page: Page,
  texts: readonly string[],
  rows: number,
  row: string,
  what: string,
  add: Add,
): Promise<void> {
  const took = []
  for (const text of texts) {
    const one = await filterBy(page, text, PATIENCE_MS)
    console.log(`${text}: rows ${one.rows.toFixed(0)} ms, all ${one.total} ${one.count.toFixed(0)} ms`)
    took.push(one)
    await clearFilter(page, rows)
    await wait(300)
  }
  const aim = row === 'E' ? '' : '≤ 100 ms'
  add(
    row,
    `${what}: first rows on screen`,
    aim,
    'ms',
    took.map(({ rows: ms }) => ms),
  )
  add(
    row,
    `${what}: exact count on screen`,
    aim,
    'ms',
    took.map(({ count }) => count),
  )
}

/** @returns milliseconds of processor time of the window's thread, each second */
async function windowWork(page: Page, seconds: number): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await worked()
  await wait(seconds * 1_000)
  const after = await worked()
  await session.detach()
  return ((after - before) / seconds) * 1_000
}

/** @returns milliseconds of processor time of all the host's threads, each second; only Linux tells */
async function hostWork({ child }: Running, seconds: number): Promise<number> {
  const worked = () => {
    const [, times = ''] = /\) (.*)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8')) ?? []
    const [user, system] = times.split(' ').slice(11, 13).map(Number)
    return ((user ?? 0) + (system ?? 0)) * 10
  }
  if (process.platform !== 'linux') return Number.NaN
  const before = worked()
  await wait(seconds * 1_000)
  return (worked() - before) / seconds
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1_048_576
}
