import { afterEach, beforeEach, expect, test } from 'vitest'
import { AcuseError } from '#contract/errors.ts'
import { type BrowserHost, createBrowserHost } from '#hosts/browser/server.ts'
import { Sessions } from '#hosts/browser/sessions.ts'
import { fetchAs, openLink } from '../../../support/browser-session.ts'
import { EngineDouble } from '../../../support/engine-double.ts'
import { sharedFolder, tempFolder } from '../../../support/temp-folder.ts'
import { windowFolder } from '../../../support/window-folder.ts'

const folder = windowFolder(sharedFolder())
let host: BrowserHost
let url: string
let session: Record<string, string>
const engine = new EngineDouble({
  'app.info': async () => ({ version: '1', dataDir: 'd', capabilities: {} as never }),
  'ui.link': async () => {
    throw new AcuseError('not-available', 'No window here.')
  },
  'settings.get': async () => {
    throw new Error('a defect')
  },
})
const CALL = { 'Content-Type': 'application/json' }

beforeEach(async () => {
  host = createBrowserHost({ engine, rendererDir: folder, port: 0 })
  url = (await host.start()).url
  session = (await openLink(host.link())).headers
})
afterEach(() => host.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetchAs(new URL(path, url).href, { headers: { ...session, ...headers } })
const post = (command: string, body: string, headers: Record<string, string> = CALL) =>
  fetchAs(new URL(`/api/${command}`, url).href, { method: 'POST', headers: { ...session, ...headers }, body })

test('start link: gives a key that no cookie repeats, once', async () => {
  const link = host.link()
  const { answer, key } = await openLink(link)
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(key).toMatch(/^[\w-]{43}$/)
  const again = await openLink(link)
  expect(again.answer.status).toBe(401)
  expect(JSON.parse(again.answer.body).message).toContain('run "acuse link"')
})

test('window files: come with their type; hashed ones are kept for ever, pages never', async () => {
  for (const [path, type, kept] of [
    ['/', 'text/html; charset=utf-8', 'no-store'],
    ['/assets/index-Ab12Cd34.js', 'text/javascript; charset=utf-8', 'private, max-age=31536000, immutable'],
    ['/favicon.svg', 'image/svg+xml', 'private, no-cache'],
  ] as const) {
    const headers = { 'content-type': type, 'cache-control': kept }
    expect(await get(path)).toMatchObject({ status: 200, headers })
  }
})

test('window files: every answer carries the policy: nothing from elsewhere, no frames, no sniffing, no CORS', async () => {
  const answers = [await get('/'), await get('/nothing'), await fetchAs(url), await post('app.info', '{}')]
  answers.push(await get('/', { Host: 'evil.example' }))
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy'])
    for (const of of ['default-src', 'frame-ancestors', 'base-uri', 'form-action'])
      expect(policy).toContain(`${of} 'none'`)
    for (const of of ['script-src', 'style-src']) expect(policy).toContain(`${of} 'self'`)
    expect(policy).not.toContain('unsafe')
    for (const of of ['opener', 'resource']) expect(headers[`cross-origin-${of}-policy`]).toBe('same-origin')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    for (const name of ['access-control-allow-origin', 'x-powered-by'])
      expect(headers).not.toHaveProperty(name)
  }
  const connecting = `connect-src 'self' ws://${new URL(url).host}`
  expect(answers[0]?.headers['content-security-policy']).toContain(connecting)
})

test('a client that offers HTTP/2, as those of Java do with every first request, is answered in HTTP/1.1', async () => {
  const offer = {
    Connection: 'Upgrade, HTTP2-Settings',
    Upgrade: 'h2c',
    'HTTP2-Settings': 'AAMAAABkAAQAAP__',
  }
  expect((await get('/livez', offer)).status).toBe(200)
  expect((await post('app.info', '{}', { ...CALL, ...offer })).status).toBe(200)
})

test('window files: are served under one name, so that no other server can sit under it on another address', async () => {
  const { port, host: authority } = new URL(url)
  const sentTo = async (path: string, name: string) => {
    const { status, headers, body } = await get(path, { Host: name, Origin: `http://${name}` })
    expect([status, body]).toEqual([303, ''])
    return headers.location
  }
  for (const name of ['localhost', '[::1]', 'LOCALHOST'])
    expect(await sentTo('/?x=1', `${name}:${port}`)).toBe(`http://${authority}/?x=1`)
  // A tunnel may use another port.
  expect(await sentTo('/', 'localhost:9000')).toBe('http://127.0.0.1:9000/')
})

test('window files: a window that was never built is said in a sentence', async () => {
  const unbuilt = createBrowserHost({ engine, rendererDir: tempFolder(), port: 0 })
  const message = expect.stringContaining('npm run build')
  await expect(unbuilt.start()).rejects.toMatchObject({ code: 'not-available', message })
})

test.each([
  ['nonsense', '{}', 404, 'unknown-command'],
  ['app.info', '{"extra":1}', 400, 'bad-params'],
  ['app.info', 'null', 200, undefined],
  ['app.info', '{', 400, 'bad-params'],
  ['app.info', '[1]', 400, 'bad-params'],
  ['ui.link', '{}', 501, 'not-available'],
  ['settings.get', '{}', 500, 'internal'],
  ['%zz', '{}', 400, 'bad-params'],
])('commands: %s with %s answers %i %s', async (command, body, status, code) => {
  const answer = await post(command, body)
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body).code).toBe(code)
  expect(answer.body).not.toContain('node_modules')
})

test.each([
  ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ['plain text', { 'Content-Type': 'text/plain' }, 415],
  ['no type', {}, 415],
  ['a wrong key', { ...CALL, 'X-Acuse': '1' }, 401],
  ['compression', { ...CALL, 'Content-Encoding': 'gzip' }, 415],
])('commands: with %s are refused', async (_, headers, status) => {
  expect((await post('app.info', '{}', headers)).status).toBe(status)
})

test('commands: over 4 MiB are refused, below not', async () => {
  const padded = (bytes: number) => `{${' '.repeat(bytes - 2)}}`
  expect((await post('app.info', padded(4 * 1_048_576))).status).toBe(200)
  expect((await post('app.info', padded(4 * 1_048_576 + 1))).status).toBe(413)
})

const MINUTE = 60_000

test('a link that was not opened is worthless after ten minutes; a session outlives its link', () => {
  let now = 0
  const sessions = new Sessions(() => now)
  const early = sessions.newToken()
  now = 9 * MINUTE
  const late = sessions.newToken()
  now = 10 * MINUTE
  expect(sessions.redeem(early)).toBeUndefined()
  const key = sessions.redeem(late)
  now = 1_000 * MINUTE
  expect(sessions.knows(key ?? '')).toBe(true)
})

test('links asked for without end do not fill memory; the newest stay good', () => {
  const sessions = new Sessions()
  const tokens = Array.from({ length: 300 }, () => sessions.newToken())
  expect(sessions.redeem(tokens[0] ?? '')).toBeUndefined()
  expect(sessions.redeem(tokens[299] ?? '')).toBeDefined()
})
