import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { startHost } from '../../support/host.ts'
import { opened } from '../../support/listening-port.ts'
import { type App, expect, list, test } from './app.ts'

const originOf = (app: App) => new URL(app.host.uiUrl).origin
const keyIn = (page: Page) => page.evaluate(() => localStorage.getItem('acuse.session'))
const inside = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
const closed = (page: Page) => page.getByText('This browser is not signed in to Acuse')
const freshLink = async (app: App) => (await app.client.call('ui.link', {})).url
const tempFolder = (name: string) => mkdtempDisposableSync(join(tmpdir(), `acuse-${name}-`))

test('a session outlives reloads, tabs, links and a browser restart', async ({ app, browser }) => {
  using profile = tempFolder('profile')
  const start = () =>
    browser.browserType().launchPersistentContext(profile.path, test.info().project.use.launchOptions)
  let context = await start()
  const page = await context.newPage()
  await page.goto(app.host.uiUrl)
  await expect(inside(page)).toBeVisible()
  expect(page.url()).toBe(`${originOf(app)}/`)
  expect(await context.cookies()).toEqual([])
  await page.reload()
  await expect(inside(page)).toBeVisible()

  const typed = await context.newPage()
  await typed.goto(`${originOf(app)}/#/settings`)
  await expect(typed.getByRole('heading', { name: 'Settings' }).first()).toBeVisible()
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(() => window.open(`${location.pathname}#/stream?filter=is%3Avalid`, '_blank', 'noopener')),
  ])
  await expect(inside(opened)).toBeVisible()
  const renamed = await context.newPage()
  await renamed.goto(`${originOf(app).replace('127.0.0.1', 'localhost')}/#/settings`)
  await expect(renamed.getByRole('heading', { name: 'Settings' }).first()).toBeVisible()
  expect(renamed.url()).toBe(`${originOf(app)}/#/settings`)
  await context.close()

  context = await start()
  const again = await context.newPage()
  await again.goto(originOf(app))
  await expect(inside(again)).toBeVisible()
  await context.close()
})

test('a browser without a session asks for a link; one serves all its tabs', async ({ app, context }) => {
  const [page, other] = [await context.newPage(), await context.newPage()]
  for (const tab of [page, other]) {
    await tab.goto(originOf(app))
    await expect(closed(tab)).toBeVisible()
  }
  // Only the hash changes, so no page is loaded.
  const link = await freshLink(app)
  await page.goto(link)
  await expect(inside(page)).toBeVisible()
  await expect(inside(other)).toBeVisible()
  // The link is used up, but a browser with a session still gets the window.
  await page.goto('about:blank')
  await page.goto(link)
  await expect(inside(page)).toBeVisible()
  expect(page.url()).toBe(`${originOf(app)}/`)
})

test('a window whose host started anew says what to do, and takes a fresh link', async ({ page }) => {
  using folder = tempFolder('again')
  const dataDir = folder.path
  const first = await startHost({ dataDir })
  await page.goto(first.uiUrl)
  await expect(inside(page)).toBeVisible()
  const key = await keyIn(page)
  await first.stop()
  const second = await startHost({ dataDir, args: ['--ui-port', new URL(first.uiUrl).port] })
  await expect(closed(page)).toBeVisible({ timeout: 30_000 })
  expect(await keyIn(page)).toBeNull()
  await page.goto(second.uiUrl)
  await expect(inside(page)).toBeVisible()
  expect(await keyIn(page)).not.toBe(key)
  await page.close()
  await second.stop()
})

test('the window opens through a tunnel under another port', async ({ app, page }) => {
  const { port } = new URL(app.host.uiUrl)
  const tunnel = createTcpServer((from) => {
    const to = connect(Number(port), '127.0.0.1')
    from.pipe(to).pipe(from)
    for (const end of [from, to]) end.on('error', () => end.destroy())
  })
  const local = String(await opened(tunnel))
  await page.goto(app.host.uiUrl.replace(port, local))
  await expect(inside(page)).toBeVisible()
  const { receiverUrl } = app.host
  await fetch(receiverUrl, { method: 'POST', body: '{}' })
  await expect(list(page)).toHaveAttribute('aria-rowcount', '2')
  await page.close()
  tunnel.close()
})

test('the file that serve --open writes leads into the window', async ({ app, page }) => {
  using folder = tempFolder('file')
  const file = join(folder.path, 'window.html')
  const link = await freshLink(app)
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">`)
  await page.goto(`file://${file}`)
  await expect(inside(page)).toBeVisible()
  expect(page.url()).toBe(`${originOf(app)}/`)
})

type Try = [what: string, attempt: () => Promise<unknown>]

/** Tries every way for a page to read another origin. @returns the results as words */
async function tryAll({ origin, port }: Record<'origin' | 'port', string>): Promise<string[]> {
  const got: string[] = []
  const asked = async (path: string, init: RequestInit = { method: 'POST' }) => {
    const answer = await fetch(origin + path, init)
    return answer.type === 'opaque' ? undefined : answer.text()
  }
  const tag = (name: string, more: object = {}) => Object.assign(document.createElement(name), more)
  const loaded = (element: HTMLElement, attribute: string, path: string, read: () => unknown) =>
    new Promise((resolve, reject) => {
      element.addEventListener('load', () => {
        try {
          resolve(read())
        } catch (error) {
          reject(error)
        }
      })
      element.addEventListener('error', reject)
      element.setAttribute(attribute, origin + path)
      document.body.append(element)
    })
  const socket = (protocols: string[]) =>
    new Promise((resolve, reject) => {
      const opened = new WebSocket(`${origin.replace('http', 'ws')}/api/pushes`, protocols)
      opened.onopen = () => resolve('open')
      opened.onerror = reject
    })
  const headers = { 'Content-Type': 'application/json', 'X-Acuse': document.cookie }
  const sent: RequestInit = { method: 'POST', body: '{}', credentials: 'include' }
  const requests: RequestInit[] = [
    sent,
    { ...sent, mode: 'no-cors' },
    { ...sent, headers },
    { credentials: 'include' },
  ]
  const frame = tag('iframe') as HTMLIFrameElement
  const keyOfFrame = () => frame.contentWindow?.localStorage.getItem('acuse.session') ?? undefined
  const object = tag('object') as HTMLObjectElement
  const tries: Try[] = [
    ...['deliveries.page', 'settings.get', 'ui.link', 'app.info'].flatMap((command) =>
      requests.map((init): Try => [`fetch ${command}`, () => asked(`/api/${command}`, init)]),
    ),
    ['session', () => asked('/api/session')],
    ['page', () => asked('', { credentials: 'include' })],
    ...[[], ['acuse'], ['acuse', 'AAAA']].map((protocols): Try => ['socket', () => socket(protocols)]),
    ['frame', () => loaded(frame, 'src', '', keyOfFrame)],
    ['object', () => loaded(object, 'data', '', () => (object.contentDocument ? 'seen' : undefined))],
    ['image', () => loaded(tag('img'), 'src', '/favicon.svg', () => 'loaded')],
    ['script', () => loaded(tag('script'), 'src', '/api/settings.get', () => 'loaded')],
    ['style', () => loaded(tag('link', { rel: 'stylesheet' }), 'href', '/', () => 'loaded')],
  ]
  for (const [what, attempt] of tries) {
    const late = new Promise((_, reject) => setTimeout(reject, 3_000))
    const value = await Promise.race([attempt(), late]).catch(() => undefined)
    if (value !== undefined) got.push(`${what}: ${String(value)}`)
  }
  const opened = window.open(`${origin}/#/stream`, 'acuse')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  for (const [what, read] of [
    ['window', () => opened && !opened.closed && String(opened.localStorage.getItem('acuse.session'))],
    ['frames', () => opened?.frames.length],
  ] as const)
    try {
      const value = read()
      if (value) got.push(`${what}: ${value}`)
    } catch {
      // The browser refuses access to another origin's window.
    }
  const into = tag('iframe', { name: 'posted' }) as HTMLIFrameElement
  const action = `${origin}/api/ui.link`
  const posting = { method: 'post', action, target: 'posted', enctype: 'text/plain' }
  const form = tag('form', posting) as HTMLFormElement
  document.body.append(into, form)
  const posted = new Promise((resolve) => into.addEventListener('load', resolve, { once: true }))
  form.submit()
  await Promise.race([posted, new Promise((resolve) => setTimeout(resolve, 3_000))])
  try {
    if (into.contentDocument?.body.textContent) got.push('form: read')
  } catch {
    // Refused as above.
  }
  for (const key of Object.keys(localStorage)) got.push(`storage: ${key}`)
  if (document.cookie) got.push(`cookie: ${document.cookie} ${port}`)
  return got
}

test('a hostile server on another port gets nothing (reliability, row 17)', async ({ app, window }) => {
  const origin = originOf(app)
  const { port } = new URL(origin)
  const seen: IncomingMessage[] = []
  const hostile = createServer((request, response) => {
    seen.push(request)
    response.setHeader('Content-Type', 'text/html')
    response.setHeader('Referrer-Policy', 'unsafe-url')
    response.end('<!doctype html><title>hostile</title><body>hostile</body>')
  })
  const evil = `http://127.0.0.1:${await opened(hostile)}`
  const context: BrowserContext = window.context()
  await app.deliver('POST', '/', '{"Event":"canary-4c1e"}')
  await expect(list(window)).toHaveAttribute('aria-rowcount', '2')
  const key = (await keyIn(window)) ?? ''
  expect(key).toMatch(/^[\w-]{43}$/)

  const page = await context.newPage()
  await page.goto(evil)
  // The same attempts succeed within one origin.
  const own = await page.evaluate(tryAll, { origin: evil, port })
  expect(own.map((got) => got.split(':')[0])).toEqual(
    expect.arrayContaining(['fetch settings.get', 'session', 'page', 'object', 'script', 'window', 'form']),
  )
  await context.pages().at(-1)?.close()
  expect(await page.evaluate(tryAll, { origin, port })).toEqual([])

  // Navigate the window away and back: address, Referer and history reveal nothing.
  await page.goto(`${evil}/again`)
  await page.evaluate((to) => {
    location.href = `${to}/#/stream`
  }, origin)
  await expect(inside(page)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveTitle('hostile')

  const what = seen.map(({ url, rawHeaders }) => `${url} ${rawHeaders.join(' ')}`).join('\n')
  expect(what).not.toContain(key)
  expect(what).not.toMatch(/token=|canary/)
  expect(seen.flatMap(({ headers }) => headers.cookie ?? [])).toEqual([])

  // A cookie as of an older Acuse, even with the right key, gives no access.
  await context.addCookies([{ name: `acuse_${port}`, value: key, domain: '127.0.0.1', path: '/' }])
  await page.goto(`${evil}/cookie`)
  const stolen =
    seen.at(-1)?.headers.cookie ?? seen.findLast(({ url }) => url === '/cookie')?.headers.cookie ?? ''
  expect(stolen).toContain(key)
  for (const command of ['deliveries.page', 'settings.get', 'ui.link']) {
    const answer = await fetch(`${origin}/api/${command}`, {
      method: 'POST',
      headers: { Cookie: stolen, 'Content-Type': 'application/json' },
      body: '{}',
    })
    expect([command, answer.status]).toEqual([command, 401])
  }
  expect(await page.evaluate(tryAll, { origin, port })).toEqual([
    // The page can read only the cookie that the test set without HttpOnly.
    expect.stringMatching(/^cookie: /),
  ])
  hostile.close()
  await expect(inside(window)).toBeVisible()
})
