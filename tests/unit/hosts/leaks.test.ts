import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CONNECTION, DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/defaults.ts'
import { COUNTED_FIELDS } from '#contract/values.ts'
import { type Assembled, assembled } from '../../support/assembled.ts'
import { aBody } from '../../support/events.ts'
import { opened } from '../../support/listening-port.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { words } from '../../support/words.ts'

const canary = (name: string) => `canary-${name}-5f2c9e7a`
const BASIC = Buffer.from(`user:${canary('basic')}`).toString('base64')
/** Headers with credentials; the first carries the endpoint's own secret. */
const CREDENTIALS = [
  ['X-Webhook-Secret', canary('secret')],
  ['Authorization', `Bearer ${canary('bearer')}`],
  ['authorization', `Basic ${BASIC}`],
  ['COOKIE', `a=${canary('cookie')}; b=1`],
  ['Set-Cookie', `s=${canary('set-cookie')}`],
  ['x-api-key', canary('api-key')],
  ['Proxy-Authorization', canary('proxy')],
  ...words`X-Token Token X-Auth X-Auth-Token X-CSRF-Token Password X-Password Secret Client-Secret
    Api-Key X-Acuse-Key X-Hook-Signature Session X-Session-Id JWT X-Amz-Security-Token X-Clave
    Passwd OTP X-Secret-Key X-Api-Token`.map((name) => [name, canary(`h-${name}`)] as const),
  ['X-Any', `Bearer ${canary('form')}`],
  ['Referer', `https://a.example/?token=${canary('referer')}`],
] as const
const PARAMETERS =
  words`token key api_key access_token password secret sig code auth sessionid clave t%6Fken`.map(
    (name) => [name, canary(`q-${name.replace('%', '')}`)] as const,
  )
const NESTED = encodeURIComponent(`https://a.example/?token=${canary('nested')}`)
const TARGET = `/hook?a=1&${PARAMETERS.map((pair) => pair.join('=')).join('&')}&next=${NESTED}`
const HEADLESS = [canary('headless-target'), canary('headless-header'), canary('headless-folded')]
const OWN = ['target', 'connection-key', 'plugin-token', 'previous', 'wrong', 'answered'].map(canary)
const SECRETS = [
  ...CREDENTIALS.map(([, value]) => value.replace(/^(?:Bearer|Basic) |^\w=|; b=1$|^https:.*=/g, '')),
  ...PARAMETERS.map(([, value]) => value),
  canary('nested'),
  ...HEADLESS,
  ...OWN,
]
/** Personal data. On this machine a body is shown whole; no other output contains its personal data. */
const PERSONAL = ['name', 'tax', 'phone', 'mail', 'deep', 'form', 'base64', 'gzip', 'cut'].map((of) =>
  canary(`p-${of}`),
)
const formsOf = (all: readonly string[]) =>
  all.flatMap((one) => [
    one,
    // At any byte offset of a longer text.
    ...[0, 1, 2].map((before) =>
      Buffer.from(`${'.'.repeat(before)}${one}`)
        .toString('base64')
        .slice(Math.ceil((before * 4) / 3), -4),
    ),
    encodeURIComponent(one),
    Buffer.from(one).toString('hex'),
  ])
const FORMS = formsOf(SECRETS)
const PERSONAL_FORMS = formsOf(PERSONAL)
/** Removes the party from rows: window and terminal of this machine may show it, but only as this member. */
const withoutParties = (text: string) => text.replaceAll(/"party":"(?:[^"\\]|\\.)*"/g, '"party":null')
const leaksIn = (text: string, forms = FORMS) => forms.filter((form) => text.includes(form))

let one: Assembled
let folder = ''
const pushed: string[] = []
const warned: string[] = []
const answered: string[] = []

beforeAll(async () => {
  one = await assembled({ warn: (message) => void warned.push(message) })
  const { engine } = one.host
  engine.subscribe((push, payload) => void pushed.push(JSON.stringify([push, payload])))
  folder = (await engine.call('app.info', {})).dataDir
  const secret = { name: 'default', header: 'X-Webhook-Secret' }
  await engine.call('endpoints.set-secret', { ...secret, value: canary('previous'), keepPrevious: false })
  await engine.call('endpoints.set-secret', { ...secret, value: canary('secret'), keepPrevious: true })
  const cookie = { 'Set-Cookie': `x=${canary('answered')}`, 'Content-Type': 'application/json' }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, cookie).end('{}')
  })
  const hook = `http://127.0.0.1:${await opened(server)}`
  const headers = [{ name: 'X-Target', value: canary('target'), secret: true }]
  await engine.call('targets.save', { ...DEFAULT_TARGET, name: 'erp', url: hook, headers })
  await engine.call('connections.save', {
    ...{ ...DEFAULT_CONNECTION, name: 'main', baseUrl: hook },
    ...{ apiKey: canary('connection-key'), pluginToken: canary('plugin-token') },
  })
  const port = Number(new URL(one.receiverUrl).port)
  const own = ['X-Webhook-Secret', canary('secret')]
  const flat = (list: readonly (readonly string[])[]) => list.flatMap((header) => [...header])
  const body = Buffer.from(aBody('factura.created'))
  const send = async (request: Buffer | string) => {
    answered.push((await raw({ port }, request)).bytes.toString('latin1'))
  }
  await send(requestBytes('POST', TARGET, body, flat(CREDENTIALS)))
  const hooked = (content: Buffer | string, headers = own) =>
    send(requestBytes('POST', '/hook', content, headers))
  for (const wrong of ['wrong', 'previous']) await hooked(body, ['X-Webhook-Secret', canary(wrong)])
  const [name, tax, phone, mail, deep, form, base64, zipped, cut] = PERSONAL
  const json = (data: Record<string, unknown>) => Buffer.from(aBody('factura.created', { data }))
  const party = { CustomerName: name, CustomerTaxId: tax, CustomerPhone: phone, CustomerEmail: mail }
  await hooked(json({ ...party, Extra: [{ a: [{ b: { c: deep } }] }] }))
  await hooked(`a=1&email=${form}`)
  await hooked(json({ Extra: Buffer.from(`x${base64}`).toString('base64') }))
  await hooked(gzipSync(json({ CustomerName: zipped })), [...own, 'Content-Encoding', 'gzip'])
  const [target, header, folded] = HEADLESS
  await send(`POST /h?token=${target} HTTP/1.1\r\nX-Token : ${header}\r\n ${folded}\r\n\r\n${cut}`)
  await engine.call('deliveries.settled', { timeoutMs: 20_000 })
  await engine.call('replay.send', { delivery: 1, to: { target: 'erp' } })
  await engine.call('plugins.publish', { connection: 'main', eventType: 'cobro.registrado' })
  await engine.call('connections.test', { name: 'main', route: 'accounting' })
  return () => void server.close()
})
afterAll(() => one.close())

const WHOLE = { id: 8, view: 'raw', from: 0, length: 65_536 } as const
/** Commands that show bodies on this machine. */
const SHOWING: ReadonlySet<string> = new Set(['deliveries.body', 'deliveries.copy', 'documents.page'])

describe(`${SECRETS.length} secrets and ${PERSONAL.length} personal values, as they are, in base64 and percent-encoded, are nowhere`, () => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8]
  const to = { target: 'erp' }
  const asked: readonly (readonly [command: string, params: unknown])[] = [
    ['status.get', {}],
    ['settings.get', {}],
    ['deliveries.page', { filter: '', from: 'newest', limit: 50 }],
    ['deliveries.scan', { filter: '', after: null, limit: 50 }],
    ['deliveries.rows', { ids }],
    ...ids.map((id) => ['deliveries.get', { id }] as const),
    ['deliveries.body', WHOLE],
    ...COUNTED_FIELDS.map((field) => ['filter.counts', { filter: '', field }] as const),
    ['deliveries.copy', { ids, as: 'json' }],
    ['deliveries.copy', { ids, as: 'curl' }],
    ['documents.page', { query: '', sort: { by: 'last', descending: true }, from: 0, limit: 10 }],
    ['drift.list', {}],
    ['drift.profile', { kind: 'factura.created' }],
    ['attempts.list', { of: { delivery: 1 }, limit: 10 }],
    ['attempts.get', { id: 1 }],
    ['jobs.preview', { source: { type: 'ids', ids }, options: { ...DEFAULT_JOB_OPTIONS, to } }],
    ['connections.test', { name: 'main', route: 'treasury' }],
    ['plugins.publish', { connection: 'main', eventType: 'cobro.registrado' }],
    ['connect.state', {}],
  ]
  test.each(asked)('in what %s says', async (command, params) => {
    const answer = await one.host.engine.dispatch(command, params)
    expect(leaksIn(JSON.stringify(answer))).toEqual([])
    if (!SHOWING.has(command))
      expect(leaksIn(withoutParties(JSON.stringify(answer)), PERSONAL_FORMS)).toEqual([])
  })

  test('and each of them is there for a user who asks for it', async () => {
    const { engine } = one.host
    const [first, last] = await Promise.all(
      [1, 8].map((id) => engine.call('deliveries.get', { id, reveal: true })),
    )
    const body = await engine.call('deliveries.body', { ...WHOLE, reveal: true })
    const shown = JSON.stringify([first, last]) + Buffer.from(body.bytesBase64, 'base64').toString('latin1')
    const came = SECRETS.filter((secret) => !OWN.includes(secret))
    expect(came.length).toBeGreaterThan(40)
    expect(came.filter((secret) => !shown.includes(secret))).toEqual([])
  })

  test('in refusals of what a person typed around them', async () => {
    const { engine } = one.host
    const secret = { name: 'default', value: canary('secret'), keepPrevious: true }
    const headers = [{ name: ':', value: canary('target'), secret: true }]
    const account = { ...DEFAULT_CONNECTION, name: 'x', apiKey: canary('api-key') }
    const bad: readonly (readonly [string, unknown])[] = [
      ['endpoints.set-secret', { ...secret, name: 'none', header: 'X-A' }],
      ['endpoints.set-secret', { ...secret, header: 'bad name' }],
      ['connections.save', { ...account, baseUrl: 'ftp://x' }],
      ['targets.save', { ...DEFAULT_TARGET, name: 'x', url: '!', headers }],
    ]
    for (const [command, params] of bad) {
      const refusal = await engine.dispatch(command, params).then(() => 'done', JSON.stringify)
      expect(refusal).not.toBe('done')
      expect(leaksIn(String(refusal)), command).toEqual([])
    }
  })

  test('in pushes, in what the receiver answers and in what is said to the person', () => {
    expect(pushed.length).toBeGreaterThan(0)
    expect(answered.map((text) => text.slice(0, 12)).toSorted()).toEqual([
      ...Array.from({ length: 6 }, () => 'HTTP/1.1 200'),
      ...['HTTP/1.1 400', 'HTTP/1.1 401'],
    ])
    const all = [...pushed, ...answered, ...warned].join('\n')
    expect(leaksIn(all)).toEqual([])
    expect(leaksIn(withoutParties(all), PERSONAL_FORMS)).toEqual([])
  })

  test('in the diagnostic report that Node writes when it crashes or is asked to', () => {
    const report = JSON.stringify(process.report.getReport(new Error('as a crash makes it')))
    expect(report.match(/"javascriptHeap"/g)?.length).toBeGreaterThan(4)
    expect(leaksIn(report)).toEqual([])
    expect(leaksIn(report, PERSONAL_FORMS)).toEqual([])
  })

  test('where the search for text looks', async () => {
    const { engine } = one.host
    // A regular expression searches the request target itself.
    const inTarget = new Set([...PARAMETERS.map(([, value]) => value), canary('nested'), ...HEADLESS])
    for (const secret of SECRETS)
      for (const filter of [`"${secret}"`, ...(inTarget.has(secret) ? [] : [`/${secret}/`])])
        expect(
          await engine.call('deliveries.page', { filter, from: 'newest', limit: 9 }),
          filter,
        ).toMatchObject({ rows: [] })
  })

  test('in files, but the secret store, the deliveries and the attempts themselves, which are this user’s alone', () => {
    const own = /^(secrets\.json|captured\.db|log$|replays\.db|attempts$)|\.sock$/
    const files = readdirSync(folder).filter((name) => !own.test(name))
    expect(files).toContain('settings.json')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
    for (const name of files) expect(leaksIn(readFileSync(join(folder, name), 'latin1')), name).toEqual([])
  })
})
