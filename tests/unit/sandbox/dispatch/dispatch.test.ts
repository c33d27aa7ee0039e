import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { headerValues, hookReceiver } from '../../../support/hook-receiver.ts'
import { opened } from '../../../support/listening-port.ts'
import { runningSandbox, subscribedSandbox } from '../../../support/running-sandbox.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

async function subscribed(subscription: object, deliveryTimeoutMs = 10_000) {
  const service = await runningSandbox({ deliveryTimeoutMs })
  const { status, body } = await service.client.admin('POST', '/subscriptions', subscription)
  expect([status, body.error]).toEqual([201, undefined])
  const emit = async (kind = 'factura.created', count = 1) => {
    const { body } = await service.client.admin('POST', '/emit', { kind, count })
    return { run: body.run as string, events: body.events, entries: await service.client.ended(body.run) }
  }
  return { ...service, emit }
}

const header = (name: string, value: string) => ({ name, value })

/** A receiver that calls `act` with the connection of each request. */
async function answering(act: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => act(socket))
  })
  onTestFinished(() => void server.close())
  return { server, url: `http://127.0.0.1:${await opened(server)}/` }
}

describe('an event reaches each matching subscription once (What the service does, rules 1 to 4)', () => {
  test('with the envelope as body, the target as it stands and the custom headers as they were written', async () => {
    const hook = await hookReceiver()
    const headers = [header('X-Webhook-Secret', 'shared'), header('x-MiXeD', 'a, b'), header('x-MiXeD', 'c')]
    const { emit } = await subscribed({ url: `${hook.url}?a=1&b=%20`, headers })
    const { events, entries } = await emit()
    const [received] = await hook.count(1)
    expect(received).toMatchObject({ method: 'POST', url: '/hook?a=1&b=%20' })
    expect(received?.body.toString()).toBe(events[0].body)
    expect(received?.headers.join('\n')).toContain('X-Webhook-Secret\nshared\nx-MiXeD\na, b\nx-MiXeD\nc')
    expect(received && headerValues(received, 'content-type')).toEqual(['application/json; charset=utf-8'])
    expect(entries).toMatchObject([{ outcome: 'delivered', status: 200, lost: false, method: 'POST' }])
    expect(entries[0].request.head).toContain('x-MiXeD: c')
  })

  test('a custom Content-Type takes the place of the usual one', async () => {
    const hook = await hookReceiver()
    const { emit } = await subscribed({ url: hook.url, headers: [header('content-type', 'text/plain')] })
    await emit()
    const [received] = await hook.count(1)
    expect(received && headerValues(received, 'content-type')).toEqual(['text/plain'])
  })
})

describe('exactly one attempt (Delivery rules, 1)', () => {
  test.each([200, 201, 202, 204, 299, 301, 302, 400, 401, 404, 429, 500, 503])(
    'an answer %i counts as received from 200 to 299 alone, and is neither retried nor followed',
    async (status) => {
      const hook = await hookReceiver((_, response) =>
        response.writeHead(status, { Location: '/other' }).end('no'),
      )
      const { emit } = await subscribed({ url: hook.url })
      const lost = status > 299
      const outcome = lost ? 'refused' : 'delivered'
      const answer = { body: status === 204 ? '' : 'no' }
      expect((await emit()).entries).toMatchObject([{ outcome, status, lost, answer }])
      expect(hook.received).toHaveLength(1)
    },
  )

  test('a receiver that says nothing is given up after the time-out', async () => {
    const hook = await hookReceiver(() => {})
    const { emit } = await subscribed({ url: hook.url }, 400)
    expect((await emit()).entries).toMatchObject([{ outcome: 'timed-out', status: null, lost: true }])
    expect(hook.received).toHaveLength(1)
  })

  test('a status that came in time counts, though the body never ends', async () => {
    const hook = await hookReceiver((_, response) => response.writeHead(200).write('begun'))
    const { entries } = await (await subscribed({ url: hook.url }, 400)).emit()
    expect(entries).toMatchObject([
      { outcome: 'delivered', status: 200, lost: false, errorCode: 'timeout', answer: { body: 'begun' } },
    ])
    expect(entries[0].error).toContain('no whole answer')
  })

  test('a receiver that closes, or is not there, is a failure and not retried', async () => {
    let requests = 0
    const { server, url } = await answering((socket) => {
      requests += 1
      socket.destroy()
    })
    const { emit } = await subscribed({ url })
    expect((await emit()).entries).toMatchObject([{ outcome: 'failed', lost: true }])
    expect(requests).toBe(1)
    await new Promise((resolve) => server.close(resolve))
    const { entries } = await emit()
    expect(entries).toMatchObject([{ outcome: 'failed', lost: true, errorCode: 'connection' }])
    expect(entries[0].error).toContain('ECONNREFUSED')
  })

  test('a receiver that closes behind its answer without saying so loses nothing', async () => {
    let requests = 0
    const { url } = await answering((socket) => {
      requests += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', () =>
        setTimeout(() => socket.destroy(), 1),
      )
    })
    const { entries } = await (await subscribed({ url })).emit('factura.created', 200)
    expect([entries.filter(({ outcome }) => outcome !== 'delivered'), requests]).toEqual([[], 200])
  })

  test('a long answer is read in part', async () => {
    const hook = await hookReceiver((_, response) => response.end(Buffer.alloc(300_000, 'x')))
    const { entries } = await (await subscribed({ url: hook.url })).emit()
    expect(entries).toMatchObject([{ outcome: 'delivered', answer: { truncated: true } }])
    expect(entries[0].answer.body).toHaveLength(65_536)
  })
})

describe('order and independence', () => {
  test('events of one subject come one after the other, those of others meanwhile', async () => {
    const open: (() => void)[] = []
    const { client, sandbox, hook } = await subscribedSandbox({}, (_, response) => {
      open.push(() => response.end())
    })
    const [one, other] = ['1', '2'].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
    for (const [n, DocumentId] of [one, one, one, other].entries())
      await client.admin('POST', '/emit', { kind: 'factura.updated', data: { DocumentId, n: n + 1 } })
    await hook.count(2)
    const bodies = () => hook.received.map(({ body }) => JSON.parse(body.toString()).data)
    expect(bodies()).toEqual([
      { DocumentId: one, n: 1 },
      { DocumentId: other, n: 4 },
    ])
    while (hook.received.length < 4) {
      for (const answer of open.splice(0)) answer()
      await hook.count(Math.min(4, hook.received.length + 1))
    }
    for (const answer of open.splice(0)) answer()
    expect(bodies().map(({ n }) => n)).toEqual([1, 4, 2, 3])
    await sandbox.close()
  })

  test('one hanging receiver holds up no other subscription', { tags: 'long' }, async () => {
    const { client, hook: hanging } = await subscribedSandbox({}, () => {}, { deliveryTimeoutMs: 60_000 })
    const quick = await hookReceiver()
    await client.admin('POST', '/subscriptions', { url: quick.url })
    await client.admin('POST', '/emit', { kind: 'customer.created', count: 300 })
    await quick.count(300)
    expect(hanging.received.length).toBeLessThanOrEqual(16)
  })

  test('a removed subscription gets nothing more, and the log says why', async () => {
    const { client, hook: hanging } = await subscribedSandbox({}, () => {}, { deliveryTimeoutMs: 300 })
    const { body } = await client.admin('POST', '/emit', { kind: 'customer.created', count: 50 })
    await hanging.count(16)
    await client.admin('DELETE', '/subscriptions/1')
    const entries = await client.ended(body.run)
    expect(entries).toHaveLength(50)
    expect(entries.filter(({ errorCode }) => errorCode === 'subscription-removed')).toHaveLength(34)
    expect(hanging.received).toHaveLength(16)
  })

  test('what cannot be sent before the end is in the log', { tags: 'long' }, async () => {
    const options = { deliveryTimeoutMs: 60_000, file: join(tempFolder(), 'sandbox.db') }
    const { client, sandbox, hook: hanging } = await subscribedSandbox({}, () => {}, options)
    await client.admin('POST', '/emit', { kind: 'customer.created', count: 50 })
    await hanging.count(16)
    await sandbox.close()
    expect(hanging.received).toHaveLength(16)
    const { client: again } = await runningSandbox({ file: options.file })
    const { body } = await again.admin('GET', '/log?lost=true')
    expect(body.total).toBe(50)
    expect(body.entries.every(({ errorCode }: { errorCode: string }) => errorCode === 'stopped')).toBe(true)
  })
})

test('the connectivity test (What the service does, rule 7; sandbox choices) goes out with the configured method, on any plan and to an inactive subscription, and is no event', async () => {
  const hook = await hookReceiver()
  const { client } = await subscribed({ url: hook.url, method: 'PUT', active: false, kinds: [] })
  await client.admin('PUT', '/workspace', { plan: 'Básico' })
  const { status, body } = await client.admin('POST', '/subscriptions/1/test')
  expect([status, body.outcome, body.type]).toEqual([200, 'delivered', 'test'])
  const [received] = await hook.count(1)
  expect(received?.method).toBe('PUT')
  expect(JSON.parse(received?.body.toString() ?? '')).toEqual({
    Event: 'test.connection',
    Timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?-04:00$/),
    data: {},
  })
  expect((await client.admin('GET', '/state')).body.log).toEqual({ outcomes: {}, lost: 0 })
  expect((await client.admin('GET', '/log?type=event')).body.entries).toEqual([])
})
