import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import blns from 'big-list-of-naughty-strings' with { type: 'json' }
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { isTag, tagOf } from '#contract/tags.ts'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { openDesktop } from '../../support/desktop.ts'
import { aUuid } from '../../support/events.ts'
import { opened } from '../../support/listening-port.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { goTo } from '../window/window.ts'
import { expect, list, problemsOf, rows, test } from './app.ts'

/** A text that the product never contains. */
const RUN = 'alert(document.domain)'
const VECTORS = [
  ...['img', 'svg', 'body', 'iframe', 'video', 'audio', 'input', 'details', 'marquee', 'object', 'math'],
  ...['a', 'button', 'form', 'select', 'textarea', 'style', 'link', 'embed', 'template', 'xss'],
].flatMap((tag) => [
  `<${tag} src=x onerror=${RUN} onload=${RUN}>`,
  `"><${tag} autofocus tabindex=0 onfocus=${RUN} ontoggle=${RUN} open>`,
  `'><${tag} style="animation-name:x" onanimationstart="${RUN}" href="javascript:${RUN}">`,
  `</${tag}><script>${RUN}</script>`,
  `<${tag} srcdoc="&lt;script&gt;${RUN}&lt;/script&gt;" data="data:text/html,<script>${RUN}</script>">`,
  `<${tag} background=http://198.51.100.1/a src=//198.51.100.1/b srcset="http://198.51.100.1/c 1x">`,
  `<${tag.toUpperCase()}/ONPOINTERENTER=${RUN}//\u0000<ScRiPt>${RUN}`,
])
/** Elements that load or navigate without an event, templates, and characters that reorder others. */
const FURTHER = [
  '<a href="http://198.51.100.1/">x</a>',
  '<link rel=stylesheet href=http://198.51.100.1/x.css>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Egpj.exe\u202C \u0000\u001b[31mred\u0007',
  '</title></textarea></style></noscript><img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>">',
  '<meta http-equiv=refresh content="0;url=http://198.51.100.1/">',
  '<base href="http://198.51.100.1/"><form action="http://198.51.100.1/"><button>x',
  '<style>@import "http://198.51.100.1/x.css";*{background:url(http://198.51.100.1/)}</style>',
  '<img srcset="http://198.51.100.1/ 1x"><link rel=prefetch href=http://198.51.100.1/>',
  '[x](javascript:alert(1)) ![x](http://198.51.100.1/x.png)',
  '<%= 7*7 %> #{7*7} {{7*7}} {% x %}',
  '\u2028\u2029\uFEFF\u200B&lt;script&gt;alert(1)&lt;/script&gt;',
]
const STRINGS = [...blns, ...VECTORS, ...FURTHER]
/** Strings per field: few enough that each fits whole, many enough that the test can open every tab of every delivery. */
const TOGETHER = 32
const TEXTS = Array.from({ length: Math.ceil(STRINGS.length / TOGETHER) }, (_, i) =>
  STRINGS.slice(i * TOGETHER, (i + 1) * TOGETHER)
    .join(' ')
    .toWellFormed(),
)
const headerOf = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 16_000)
const ACCOUNTING = { IssuedAt: '2026-11-20T10:00:00-04:00' }

/** A target, a subscription's receiver and a sync service in one; all answers consist of these strings. */
async function hostileServer() {
  const items = TEXTS.map((text, n) => ({
    ...{ DocumentId: aUuid(n), Number: text, StatusId: 5, CustomerName: text, UpdatedAt: text },
    Accounting: { ...ACCOUNTING, Total: text, CurrencyCode: text, [text]: text },
  }))
  let answered = 0
  const server = createServer((request, response) => {
    request.resume()
    const text = TEXTS[answered++ % TEXTS.length] ?? ''
    const synced = request.url?.includes('accounting-sync')
    response.writeHead(200, headerOf(text).slice(0, 200), {
      ...{ 'X-Naughty': headerOf(text), 'Content-Type': synced ? 'application/json' : 'text/html' },
    })
    response.end(synced ? JSON.stringify({ items, count: items.length, hasMore: false }) : text)
  })
  return {
    url: `http://127.0.0.1:${await opened(server)}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Puts the strings into every field that a sender, a user, a target or a sync service can fill. @returns the sweep's id */
async function fill(call: LocalClient['call'], port: number, url: string): Promise<number> {
  for (const [n, text] of TEXTS.entries()) {
    const target = encodeURIComponent(text)
    const line = Object.fromEntries(['Code', 'Description', 'UnitPrice', text].map((name) => [name, text]))
    const body = JSON.stringify({
      ...{ Event: n % 4 === 0 ? text : 'factura.created', [text]: text },
      Timestamp: n % 4 === 1 ? text : '2026-11-20T10:00:00-04:00',
      data: {
        ...{ DocumentId: n % 4 === 2 ? text : aUuid(n), Number: text },
        ...{ CustomerName: text, CustomerTaxId: text, CustomerEmail: text, StatusId: text },
        ...{ Lines: [line], [text]: text },
        Accounting: { ...ACCOUNTING, Total: text, CurrencyCode: text, [text]: text },
      },
    })
    const header = headerOf(text)
    const headers = ['Content-Type', n % 4 === 3 ? header : 'application/json', 'X-Naughty', header]
    const all = [...headers, 'Referer', header, 'Cookie', header]
    await raw({ port }, requestBytes('POST', `/${target}?${target}=${target}`, body, all))
    const tags = STRINGS.slice(n * TOGETHER, (n + 1) * TOGETHER)
      .map((one) => tagOf([...one.replaceAll(/[\s,"'()*]/gu, '_').toWellFormed()].slice(0, 40).join('')))
      .filter(isTag)
    const note = text.replaceAll('\u0000', '').slice(0, 2_000)
    await call('deliveries.annotate', { ids: [n + 1], note, addTags: tags.slice(0, 3) })
  }
  expect(await call('deliveries.settled', { timeoutMs: 60_000 })).toMatchObject({ unjudged: 0 })
  await call('filters.save', { name: 'naughty', filter: `"${VECTORS[0]?.replaceAll('"', '')}"` })
  for (let n = 1; n <= 8; n++) await call('replay.send', { delivery: n, to: { target: url } })
  await call('sandbox.start', {})
  const { id: subscription } = await call('sandbox.save-subscription', { name: VECTORS[1] ?? '', url })
  for (let n = 0; n < 8; n++) await call('sandbox.test-subscription', { id: subscription })
  const { apiKey: _key, pluginToken: _token, ...connection } = DEFAULT_CONNECTION
  await call('connections.save', { ...connection, name: 'main', baseUrl: url, apiKey: 'k' })
  const dates = { from: '2026-11-20', to: '2026-11-20' }
  const range = { route: 'accounting', ...dates, documentTypeId: null, pageSize: 200 } as const
  const { id: sweep } = await call('sweeps.start', { connection: 'main', range })
  await expect.poll(async () => (await call('sweeps.get', { id: sweep })).state).not.toBe('running')
  return sweep
}

/** Records scripts that ran, requests to other origins, and refusals by the policy. */
function watch(page: Page): string[] {
  const seen = problemsOf(page)
  const own = new URL(page.url()).host
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).host !== own)
      seen.push(request.url())
  })
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return seen
}

async function walk(page: Page, sweep: number): Promise<void> {
  const frames = (): Promise<unknown> =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const shows = async (place: string) => {
    await goTo(page, place)
    await expect(page.getByText(RUN).first(), `${place} shows one of the strings`).toBeAttached()
  }
  const down = async (key: string, count: number, each: () => Promise<unknown>) => {
    const chosen = new Set<string | null>()
    for (let n = 0; n < count; n++) {
      await each()
      const row = page.locator('[role="row"][aria-selected="true"]').first()
      chosen.add(await row.getAttribute('aria-rowindex'))
      await page.keyboard.press(key)
      await frames()
    }
    expect(chosen.size).toBe(count)
  }
  await expect(list(page)).toHaveAttribute('aria-rowcount', String(TEXTS.length + 1))
  await rows(page).first().click()
  const opened = new Set<string | null>()
  await down('j', TEXTS.length, async () => {
    const tabs = page.getByRole('tab')
    await tabs.first().focus()
    for (let at = await tabs.count(); at > 0; at--) {
      await page.keyboard.press(']')
      await frames()
      opened.add(await page.getByRole('tab', { selected: true }).first().textContent())
    }
    await list(page).focus()
  })
  expect(opened.size).toBeGreaterThan(10)
  for (const place of ['documents', `reconcile/sweep-${sweep}`]) {
    await shows(place)
    const grid = page.getByRole('grid').first()
    await grid.press('Home')
    await page.keyboard.press('Enter')
    const count = Number(await grid.getAttribute('aria-rowcount')) - 1
    expect(count).toBeGreaterThan(10)
    await down('ArrowDown', count, frames)
  }
  for (const place of ['sandbox/log', 'sandbox/subscriptions']) {
    await shows(place)
    for (const row of await page.locator('[role="row"][aria-selected]').all()) {
      if (await row.isVisible()) await row.click()
      await frames()
    }
  }
  for (const place of ['replays', 'drift', 'drift/factura.created', 'settings']) {
    await goTo(page, place)
    await expect(page.getByRole('heading').first()).toBeAttached()
    await frames()
  }
}

/** Inserts the same strings as markup, to show that `watch` reports them when a field is not only text. */
async function proveTrap(page: Page, seen: readonly string[]): Promise<void> {
  await page.evaluate((markup) => document.body.insertAdjacentHTML('beforeend', markup), VECTORS[0] ?? '')
  await expect.poll(() => seen.length).toBeGreaterThan(0)
}

async function holds(page: Page, call: LocalClient['call'], receiverUrl: string, uiUrl?: string) {
  test.setTimeout(240_000)
  await using server = await hostileServer()
  const sweep = await fill(call, Number(new URL(receiverUrl).port), server.url)
  if (uiUrl) await page.goto(uiUrl)
  const { host } = new URL(page.url())
  const seen = watch(page)
  await walk(page, sweep)
  expect([seen, new URL(page.url()).host]).toEqual([[], host])
  await proveTrap(page, seen)
}

const CLAIM = `${blns.length} naughty strings and ${VECTORS.length + FURTHER.length} vectors in every field that is shown run nothing, load nothing and break no policy`

test(`in the browser ${CLAIM}`, ({ app: { client, host }, page }) =>
  holds(page, client.call, host.receiverUrl, host.uiUrl))

test(`in the desktop app ${CLAIM}`, async () => {
  await using desktop = await openDesktop()
  const client = await connectLocal(desktop.dataDir)
  if (!client) throw new Error('the app does not answer on its local socket')
  try {
    await holds(desktop.page, client.call, desktop.receiverUrl)
  } finally {
    await client.close()
  }
})
