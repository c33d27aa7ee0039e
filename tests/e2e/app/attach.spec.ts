import { connect, createServer, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { anEvent } from '../../support/events.ts'
import { spawnCli, startHost } from '../../support/host.ts'
import { opened } from '../../support/listening-port.ts'
import { type App, expect, list, rows, test } from './app.ts'

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
  await second.stop()
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
    tunnel.cut()
    await delivering
    // The session lasts: the window connects again by itself, or at once when the user asks.
    await says(page, 'No connection to')
    await reconnect(page)
    await says(page, 'Attached to')
  }
  await expect(list(page)).toHaveAttribute('aria-rowcount', String(sent + 1))
  expect(await numbersShown(page, sent)).toEqual(Array.from({ length: sent }, (_, n) => n + 1))
})
