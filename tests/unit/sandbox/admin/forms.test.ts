import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import { words } from '../../../support/words.ts'

const URL_ = 'https://example.com/hook'
const error = { code: expect.any(String), message: expect.stringMatching(/^.{5,1100}\.$/s) }
const refusal = { error: expect.objectContaining(error) }

describe('subscriptions (What the service does, rule 6)', () => {
  test('are POST to all 28 kinds and active unless told otherwise', async () => {
    const { client } = await runningSandbox()
    const { status, body } = await client.admin('POST', '/subscriptions', { url: URL_ })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: 1,
      name: URL_,
      url: URL_,
      method: 'POST',
      headers: [],
      kinds: KINDS.map(({ kind }) => kind),
      active: true,
      warnings: [],
    })
    expect((await client.admin('GET', '/subscriptions')).body.subscriptions).toEqual([body])
  })

  test('a change leaves alone what it does not name; ids are not used again', async () => {
    const { client } = await runningSandbox()
    const { body: before } = await client.admin('POST', '/subscriptions', {
      url: URL_,
      headers: [{ name: 'X-A', value: '1' }],
    })
    const { body: after } = await client.admin('PUT', '/subscriptions/1', { method: 'GET', active: false })
    expect(after).toEqual({ ...before, method: 'GET', active: false })
    await client.admin('DELETE', '/subscriptions/1')
    expect((await client.admin('POST', '/subscriptions', { url: URL_ })).body.id).toBe(2)
    for (const [method, path] of [
      ['PUT', '/subscriptions/1'],
      ['DELETE', '/subscriptions/1'],
      ['POST', '/subscriptions/1/test'],
    ] as const)
      expect((await client.admin(method, path, {})).status).toBe(404)
  })

  test('an http address that is not of this machine gets a warning (Authentication, rule 2)', async () => {
    const { client } = await runningSandbox()
    const warned = async (url: string) =>
      (await client.admin('POST', '/subscriptions', { url })).body.warnings.length > 0
    for (const url of ['http://example.com/', 'http://10.0.0.1/', 'http://127.0.0.1.example.com/'])
      expect([url, await warned(url)]).toEqual([url, true])
    for (const url of words('https://example.com/ http://localhost:3000/ http://127.0.0.1/ http://[::1]:80/'))
      expect([url, await warned(url)]).toEqual([url, false])
  })
})

/** For each call: bodies that must get a sentence and change nothing. */
const WRONG: readonly (readonly [method: string, path: string, bodies: readonly unknown[]])[] = [
  [
    'POST',
    '/subscriptions',
    [
      {},
      { url: 7 },
      { url: '' },
      { url: 'example.com' },
      { url: 'ftp://example.com/' },
      { url: 'file:///etc/hosts' },
      { url: 'https://user:secret@example.com/' },
      { url: `https://example.com/${'x'.repeat(9_000)}` },
      { url: URL_, method: 'PATCH' },
      { url: URL_, method: 'post' },
      { url: URL_, kinds: ['factura.creada'] },
      { url: URL_, kinds: ['factura.created', 'factura.created'] },
      { url: URL_, kinds: 'factura.created' },
      { url: URL_, headers: { 'X-A': '1' } },
      { url: URL_, headers: [{ name: 'X A', value: '1' }] },
      { url: URL_, headers: [{ name: '', value: '1' }] },
      { url: URL_, headers: [{ name: 'X-A', value: 'a\r\nX-B: 1' }] },
      { url: URL_, headers: [{ name: 'X-A', value: '日本' }] },
      { url: URL_, headers: [{ name: 'X-A' }] },
      { url: URL_, headers: [{ name: 'Content-Length', value: '1' }] },
      { url: URL_, headers: [{ name: 'transfer-encoding', value: 'chunked' }] },
      { url: URL_, headers: [{ name: 'Host', value: 'other' }] },
      { url: URL_, active: 'yes' },
      { url: URL_, name: '' },
      { url: URL_, name: 'x'.repeat(201) },
      { url: URL_, name: 'a\u0000b' },
      { url: URL_, name: 'a\ud83db' },
      { url: 'https://example.com/\ud800' },
      { url: 'https://example.com/\t' },
      { url: URL_, colour: 'red' },
      [],
      null,
      '"text"',
      '{',
      '{"url":}',
      '\ufeff{}',
    ],
  ],
  ['PUT', '/subscriptions/1', [{ url: 'nowhere' }, { id: 9 }, { kinds: [1] }, { method: null }]],
  ['PUT', '/subscriptions/x', [{}]],
  ['PUT', '/subscriptions/1e3', [{}]],
  [
    'PUT',
    '/workspace',
    [
      { plan: 7 },
      { plan: '' },
      { offset: 'Z' },
      { offset: '-0400' },
      { offset: '+25:00' },
      { seed: 1 },
      { name: null },
    ],
  ],
  [
    'PUT',
    '/laboratory',
    [
      { lose: 0.5 },
      { lose: { share: 2 } },
      { lose: { share: -0.1 } },
      { lose: { share: '0.5' } },
      { lose: { share: 0.5, kinds: ['cobro.registrado'] } },
      { delay: { leastMs: 1.5 } },
      { delay: { mostMs: 1e9 } },
      { sync: { fault: 'error-418' } },
      { sync: { casing: 'kebab' } },
      { seed: -1 },
      { seed: 1e20 },
      { explode: true },
    ],
  ],
  [
    'POST',
    '/emit',
    [
      {},
      { kind: 'test.connection' },
      { kind: 'Factura.created' },
      { kind: 7 },
      { kind: 'factura.created', count: 0 },
      { kind: 'factura.created', count: 1_001 },
      { kind: 'factura.created', count: '3' },
      { kind: 'factura.created', set: [] },
      { kind: 'factura.created', set: { nowhere: 1 } },
      { kind: 'factura.created', set: { '/data/no/such/place': 1 } },
      { kind: 'factura.created', seed: 0.5 },
      { kind: '__proto__' },
    ],
  ],
  ['POST', '/operations/no-such-operation', [{}]],
  ['POST', '/operations/__proto__', [{}]],
  [
    'POST',
    '/operations/create-invoice',
    [
      [],
      null,
      { lines: 0 },
      { lines: 51 },
      { lines: '2' },
      { type: 'E99' },
      { colour: 1 },
      { unitPrice: 'much' },
    ],
  ],
  ['POST', '/operations/edit-amount', [{}, { id: 'x' }, { id: '00000000-0000-4000-8000-000000000000' }]],
  ['POST', '/scenarios/no-such-scenario', [{}]],
  ['POST', '/scenarios/burst', [{ count: 0 }, { count: 1e9 }, { count: 'all' }, { seed: -1 }]],
  [
    'POST',
    '/traffic',
    [
      {},
      { rate: 0 },
      { rate: 501 },
      { rate: 1, mix: {} },
      { rate: 1, mix: { 'factura.created': -1 } },
      { rate: 1, mix: { x: 1 } },
    ],
  ],
  ['POST', '/keys', [{ name: '' }, { name: 7 }, { name: 'Acuse' }, { key: 'mine' }]],
  [
    'POST',
    '/plugins',
    [
      { url: 'nowhere' },
      { eventTypes: ['factura.created'] },
      { active: 1 },
      { token: 'mine' },
      { name: 'Acuse' },
    ],
  ],
  ['PUT', '/plugins/99', [{}]],
  ['POST', '/reset', [{ seed: 'x' }, { subscriptions: 1 }, { everything: true }]],
]

describe('bad input gets a sentence, and nothing is changed', () => {
  test('every field of every call', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const everything = async () =>
      JSON.stringify([
        (await client.admin('GET', '/state')).body,
        (await client.admin('GET', '/subscriptions')).body,
        (await client.admin('GET', '/keys')).body,
        (await client.admin('GET', '/plugins')).body,
        (await client.sync('treasury-sync')).body,
      ])
    const before = await everything()
    for (const [method, path, bodies] of WRONG)
      for (const body of bodies) {
        const answer = await client.admin(method, path, body)
        expect([method, path, body, answer.status < 500 && answer.status >= 400]).toEqual([
          method,
          path,
          body,
          true,
        ])
        expect(answer.body).toEqual(refusal)
      }
    expect(await everything()).toBe(before)
    expect(hook.received).toEqual([])
  })

  test('wrong encodings and huge bodies', async () => {
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
    expect(await post(Buffer.from(text), { 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 415,
      body: refusal,
    })
    expect(await post(Buffer.alloc(17 * 1024 * 1024, ' '))).toMatchObject({ status: 413, body: refusal })
    expect(await post(Buffer.from('['.repeat(5_000_000)))).toMatchObject({ status: 400, body: refusal })
    expect((await client.admin('GET', '/subscriptions')).body.subscriptions).toEqual([])
  })
})

describe('reset, traffic, operations', () => {
  test('reset begins anew and keeps credentials and subscriptions', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    await client.admin('PUT', '/laboratory', { lose: { share: 0.5 } })
    const emitted = async () =>
      (await client.admin('POST', '/emit', { kind: 'customer.created' })).body.events[0].body
    const customers = async () => (await client.admin('GET', '/state')).body.counts.customers
    const [first, before] = [await emitted(), await customers()]
    const { body } = await client.admin('POST', '/reset', {})
    expect(body).toMatchObject({
      subscriptions: 1,
      keys: 1,
      plugins: 1,
      pending: 0,
      log: { outcomes: {}, lost: 0 },
    })
    expect(body.laboratory.lose.share).toBe(0)
    const data = (text: string) => JSON.parse(text).data
    expect(data(await emitted())).toEqual(data(first))
    expect(await customers()).toBe(before)
    expect((await client.admin('POST', '/reset', { subscriptions: true, seed: 5 })).body.subscriptions).toBe(
      0,
    )
  })

  test('reset ends what is under way, however slow the receiver', async () => {
    const { client } = await runningSandbox({ deliveryTimeoutMs: 60_000 })
    const hanging = await hookReceiver(() => {})
    await client.admin('POST', '/subscriptions', { url: hanging.url })
    await client.admin('POST', '/emit', { kind: 'customer.created', count: 40 })
    await hanging.count(16)
    const { body } = await client.admin('POST', '/reset', {})
    expect(body).toMatchObject({ pending: 0, log: { outcomes: {} } })
  })

  test('traffic comes at its rate and of its mix, and ends by itself', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const mix = { 'factura.created': 3, 'customer.created': 1 }
    const { body } = await client.admin('POST', '/traffic', { rate: 200, mix, count: 60 })
    expect(body).toMatchObject({ running: true, settings: { rate: 200, mix, count: 60 } })
    await hook.count(60)
    const state = (await client.admin('GET', '/traffic')).body
    expect(state).toMatchObject({ running: false, made: 60, ended: 'all events are made' })
    const kinds = hook.received.map(({ body }) => JSON.parse(body.toString()).Event)
    const invoices = kinds.filter((kind) => kind === 'factura.created').length
    expect(new Set(kinds)).toEqual(new Set(Object.keys(mix)))
    expect(invoices).toBeGreaterThan(30)
  })

  test('traffic is stopped by its call', async () => {
    const { client } = await runningSandbox()
    await client.admin('POST', '/traffic', { rate: 100 })
    expect((await client.admin('DELETE', '/traffic')).body).toMatchObject({
      running: false,
      ended: 'stopped',
    })
    const { made } = (await client.admin('GET', '/traffic')).body
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await client.admin('GET', '/traffic')).body.made).toBe(made)
  })

  test('a scenario in the background tells how far it is, and can be stopped', async () => {
    const { client } = await runningSandbox()
    const hook = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: hook.url })
    const { body: begun } = await client.admin('POST', '/scenarios/burst', {
      count: 50_000,
      background: true,
    })
    expect(begun).toMatchObject({ scenario: 'burst', running: true })
    await hook.count(10)
    const { body: stopped } = await client.admin('DELETE', `/runs/${begun.run}`)
    expect(stopped).toMatchObject({ running: false, error: 'stopped' })
    while ((await client.admin('GET', `/runs/${begun.run}`)).body.pending > 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    const { body: ended } = await client.admin('GET', `/runs/${begun.run}`)
    expect(ended.events).toBeLessThan(50_000)
    expect(hook.received).toHaveLength(ended.events)
    expect((await client.admin('GET', '/runs/unknown')).status).toBe(404)
  })

  test('operations are listed with their parameters and performed; emit takes content and pointers', async () => {
    const { client } = await runningSandbox()
    const { body } = await client.admin('GET', '/operations')
    expect(body.operations.map(({ name }: { name: string }) => name)).toContain('create-invoice')
    expect(body.scenarios.map(({ slug }: { slug: string }) => slug)).toContain('outage-day')
    const made = await client.admin('POST', '/operations/create-invoice')
    expect(made.body).toMatchObject({
      id: expect.any(String),
      events: [{ kind: 'factura.created', subject: made.body.id }],
    })
    const emitted = async (more: object) =>
      JSON.parse(
        (await client.admin('POST', '/emit', { kind: 'dgii.aprobado', ...more })).body.events[0].body,
      )
    expect((await emitted({ data: { a: 1 } })).data).toEqual({ a: 1 })
    expect((await emitted({ set: { '/data/StatusId': 'seven', '/data/New': [1] } })).data).toMatchObject({
      StatusId: 'seven',
      New: [1],
    })
    expect((await emitted({ set: { '/Event': 'otra.cosa' } })).Event).toBe('otra.cosa')
    const seeded = async () =>
      (await client.admin('POST', '/emit', { kind: 'customer.created', seed: 77 })).body
    const name = (answer: { events: { body: string }[] }) =>
      JSON.parse(answer.events[0]?.body ?? '').data.LegalName
    expect(name(await seeded())).toBe(name(await seeded()))
  })
})
