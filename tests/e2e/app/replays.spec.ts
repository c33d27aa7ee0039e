import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, rows, test } from './app.ts'

interface Got {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: readonly string[]
}

/** The code under work: answers 200 with a number that rises, or what `status` says. */
async function startTarget(): Promise<{
  url: string
  got: Got[]
  status: (now: number) => void
  server: Server
}> {
  const got: Got[] = []
  let status = 200
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request
      got.push({ method, url, body: Buffer.concat(pieces).toString(), headers: rawHeaders })
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"ok":true}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, got, status: (now) => (status = now), server }
}

async function addTarget(window: Page, name: string, url: string): Promise<void> {
  await window.evaluate(() => {
    location.hash = '#/settings/targets'
  })
  await window.getByRole('button', { name: 'Add target' }).click()
  await window.getByLabel('Name', { exact: true }).fill(name)
  await window.getByRole('dialog').getByLabel('URL').fill(url)
  await window.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(window.getByRole('dialog')).toHaveCount(0)
  await window.evaluate(() => {
    location.hash = '#/stream'
  })
}

const EVENT = '{"Event":"customer.created","Timestamp":"2026-11-20T10:00:00-04:00","data":{"StatusId":1}}'

test('a delivery is sent again as it came, then edited, and both attempts are there with their answers', async ({
  app,
  window,
}) => {
  const target = await startTarget()
  try {
    await app.deliver('POST', '/?source=erp', EVENT)
    await addTarget(window, 'app', target.url)
    await rows(window).first().click()
    await window.keyboard.press('r')
    await window.getByRole('button', { name: 'Open attempt' }).click()
    await expect(window.getByText('Answer 200 OK')).toBeVisible()
    expect(target.got).toHaveLength(1)
    expect(target.got[0]).toMatchObject({ method: 'POST', url: '/hook?source=erp', body: EVENT })
    expect(target.got[0]?.headers).toContain('X-Acuse-Replay')
    await window.keyboard.press('Shift+R')
    await window.getByRole('textbox', { name: 'Body to send' }).fill('{"Event":"customer.created"}')
    await window.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await window.getByRole('button', { name: 'Open attempt' }).click()
    await window.getByRole('button', { name: 'Compare with the original' }).click()
    await expect(window.getByRole('region', { name: 'Comparison' })).toBeVisible()
    await expect.poll(() => target.got[1]?.body).toBe('{"Event":"customer.created"}')
    await window.keyboard.press('Escape')
    await window.getByRole('button', { name: 'Back to the attempts' }).click()
    await expect(window.getByRole('grid', { name: 'Attempts, newest first' }).getByRole('row')).toHaveCount(2)
  } finally {
    target.server.close()
  }
})

test('a job sends everything in order, its failures are sent again, and a forward goes on live', async ({
  app,
  window,
}) => {
  const target = await startTarget()
  try {
    for (let n = 0; n < 12; n++) await app.deliver('POST', `/?n=${n}`, EVENT)
    await addTarget(window, 'app', target.url)
    target.status(500)
    await window.evaluate(() => {
      location.hash = '#/replays'
    })
    await window.getByRole('button', { name: 'New job' }).first().click()
    await window.getByRole('button', { name: 'Send 12 deliveries' }).click()
    const job = window.getByRole('region', { name: 'Job 1' })
    await expect(job.getByText('12 failed')).toBeVisible()
    expect(target.got.map(({ url }) => url)).toEqual(Array.from({ length: 12 }, (_, n) => `/hook?n=${n}`))
    target.status(200)
    await job.getByRole('button', { name: 'Retry failed' }).click()
    await expect.poll(() => target.got.length).toBe(24)
    await expect(job.getByText('12 of 12')).toBeVisible()
    await expect(job.getByText('12 failed')).toHaveCount(0)
    await window.getByRole('link', { name: /Live forwards/ }).click()
    await window.getByRole('button', { name: 'New forward' }).first().click()
    await window.getByRole('dialog').getByLabel('Name').fill('erp')
    await window.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(window.getByText('up to date')).toBeVisible()
    await app.deliver('POST', '/?live=1', EVENT)
    await expect(window.getByText('1 sent')).toBeVisible()
    expect(target.got.at(-1)?.url).toBe('/hook?live=1')
    await expect(window.getByRole('grid', { name: 'Attempts, newest first' }).getByRole('row')).toHaveCount(1)
  } finally {
    target.server.close()
  }
})

test('a fault decides the answer while it is active, and the delivery says so', async ({ app, window }) => {
  await window.evaluate(() => {
    location.hash = '#/settings/faults'
  })
  await window.getByRole('button', { name: 'Add fault' }).click()
  await window.getByRole('dialog').getByLabel('Only the next').fill('1')
  await window.getByRole('dialog').getByRole('button', { name: 'Begin' }).click()
  await expect(window.getByRole('button', { name: '1 fault active' })).toBeVisible()
  expect(await app.deliver('POST', '/', EVENT)).toBe(503)
  await expect(window.getByRole('button', { name: /fault active/ })).toHaveCount(0)
  await window.evaluate(() => {
    location.hash = '#/stream'
  })
  await rows(window).first().click()
  await window.getByRole('tab', { name: 'Answer' }).click()
  await expect(window.getByText('a fault: another status')).toBeVisible()
  expect(await app.deliver('POST', '/', EVENT)).toBe(200)
})
