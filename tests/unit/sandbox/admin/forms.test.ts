import { expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { runningSandbox, subscribedSandbox } from '../../../support/running-sandbox.ts'
import { words } from '../../../support/words.ts'

const URL_ = 'https://example.com/hook'
const error = { code: expect.any(String), message: expect.stringMatching(/^.{5,1100}\.$/s) }
const refusal = { error: expect.objectContaining(error) }

test('subscriptions (What the service does, rule 6): are POST to all 28 kinds and active unless told otherwise', async () => {
  const { client } = await runningSandbox()
  const { status, body } = await client.admin('POST', '/subscriptions', { url: URL_ })
  expect(status).toBe(201)
  const kinds = KINDS.map(({ kind }) => kind)
  const usual = { name: URL_, url: URL_, method: 'POST', headers: [], kinds, active: true, warnings: [] }
  expect(body).toEqual({ id: 1, ...usual })
  expect((await client.admin('GET', '/subscriptions')).body.subscriptions).toEqual([body])
})

test('subscriptions (What the service does, rule 6): an address of this machine needs no scheme', async () => {
  const { client } = await runningSandbox()
  const { body } = await client.admin('POST', '/subscriptions', { url: ' localhost:3000/hook ' })
  expect(body).toMatchObject({ url: 'http://localhost:3000/hook', name: 'http://localhost:3000/hook' })
  const plugin = await client.admin('POST', '/plugins', { url: '[::1]:3000' })
  expect(plugin.body.url).toBe('http://[::1]:3000')
})

test('subscriptions (What the service does, rule 6): an http address that is not of this machine gets a warning (Authentication, rule 2)', async () => {
  const { client } = await runningSandbox()
  const warned = async (url: string) =>
    (await client.admin('POST', '/subscriptions', { url })).body.warnings.length > 0
  for (const url of ['http://example.com/', 'http://10.0.0.1/', 'http://127.0.0.1.example.com/'])
    expect([url, await warned(url)]).toEqual([url, true])
  for (const url of words('https://example.com/ http://localhost:3000/ http://127.0.0.1/ http://[::1]:80/'))
    expect([url, await warned(url)]).toEqual([url, false])
})

const each = (wrong: Readonly<Record<string, readonly unknown[]>>, right: object = {}): readonly unknown[] =>
  Object.entries(wrong).flatMap(([member, values]) => values.map((value) => ({ ...right, [member]: value })))
const header = (name: string, value?: string) => [{ name, value }]
/** Bodies by call that must be refused with a sentence and change nothing. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  'POST /subscriptions': [
    ...[{}, [], null, '"text"', '{', '{"url":}', '\ufeff{}'],
    ...each({
      url: [
        7,
        '',
        ...['\ud800', 'a\tb', 'x'.repeat(9_000)].map((end) => `https://example.com/${end}`),
        ...words`example.com ftp://example.com/ file:///etc/hosts https://user:secret@example.com/`,
      ],
    }),
    ...each(
      {
        method: ['PATCH', 'post'],
        kinds: [['factura.creada'], ['factura.created', 'factura.created'], 'factura.created'],
        headers: [
          { 'X-A': '1' },
          ...['X A', '', 'Content-Length', 'transfer-encoding', 'Host'].map((name) => header(name, '1')),
          ...[undefined, 'a\r\nX-B: 1', '日本'].map((value) => header('X-A', value)),
        ],
        active: ['yes'],
        name: ['', 'x'.repeat(201), 'a\u0000b', 'a\ud83db'],
        colour: ['red'],
      },
      { url: URL_ },
    ),
  ],
  'PUT /subscriptions/1': each({ url: ['nowhere'], id: [9], kinds: [[1]], method: [null] }),
  'PUT /subscriptions/x': [{}],
  'PUT /subscriptions/1e3': [{}],
  'PUT /workspace': each({ plan: [7, ''], offset: ['Z', '-0400', '+25:00'], seed: [1], name: [null] }),
  'PUT /laboratory': each({
    lose: [0.5, ...each({ share: [2, -0.1, '0.5'] }), { share: 0.5, kinds: ['cobro.registrado'] }],
    delay: [{ leastMs: 1.5 }, { mostMs: 1e9 }],
    sync: [{ fault: 'error-418' }, { casing: 'kebab' }],
    ...{ seed: [-1, 1e20], explode: [true] },
  }),
  'POST /emit': [
    {},
    ...each({ kind: ['test.connection', 'Factura.created', 7, '__proto__'] }),
    ...each(
      { count: [0, 1_001, '3'], set: [[], { nowhere: 1 }, { '/data/no/such/place': 1 }], seed: [0.5] },
      { kind: 'factura.created' },
    ),
  ],
  'POST /preview': [{}, [], { kind: 'x' }, ...each({ seed: [-1], data: [{}] }, { kind: 'factura.created' })],
  'POST /send': [
    ...[{}, { kind: 'factura.created' }, { kind: 'factura.creada', body: '{}' }],
    ...each({ body: ['', '{"a":}', { Event: 'factura.created' }] }, { kind: 'factura.created' }),
    '{"kind":"factura.created","body":"\\"\\ud800\\""}',
  ],
  'POST /operations/no-such-operation': [{}],
  'POST /operations/__proto__': [{}],
  // Bounds of each parameter: descriptions.test.ts.
  'POST /operations/create-invoice': [[], null, { type: 'E99' }, { colour: 1 }],
  'POST /operations/edit-amount': [{}, ...each({ id: ['x', '00000000-0000-4000-8000-000000000000'] })],
  'POST /scenarios/no-such-scenario': [{}],
  'POST /scenarios/burst': each({ count: [0, 1e9, 'all'], seed: [-1] }),
  'POST /traffic': [
    ...[{}, { rate: 0 }, { rate: 501 }],
    ...each({ mix: [{}, { 'factura.created': -1 }, { x: 1 }] }, { rate: 1 }),
  ],
  'POST /keys': each({ name: ['', 7, 'Acuse'], key: ['mine'] }),
  'POST /plugins': each({
    url: ['nowhere'],
    eventTypes: [['factura.created']],
    active: [1],
    token: ['mine'],
    name: ['Acuse'],
  }),
  'PUT /plugins/99': [{}],
  'POST /reset': each({ seed: ['x'], subscriptions: [1], everything: [true] }),
}

test('bad input gets a sentence, and nothing is changed: every field of every call', async () => {
  const { client, hook } = await subscribedSandbox()
  const everything = async () =>
    JSON.stringify([
      (await client.admin('GET', '/state')).body,
      (await client.admin('GET', '/subscriptions')).body,
      (await client.admin('GET', '/keys')).body,
      (await client.admin('GET', '/plugins')).body,
      (await client.sync('treasury-sync')).body,
    ])
  const before = await everything()
  for (const [call, bodies] of Object.entries(WRONG))
    for (const body of bodies) {
      const [method = '', path = ''] = call.split(' ')
      const answer = await client.admin(method, path, body)
      expect([call, body, Math.floor(answer.status / 100), answer.body]).toEqual([call, body, 4, refusal])
    }
  expect(await everything()).toBe(before)
  expect(hook.received).toEqual([])
})

test('bad input gets a sentence, and nothing is changed: wrong encodings and huge bodies', async () => {
  const { client, sandbox } = await runningSandbox()
  const post = async (body: Buffer, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${sandbox.url}/_sandbox/subscriptions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.adminToken}`, ...headers },
      body: new Uint8Array(body),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const text = JSON.stringify({ url: URL_ })
  expect(await post(Buffer.from(text, 'utf16le'))).toMatchObject({ status: 400, body: refusal })
  expect(await post(Buffer.from('{"url":"\xff"}', 'latin1'))).toMatchObject({ status: 400, body: refusal })
  const zipped = await post(Buffer.from(text), { 'Content-Encoding': 'gzip' })
  expect(zipped).toMatchObject({ status: 415, body: refusal })
  expect(await post(Buffer.alloc(17 * 1024 * 1024, ' '))).toMatchObject({ status: 413, body: refusal })
  expect(await post(Buffer.from('['.repeat(5_000_000)))).toMatchObject({ status: 400, body: refusal })
  expect((await client.admin('GET', '/subscriptions')).body.subscriptions).toEqual([])
})

test('reset ends what is under way, however slow the receiver', async () => {
  const { client, hook: hanging } = await subscribedSandbox({}, () => {}, { deliveryTimeoutMs: 60_000 })
  await client.admin('POST', '/emit', { kind: 'customer.created', count: 40 })
  await hanging.count(16)
  const { body } = await client.admin('POST', '/reset', {})
  expect(body).toMatchObject({ pending: 0, log: { outcomes: {} } })
})
