import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { installedChromium } from '../support/find-chromium.mjs'
import { wheel } from './browse-page.ts'
import { invoiceBody } from './event.ts'
import { type Figure, percentile, report } from './report.ts'
import { startAcuse, uiLink } from './servers.ts'

const PER_SECOND = 500
const SECONDS = 10

/**
 * Row P6: time from the first byte that the sender writes to the painted row, and to the painted verdict;
 * and frame times while scrolling, all at 500/s. At that rate a row is on screen for some 80 ms, so a verdict shows only when
 * analysis is faster. The share of rows that were seen at all is a separate figure.
 */
export async function live(repeats: number): Promise<void> {
  const rows: number[] = []
  const share: number[] = []
  const verdicts: number[] = []
  const frames: number[] = []
  const tasks: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const server = await startAcuse()
    const executablePath = installedChromium() ?? chromium.executablePath()
    const browser = await chromium.launch({ executablePath })
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(await uiLink(server))
    await post(server.url, uuid(-1))
    await page.getByRole('grid').waitFor()
    await watchRows(page)
    const sent = await sendSteadily(server.url)
    await wait(1_000)
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)
    const painted = delays(seen.rows, sent)
    rows.push(percentile(painted, 0.99))
    share.push((100 * painted.length) / sent.size)
    verdicts.push(percentile(delays(seen.verdicts, sent), 0.99))
    tasks.push(seen.longestTask)
    frames.push(await scrollFrames(page, server.url))
    console.log(
      `repeat ${repeat + 1}: ${painted.length} rows seen, median ${percentile(painted, 0.5)} ms, p99 ${rows.at(-1)} ms; ` +
        `with verdict ${verdicts.at(-1)} ms; longest task ${tasks.at(-1)?.toFixed(0)} ms; frames p95 ${frames.at(-1)?.toFixed(1)} ms`,
    )
    await browser.close()
    await server.stop()
  }
  const figures: Figure[] = [
    ['P6', `wire to row on screen at ${PER_SECOND}/s, p99`, '≤ 150 ms', 'ms', rows],
    ['P6', 'rows seen, of those sent', '', '%', share],
    ['P6', 'wire to verdict on screen, p99 of those seen', '', 'ms', verdicts],
    ['P6', 'frames while scrolling, p95', '≤ 20 ms', 'ms', frames],
    ['P6', 'longest task of the window meanwhile', '≤ 50 ms', 'ms', tasks],
  ]
  report('live', figures, { rows, share, verdicts, frames, tasks })
}

interface Seen {
  /** Milliseconds since the epoch, by the first eight characters of the document id. */
  readonly rows: Record<string, number>
  readonly verdicts: Record<string, number>
  readonly longestTask: number
}

function delays(seen: Record<string, number>, sent: ReadonlyMap<string, number>): number[] {
  return Object.entries(seen).flatMap(([id, at]) => (sent.has(id) ? [at - (sent.get(id) ?? at)] : []))
}

/** @returns the time of each request, by the first eight characters of the document id */
async function sendSteadily(url: URL): Promise<Map<string, number>> {
  const sent = new Map<string, number>()
  const from = performance.now()
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    const early = from + (n * 1000) / PER_SECOND - performance.now()
    if (early > 1) await wait(early)
    const id = uuid(n)
    sent.set(id.slice(0, 8), Date.now())
    void post(url, id)
  }
  return sent
}

const uuid = (n: number) =>
  createHash('sha1')
    .update(String(n))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

function post(url: URL, documentId: string): Promise<void> {
  // The path identifies a row before analysis. Without a Number the row shows the document id after analysis.
  const event = JSON.parse(invoiceBody(documentId)) as { data: { Number?: string } }
  delete event.data.Number
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((done) => {
    const sending = request(new URL(`?${documentId.slice(0, 8)}`, url), { method: 'POST', headers })
    sending.on('response', (answer) => answer.resume().on('end', done))
    sending.on('error', () => done())
    sending.end(body)
  })
}

/** Records at the frame after each change of the grid which rows, and which verdicts, are new on the screen. */
async function watchRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = {
      rows: {} as Record<string, number>,
      verdicts: {} as Record<string, number>,
      longestTask: 0,
    }
    Object.assign(globalThis, { seen })
    const grid = document.querySelector('[role="grid"]')
    let noting = false
    const note = () => {
      noting = false
      const now = Date.now()
      const text = grid?.textContent ?? ''
      for (const [, id] of text.matchAll(/\?([0-9a-f]{8})/g)) seen.rows[id ?? ''] ??= now
      for (const [id] of text.matchAll(/(?<!\?)[0-9a-f]{8}(?=[…-])/g)) seen.verdicts[id] ??= now
    }
    const changed = () => {
      if (!noting) requestAnimationFrame(note)
      noting = true
    }
    if (grid)
      new MutationObserver(changed).observe(grid, { childList: true, subtree: true, characterData: true })
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration)
    }).observe({ type: 'longtask' })
  })
}

async function scrollFrames(page: Page, url: URL): Promise<number> {
  let sending = true
  const feed = (async () => {
    for (let n = 0; sending; n++) {
      void post(url, uuid(1_000_000 + n))
      await wait(1000 / PER_SECOND)
    }
  })()
  const times = await wheel(page)
  sending = false
  await feed
  return percentile(times, 0.95)
}
