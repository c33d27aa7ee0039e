import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CONNECTION } from '#contract/reconcile.ts'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/replay.ts'
import { type Assembled, assembled } from '../../support/assembled.ts'
import { aBody } from '../../support/events.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'

const canary = (name: string) => `canary-${name}-5f2c9e7a`
const BASIC = Buffer.from(`user:${canary('basic')}`).toString('base64')
/** What a delivery may carry of credentials; the endpoint's own secret travels in the first. */
const CREDENTIALS = [
  ['X-Webhook-Secret', canary('secret')],
  ['Authorization', `Bearer ${canary('bearer')}`],
  ['authorization', `Basic ${BASIC}`],
  ['COOKIE', `a=${canary('cookie')}; b=1`],
  ['Set-Cookie', `s=${canary('set-cookie')}`],
  ['x-api-key', canary('api-key')],
  ['Proxy-Authorization', canary('proxy')],
] as const
const OWN = ['target', 'connection-key', 'plugin-token', 'previous', 'wrong', 'answered'].map(canary)
const SECRETS = [
  ...CREDENTIALS.map(([, value]) => value.replace(/^(?:Bearer|Basic) |^\w=|; b=1$/g, '')),
  ...OWN,
]
const FORMS = SECRETS.flatMap((secret) => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  encodeURIComponent(secret),
])
const leaksIn = (text: string) => FORMS.filter((form) => text.includes(form))

let one: Assembled
let folder = ''
const pushed: string[] = []
const warned: string[] = []

beforeAll(async () => {
  one = await assembled({ warn: (message) => void warned.push(message) })
  const { engine } = one.host
  engine.subscribe((push, payload) => void pushed.push(JSON.stringify([push, payload])))
  folder = (await engine.call('app.info', {})).dataDir
  const secret = { name: 'default', header: 'X-Webhook-Secret' }
  await engine.call('endpoints.set-secret', { ...secret, value: canary('previous'), keepPrevious: false })
  await engine.call('endpoints.set-secret', { ...secret, value: canary('secret'), keepPrevious: true })
  const hook = await hookReceiverForAll()
  const headers = [{ name: 'X-Target', value: canary('target'), secret: true }]
  await engine.call('targets.save', { ...DEFAULT_TARGET, name: 'erp', url: hook, headers })
  await engine.call('connections.save', {
    ...{ ...DEFAULT_CONNECTION, name: 'main', baseUrl: hook },
    ...{ apiKey: canary('connection-key'), pluginToken: canary('plugin-token') },
  })
  const port = Number(new URL(one.receiverUrl).port)
  const flat = (list: readonly (readonly string[])[]) => list.flatMap((header) => [...header])
  const body = Buffer.from(aBody('factura.created'))
  for (const head of [
    flat(CREDENTIALS),
    ['X-Webhook-Secret', canary('wrong')],
    ['X-Webhook-Secret', canary('previous')],
  ])
    await raw({ port }, requestBytes('POST', '/hook', body, head))
  await engine.call('deliveries.settled', { timeoutMs: 20_000 })
  await engine.call('replay.send', { delivery: 1, to: { target: 'erp' } })
  await engine.call('plugins.publish', { connection: 'main', eventType: 'cobro.registrado' })
  await engine.call('connections.test', { name: 'main', route: 'accounting' })
})
afterAll(() => one.close())

async function hookReceiverForAll(): Promise<string> {
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'Set-Cookie': `x=${canary('answered')}`, 'Content-Type': 'application/json' })
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  afterAll(() => void server.close())
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

describe(`${SECRETS.length} secrets, as they are, in base64 and percent-encoded, are nowhere (reliability, row 21)`, () => {
  const ids = [1, 2, 3]
  const asked: readonly (readonly [command: string, params: unknown])[] = [
    ['status.get', {}],
    ['settings.get', {}],
    ['deliveries.page', { filter: '', from: 'newest', limit: 50 }],
    ['deliveries.scan', { filter: '', after: null, limit: 50 }],
    ['deliveries.rows', { ids }],
    ...ids.map((id) => ['deliveries.get', { id }] as const),
    ['deliveries.copy', { ids, as: 'json' }],
    ['deliveries.copy', { ids, as: 'curl' }],
    ['documents.page', { query: '', sort: { by: 'last', descending: true }, from: 0, limit: 10 }],
    ['drift.list', {}],
    ['drift.profile', { kind: 'factura.created' }],
    ['attempts.list', { of: { delivery: 1 }, limit: 10 }],
    ['attempts.get', { id: 1 }],
    [
      'jobs.preview',
      { source: { type: 'ids', ids }, options: { ...DEFAULT_JOB_OPTIONS, to: { target: 'erp' } } },
    ],
    ['connections.test', { name: 'main', route: 'treasury' }],
    ['plugins.publish', { connection: 'main', eventType: 'cobro.registrado' }],
    ['connect.state', {}],
  ]
  test.each(asked)('in what %s says', async (command, params) => {
    const answer = await one.host.engine
      .dispatch(command, params)
      .catch((error: Error) => `refused: ${error.message}`)
    if (typeof answer === 'string') expect(answer).toBe('an answer')
    expect(leaksIn(JSON.stringify(answer))).toEqual([])
  })

  test('in refusals of what a person typed around them', async () => {
    const { engine } = one.host
    const bad: readonly (readonly [string, unknown])[] = [
      ['endpoints.set-secret', { name: 'none', header: 'X-A', value: canary('secret'), keepPrevious: true }],
      [
        'endpoints.set-secret',
        { name: 'default', header: 'bad name', value: canary('secret'), keepPrevious: true },
      ],
      [
        'connections.save',
        { ...DEFAULT_CONNECTION, name: 'x', baseUrl: 'ftp://x', apiKey: canary('api-key') },
      ],
      [
        'targets.save',
        {
          ...DEFAULT_TARGET,
          name: 'x',
          url: '!',
          headers: [{ name: ':', value: canary('target'), secret: true }],
        },
      ],
    ]
    for (const [command, params] of bad) {
      const refusal = await engine.dispatch(command, params).then(() => 'done', JSON.stringify)
      expect(refusal).not.toBe('done')
      expect(leaksIn(String(refusal)), command).toEqual([])
    }
  })

  test('in pushes and in what is said to the person', () => {
    expect(pushed.length).toBeGreaterThan(0)
    expect(leaksIn(pushed.join('\n') + warned.join('\n'))).toEqual([])
  })

  test('where the search for text looks', async () => {
    const { engine } = one.host
    for (const secret of SECRETS)
      for (const filter of [`"${secret}"`, `/${secret}/`])
        expect(
          (await engine.dispatch('deliveries.page', { filter, from: 'newest', limit: 9 })) as object,
          filter,
        ).toMatchObject({ rows: [] })
  })

  test('in files, but the secret store, the deliveries and the attempts themselves, which are this user’s alone', () => {
    const files = readdirSync(folder).filter(
      (name) =>
        !/^(secrets\.json|captured\.db|replays\.db|unsettled-attempts$)/.test(name) &&
        !name.endsWith('.sock'),
    )
    expect(files).toContain('settings.json')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
    for (const name of files) expect(leaksIn(readFileSync(join(folder, name), 'latin1')), name).toEqual([])
  })
})
