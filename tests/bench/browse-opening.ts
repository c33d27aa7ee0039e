import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { words } from '../support/words.ts'

/** The mark that `late-popup.tsx` of the window sets; Node cannot load that file. */
const FIRST_DRAW = 'acuse-first-draw'
/** Long enough for the window to draw and load its late parts, and for the browser to cache the compiled code. */
const LOOKED_AT_MS = 3_000
/** Time after which a new tab has its process. */
const SETTLED_MS = 500
const TIMEOUT_MS = 60_000

export interface Opening {
  /** Milliseconds from the start of loading until the rows are drawn. */
  readonly firstRows: number
  /** Durations of the tasks over 50 ms, milliseconds. */
  readonly longTasks: readonly number[]
}

/**
 * Opens the window `times` times in sequence, each in a new tab of a browser with a fresh profile. No DevTools client is attached to the
 * tab while it loads, since recording each request would cost the page tens of milliseconds.
 * @param links single-use addresses of the window
 */
export async function openings(
  executable: string,
  links: () => Promise<string>,
  times: number,
): Promise<Opening[]> {
  const profile = mkdtempSync(join(tmpdir(), 'acuse-profile-'))
  const unsandboxed = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = words`--headless --remote-debugging-port=0 --user-data-dir=${profile} --no-first-run
    --window-size=1280,887 ${unsandboxed} about:blank`
  const browser = spawn(executable, args, { stdio: 'ignore', detached: true })
  try {
    const tools = `http://127.0.0.1:${await toolsPort(browser, profile)}`
    const seen: Opening[] = []
    for (let time = 0; time < times; time++) seen.push(await opening(tools, await links()))
    return seen
  } finally {
    // Its whole group: some systems start Chromium from a script, which would leave the browser running.
    if (browser.pid) process.kill(-browser.pid)
    if (browser.exitCode === null) await once(browser, 'exit')
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function toolsPort(browser: ChildProcess, profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (const began = performance.now(); performance.now() - began < TIMEOUT_MS; await wait(50)) {
    const port = existsSync(file) ? readFileSync(file, 'utf8').split('\n', 1)[0] : ''
    if (port) return port
    if (browser.exitCode !== null) break
  }
  throw new Error('Chromium did not start.')
}

async function navigate(tab: string, url: string): Promise<void> {
  const socket = new WebSocket(tab)
  await new Promise((opened) => socket.addEventListener('open', opened))
  socket.send(JSON.stringify({ id: 1, method: 'Page.navigate', params: { url } }))
  await new Promise((answered) => socket.addEventListener('message', answered, { once: true }))
  socket.close()
}

async function opening(tools: string, link: string): Promise<Opening> {
  const answer = await fetch(`${tools}/json/new?about:blank`, { method: 'PUT' })
  const { id, webSocketDebuggerUrl } = (await answer.json()) as { id: string; webSocketDebuggerUrl: string }
  await wait(SETTLED_MS)
  await navigate(webSocketDebuggerUrl, link)
  await wait(LOOKED_AT_MS)
  const attached = await chromium.connectOverCDP(tools)
  try {
    const { origin } = new URL(link)
    const page = attached
      .contexts()
      .flatMap((context) => context.pages())
      .find((one) => one.url().startsWith(origin))
    if (!page) throw new Error('The window did not open.')
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, FIRST_DRAW, {
      timeout: TIMEOUT_MS,
    })
    return await page.evaluate(
      (mark) =>
        new Promise<Opening>((done) => {
          const firstRows = performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN
          const tasks: number[] = []
          new PerformanceObserver((entries) => {
            for (const { duration } of entries.getEntries()) tasks.push(duration)
          }).observe({ type: 'longtask', buffered: true })
          setTimeout(() => done({ firstRows, longTasks: tasks }), 200)
        }),
      FIRST_DRAW,
    )
  } finally {
    await attached.close()
    await fetch(`${tools}/json/close/${id}`)
    await wait(300)
  }
}
