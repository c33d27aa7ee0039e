import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { invoiceBody } from './event.ts'
import { type Figure, report } from './report.ts'
import { startAcuse } from './servers.ts'

const PER_SECOND = 500
const SECONDS = 10

/** Row P6: from the first byte of a delivery leaving the sender to its row being painted, and frame times while scrolling, at 500/s. */
export async function live(repeats: number): Promise<void> {
  const wire: number[] = []
  const frames: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const server = await startAcuse()
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(await uiLink(server.dataDir ?? ''))
    await post(server.url, 'first')
    await page.getByRole('grid').waitFor()
    await watchRows(page)
    const sent = new Map<string, number>()
    const from = performance.now()
    for (let n = 0; n < PER_SECOND * SECONDS; n++) {
      const due = from + (n * 1000) / PER_SECOND
      if (due > performance.now()) await wait(due - performance.now())
      const id = uuid(n)
      sent.set(id.slice(0, 8), Date.now())
      void post(server.url, id)
    }
    await wait(1_000)
    const seen = await page.evaluate(
      () => (globalThis as unknown as { seenAt: Record<string, number> }).seenAt,
    )
    const delays = Object.entries(seen)
      .flatMap(([id, at]) => (sent.has(id) ? [at - (sent.get(id) ?? at)] : []))
      .sort((a, b) => a - b)
    wire.push(delays[Math.floor(delays.length * 0.99)] ?? Number.NaN)
    frames.push(await scrollFrames(page, server.url))
    console.log(
      `repeat ${repeat + 1}: ${delays.length} rows seen, p99 ${wire.at(-1)?.toFixed(0)} ms, frames p95 ${frames.at(-1)?.toFixed(1)} ms`,
    )
    await browser.close()
    await server.stop()
  }
  const figures: Figure[] = [
    {
      row: 'P6',
      what: `wire to pixel at ${PER_SECOND}/s, p99`,
      target: '≤ 150 ms',
      unit: 'ms',
      values: wire,
    },
    { row: 'P6', what: 'frames while scrolling, p95', target: '≤ 20 ms', unit: 'ms', values: frames },
  ]
  report('live', figures, { wire, frames })
}

async function uiLink(dataDir: string): Promise<string> {
  const { connectLocal } = await import('#hosts/local/client.ts')
  const client = await connectLocal(dataDir)
  if (!client) throw new Error('the host does not answer on its local socket')
  const { url } = await client.call('ui.link', {})
  await client.close()
  return url
}

const uuid = (n: number) =>
  createHash('sha1')
    .update(String(n))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

function post(url: URL, documentId: string): Promise<void> {
  // Without a Number the row shows the document id, by which the page can tell one delivery from the next.
  const event = JSON.parse(invoiceBody(documentId)) as { data: { Number?: string } }
  delete event.data.Number
  const body = JSON.stringify(event)
  return new Promise((done) => {
    const sending = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (answer) => {
        answer.resume().on('end', done)
      },
    )
    sending.on('error', () => done())
    sending.end(body)
  })
}

/** Notes, at the frame after each change of the grid, which document ids are on screen for the first time. */
async function watchRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seenAt: Record<string, number> = {}
    Object.assign(globalThis, { seenAt })
    const grid = document.querySelector('[role="grid"]')
    const note = () =>
      requestAnimationFrame(() => {
        const now = Date.now()
        for (const [id] of (grid?.textContent ?? '').matchAll(/[0-9a-f]{8}(?=…)/g)) seenAt[id] ??= now
      })
    if (grid)
      new MutationObserver(note).observe(grid, { childList: true, subtree: true, characterData: true })
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
  await page.getByRole('grid').hover()
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const times: number[] = []
        let last = performance.now()
        const step = (now: number) => {
          times.push(now - last)
          last = now
          if (times.length < 180) requestAnimationFrame(step)
          else done(times)
        }
        requestAnimationFrame(step)
      }),
  )
  for (let n = 0; n < 60; n++) {
    await page.mouse.wheel(0, 300)
    await wait(40)
  }
  const times = (await frames).sort((a, b) => a - b)
  sending = false
  await feed
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN
}
