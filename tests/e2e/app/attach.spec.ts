import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import type { Page } from '@playwright/test'
import { anEvent } from '../../support/events.ts'
import { spawnCli, startHost } from '../../support/host.ts'
import { opened, takenPort } from '../../support/listening-port.ts'
import { type App, expect, list, problemsOf, rows, test } from './app.ts'

/** A tunnel to the host, as `ssh -L` makes it, whose connections the test cuts. */
async function tunnelTo(port: number) {
  const ends = new Set<Socket>()
  let up = true
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    from.pipe(to).pipe(from)
    for (const end of [from, to]) {
      ends.add(end)
      end.on('error', () => end.destroy())
      end.on('close', () => {
        ends.delete(end)
        from.destroy()
        to.destroy()
      })
    }
    if (!up) from.destroy()
  })
  const cut = () => {
    for (const end of ends) end.resetAndDestroy()
  }
  return {
    address: `http://127.0.0.1:${await opened(server)}`,
    cut,
    /** Refuses connections until `up` is true again. */
    switch(to: boolean) {
      up = to
      if (!up) cut()
    },
    close() {
      server.close()
      cut()
    },
  }
}

/** Attaches a window to the host through a tunnel, and opens it. */
async function attached(app: App, page: Page) {
  const { url } = await app.client.call('ui.link', {})
  const tunnel = await tunnelTo(Number(new URL(url).port))
  const command = spawnCli(['attach', tunnel.address, '--port', '0', '--no-open', '--json'])
  command.stdin.end(`${url}\n`)
  const ready = await new Promise<string>((resolve, reject) => {
    command.stdout.once('data', (line) => resolve(String(line)))
    command.once('exit', () => reject(new Error('acuse attach ended')))
  })
  const { ui, attachedTo }: { ui: string; attachedTo: string } = JSON.parse(ready)
  expect(attachedTo).toBe(tunnel.address)
  await page.goto(ui)
  return {
    tunnel,
    async [Symbol.asyncDispose]() {
      command.kill('SIGTERM')
      tunnel.close()
    },
  }
}

const says = (page: Page, sentence: string) => expect(page.getByText(sentence)).toBeVisible()
/** The window may have connected again by itself. */
const reconnect = (page: Page) =>
  page
    .getByRole('button', { name: 'Reconnect now' })
    .click({ timeout: 1_000 })
    .catch(() => {})
const numbered = (n: number) =>
  JSON.stringify(anEvent('factura.created', { data: { Number: `E31${String(n).padStart(10, '0')}` } }))

/** Scrolls from the newest row to the oldest. @returns the number of the document in each row, by the row's position */
async function numbersShown(page: Page, count: number): Promise<readonly number[]> {
  const seen = new Map<string, number>()
  await page.keyboard.press('Home')
  await expect(async () => {
    const found = await rows(page).evaluateAll((all) =>
      all.map((row) => [row.getAttribute('data-index') ?? '', row.textContent ?? ''] as const),
    )
    for (const [at, text] of found) {
      const [, number] = /E31(\d{10})/.exec(text) ?? []
      if (number !== undefined) seen.set(at, Number(number))
    }
    await list(page).hover()
    await page.mouse.wheel(0, 300)
    expect(seen.size).toBe(count)
  }).toPass({ intervals: [50] })
  return [...seen.values()].sort((a, b) => a - b)
}

test('an attached window says whose data it shows, when the connection is lost, and that a session has ended', async ({
  app,
  page,
}) => {
  await using window = await attached(app, page)
  const { address } = window.tunnel
  await app.deliver('POST', '/', numbered(1))
  await expect(list(page)).toHaveAttribute('aria-rowcount', '2')
  await says(page, `Attached to ${address}.`)
  expect(page.url()).not.toContain('token')

  window.tunnel.switch(false)
  await says(page, `No connection to ${address}.`)
  await expect(page.getByText('Disconnected from Acuse')).toHaveCount(0)
  await app.deliver('POST', '/', numbered(2))
  window.tunnel.switch(true)
  await reconnect(page)
  await says(page, `Attached to ${address}.`)
  await expect(list(page)).toHaveAttribute('aria-rowcount', '3')

  const { port } = new URL((await app.client.call('ui.link', {})).url)
  await app.host.stop()
  const second = await startHost({ dataDir: app.host.dataDir, args: ['--ui-port', port] })
  await says(page, `The session with ${address} has ended`)
  await page.goto(`${page.url().split('#')[0]}#/settings`)
  await page.reload()
  await says(page, `The session with ${address} has ended`)
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await second.stop()
})

const tls = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../fixtures/tls', `self-signed-${name}.pem`))

test('the window opens under a public HTTPS name behind a proxy, live, and under no other name', async ({
  browser,
}) => {
  let to = 0
  const proxy = createTlsServer({ cert: tls('certificate'), key: tls('key') }, (from) => {
    const end = connect(to, '127.0.0.1')
    from.pipe(end).pipe(from)
    for (const one of [from, end]) one.on('error', () => one.destroy())
  })
  const port = await opened(proxy)
  const origin = `https://acuse.localhost:${port}`
  const free = await takenPort()
  const uiPort = free.port
  free[Symbol.dispose]()
  const host = await startHost({ args: ['--origin', origin, '--ui-port', String(uiPort)] })
  to = uiPort
  expect(host.uiUrl).toContain(`${origin}/#token=`)
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  const problems = problemsOf(page)
  await page.goto(host.uiUrl)
  for (const n of [1, 2]) {
    await fetch(host.receiverUrl, { method: 'POST', body: numbered(n) })
    await expect(list(page)).toHaveAttribute('aria-rowcount', String(n + 1))
  }
  expect(page.url()).toBe(`${origin}/`)
  expect(problems).toEqual([])
  const other = await context.newPage()
  const answer = await other.goto(`https://other.localhost:${port}/`)
  expect(answer?.status()).toBe(403)
  await context.close()
  await host.stop()
  proxy.close()
})

const CUTS = 100

test('100 cut connections: an attached window misses no row and shows none twice @long', async ({
  app,
  page,
}) => {
  test.setTimeout(300_000)
  await using window = await attached(app, page)
  const { tunnel } = window
  await says(page, 'Attached to')
  let sent = 0
  const deliver = async (count: number) => {
    for (const last = sent + count; sent < last; ) {
      sent += 1
      expect(await app.deliver('POST', '/', numbered(sent))).toBe(200)
    }
  }
  for (let cut = 0; cut < CUTS; cut += 1) {
    const delivering = deliver(4)
    // At different moments: within pushes, between them, and while the window reads its snapshot.
    await page.waitForTimeout((cut * 7) % 40)
    // Awaited from before the cut: the window may connect again by itself while deliveries are sent.
    const lost = page.getByText('No connection to').waitFor()
    tunnel.cut()
    await Promise.all([delivering, lost])
    // The session lasts: the window connects again by itself, or at once when the user asks.
    await reconnect(page)
    await says(page, 'Attached to')
  }
  await expect(list(page)).toHaveAttribute('aria-rowcount', String(sent + 1))
  expect(await numbersShown(page, sent)).toEqual(Array.from({ length: sent }, (_, n) => n + 1))
})
