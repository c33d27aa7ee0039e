import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { anEvent } from '../../support/events.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { until } from '../../support/until.ts'
import { faulty, post, rig, sender } from './rig.ts'

test('status: answers it with the endpoint’s headers and body; the row and the answer that went out are kept', async () => {
  const { capture, post } = await faulty([{}])
  const [answer] = (await post()).answers
  expect(answer?.status).toBe(503)
  expect(answer?.headers.slice(0, 4)).toEqual(['X-A', '1', 'Content-Length', '7'])
  expect(answer?.body.toString()).toBe('gracias')
  expect(capture.deliveries[0]?.answer?.status).toBe(201)
  const given = { status: 503, headers: ['X-A', '1', 'Content-Length', '7'], body: Buffer.from('gracias') }
  const instead = { by: { by: 'fault', effect: 'status' }, answer: given }
  expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number), instead }])
})

test('status: gives a 204 no body, and a body back to an endpoint whose own status has none', async () => {
  const bare = await faulty([{ effect: { type: 'status', status: 204 } }])
  expect((await bare.post()).bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 204 (?!.*Content-Length)/s)
  const own = await faulty([{ effect: { type: 'status', status: 500 } }], { answer: { status: 204 } })
  expect((await own.post()).answers[0]).toMatchObject({ status: 500, body: Buffer.from('gracias') })
})

test('status: keeps the connection: the next one on it meets the next fate', async () => {
  const { port } = await faulty([{ next: 1 }])
  const two = Buffer.concat([post('/1'), post('/2')])
  expect((await raw({ port }, two, { answers: 2 })).answers.map((a) => a.status)).toEqual([503, 201])
  const kept = await raw({ port }, [post('/3'), 20, post('/4')], { answers: 2 })
  expect(kept.answers.map((a) => a.status)).toEqual([201, 201])
})

test('status: is answered for a disabled endpoint too, which then has nothing to say', async () => {
  const { post } = await faulty([{ endpoint: 'off' }])
  expect((await post('/off')).answers[0]).toMatchObject({ status: 503, body: Buffer.alloc(0) })
})

test('delay: is added to the endpoint’s own, and storing does not wait for it', async () => {
  const { capture, port } = await faulty([{ effect: { type: 'delay', ms: 150 } }], {
    answer: { delayMs: 100 },
  })
  const sentAt = performance.now()
  const answering = raw({ port }, post('/'))
  await capture.kept(1)
  expect(capture.took).toEqual([])
  expect((await answering).answers[0]).toMatchObject({ status: 201, body: Buffer.from('gracias') })
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(245)
  expect(capture.took[0]?.instead).toMatchObject({ by: { effect: 'delay' }, answer: { status: 201 } })
  expect(capture.took[0]?.tookUs).toBeGreaterThanOrEqual(245_000)
})

test('delay: a sender that leaves meanwhile: nobody was there to take it', async () => {
  const { capture, port } = await faulty([{ effect: { type: 'delay', ms: 600_000 } }])
  const { socket } = await sender(port, post('/'))
  await capture.kept(1)
  socket.resetAndDestroy()
  await until(() => capture.took.length > 0)
  expect(capture.took).toMatchObject([{ id: 1, tookUs: null, instead: { by: { effect: 'delay' } } }])
})

const hang = { effect: { type: 'hang' } } as const

test('hang: is stored, and nothing is answered while the sender stays; what is behind it on the connection is stored too', async () => {
  const { capture, port } = await faulty([{ ...hang, endpoint: 'other' }])
  const { text, came } = await sender(port, Buffer.concat([post('/1'), post('/other'), post('/3')]))
  await capture.kept(3)
  await came('gracias')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(text().match(/HTTP/g)?.length).toBe(1)
  expect(capture.took).toEqual([
    { id: 1, tookUs: expect.any(Number) },
    { id: 2, tookUs: null, instead: { by: { by: 'fault', effect: 'hang' }, answer: null } },
    // No other answer was given, and none will be.
    { id: 3, tookUs: null, instead: { by: null, answer: null } },
  ])
})

test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'hang: ends when the sender leaves by %s',
  async (leave) => {
    const { receiver, capture, port } = await faulty([hang], { times: { halfClose: 0, stop: 10_000 } })
    const { socket } = await sender(port, post('/'))
    await until(() => capture.took.length > 0)
    socket[leave]()
    await until(() => socket.closed)
    await receiver.stop()
  },
)

test.each([false, true])('hang: is bounded in time (a closed sending half: %s)', async (endAfter) => {
  const { capture, port } = await faulty([hang], { times: { hang: 150 } })
  const sentAt = performance.now()
  const { bytes, closed } = await raw({ port }, post('/'), { endAfter, answers: 0 })
  expect([bytes.length, closed, capture.took.length]).toEqual([0, true, 1])
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(145)
})

test('hang: stopping the receiver does not wait for it', async () => {
  const { receiver, capture, port } = await faulty([hang], { times: { stop: 10_000 } })
  const waiting = await Promise.all([1, 2, 3].map((n) => sender(port, post(`/${n}`))))
  await until(() => capture.took.length === 3)
  const stoppedAt = performance.now()
  await receiver.stop()
  expect(performance.now() - stoppedAt).toBeLessThan(5_000)
  expect(await Promise.all(waiting.map(({ ended }) => ended))).toEqual(['end', 'end', 'end'])
  expect(capture.took.length).toBe(3)
})

const reset = { effect: { type: 'reset' } } as const

test('reset: is stored, then the sender gets a TCP reset and not a byte', async () => {
  const { capture, port } = await faulty([reset])
  const { ended, text } = await sender(port, post('/'))
  expect([await ended, text()]).toEqual(['reset', ''])
  expect(capture.deliveries.length).toBe(1)
  expect(capture.took).toEqual([
    { id: 1, tookUs: null, instead: { by: { by: 'fault', effect: 'reset' }, answer: null } },
  ])
})

const cut = { effect: { type: 'close-mid-answer' } } as const

test('close-mid-answer: announces the body and closes in the middle of it; what went out is what is kept', async () => {
  const { capture, port } = await faulty([cut])
  const { ended, text } = await sender(port, post('/'))
  expect(await ended).toBe('end')
  expect(text()).toMatch(/^HTTP\/1\.1 201 Created\r\n(?:.+\r\n)*X-A: 1\r\nContent-Length: 7\r\n\r\ngra$/)
  const answer = { status: 201, headers: ['X-A', '1', 'Content-Length', '7'], body: Buffer.from('gra') }
  const instead = { by: { by: 'fault', effect: 'close-mid-answer' }, answer }
  expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number), instead }])
})

test.each([
  ['an empty body', { body: '' }, 201],
  ['a body of one byte, which has no middle', { body: '1' }, 201],
  ['a status that has no body', { body: '', status: 204 }, 200],
])('close-mid-answer: %s: a body is announced all the same', async (_what, answer, status) => {
  const { port } = await faulty([cut], { answer })
  const { ended, text } = await sender(port, post('/'))
  await ended
  const [head = '', body = ''] = text().split('\r\n\r\n')
  expect(head).toContain(`HTTP/1.1 ${status} `)
  expect(head).toContain('Content-Length: 1024')
  expect(body.length).toBe(512)
})

test('close-mid-answer: answers owed before it go out first, and nothing behind it', async () => {
  const { capture, port } = await faulty([
    { ...cut, endpoint: 'other' },
    { effect: { type: 'delay', ms: 60 } },
  ])
  const { ended, text } = await sender(port, Buffer.concat([post('/'), post('/other'), post('/')]))
  expect(await ended).toBe('end')
  expect(text().match(/HTTP/g)?.length).toBe(2)
  expect(text().endsWith('\r\n\r\ngra')).toBe(true)
  await until(() => capture.took.length === 3)
  expect(capture.took.find(({ id }) => id === 3)?.tookUs).toBeNull()
})

test('whom a rule meets: those whose body makes them of its kind, or of its verdict', async () => {
  const { post } = await faulty([
    { filter: 'kind:factura.created', effect: { type: 'status', status: 500 } },
    { filter: 'verdict:unreadable', effect: { type: 'status', status: 501 } },
  ])
  const json = ['Content-Type', 'application/json']
  const statusOf = async (body: Buffer | string, headers: readonly string[] = json) =>
    (await post('/', body, headers)).answers[0]?.status
  const invoice = JSON.stringify(anEvent('factura.created'))
  expect(await statusOf(invoice)).toBe(500)
  expect(await statusOf(invoice, [...json, 'Content-Encoding', 'identity'])).toBe(500)
  expect(await statusOf(JSON.stringify(anEvent('customer.created')))).toBe(201)
  expect(await statusOf('not json')).toBe(501)
  // Encoded, or longer than a piece: not analysed yet, so it has no kind.
  expect(await statusOf(gzipSync(invoice), [...json, 'Content-Encoding', 'gzip'])).toBe(201)
  expect(await statusOf(' '.repeat(1_100_000) + invoice)).toBe(201)
})

test('whom a rule meets: never one that is rejected or malformed', async () => {
  const { capture, port, faults } = await faulty([{}])
  expect((await raw({ port }, post('/closed'))).answers[0]?.status).toBe(401)
  expect((await raw({ port }, 'GARBAGE\r\n\r\n', { answers: 0 })).answers[0]?.status).toBe(400)
  await raw({ port }, ['POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc', 20], {
    resetAfter: true,
    answers: 0,
  })
  await capture.kept(3)
  expect(faults.list()).toMatchObject([{ matched: 0 }])
  expect(capture.took.every(({ instead }) => instead === undefined)).toBe(true)
  const accepted = requestBytes('POST', '/closed', '{}', ['X-Key', 's'])
  expect((await raw({ port }, accepted)).answers[0]?.status).toBe(503)
})

test('what a rule must not do: keep a delivery from its answer when it fails', async () => {
  const faults = {
    active: () => true,
    decide: () => {
      throw new Error('odd')
    },
  }
  const { statuses, warnings } = await rig({ answering: { faults, replays: null } })
  expect(await statuses(post('/'))).toEqual([200])
  expect(warnings).toEqual([expect.stringContaining('odd')])
})

test('what a rule must not do: happen before the delivery is stored, or to one that is not', async () => {
  const { capture, port, faults } = await faulty([{ effect: { type: 'reset' } }])
  const release = capture.hold()
  const { ended, socket } = await sender(port, post('/'))
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect([faults.list()[0]?.matched, socket.closed]).toEqual([0, false])
  release()
  expect(await ended).toBe('reset')
  capture.failure = new Error('disk full')
  expect((await raw({ port }, post('/'), { answers: 0 })).answers[0]?.status).toBe(503)
  expect(faults.list()[0]?.matched).toBe(1)
})

test('two pipelined deliveries that cannot be stored: the first is told so, and the connection ends', async () => {
  const { capture, port } = await rig()
  capture.failure = new Error('disk full')
  const { answers, closed } = await raw({ port }, Buffer.concat([post('/1'), post('/2')]), { answers: 0 })
  expect([answers.map((a) => a.status), closed]).toEqual([[503], true])
})
