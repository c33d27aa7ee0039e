import { describe, expect, test } from 'vitest'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { faulty, post, until } from './faulty.ts'
import { sender } from './sender.ts'

describe('status', () => {
  test('answers it with the endpoint’s headers and body; the row and the answer that went out are kept', async () => {
    const { capture, post } = await faulty([{}])
    const [answer] = (await post()).answers
    expect(answer?.status).toBe(503)
    expect(answer?.headers.slice(0, 4)).toEqual(['X-A', '1', 'Content-Length', '7'])
    expect(answer?.body.toString()).toBe('gracias')
    expect(capture.deliveries[0]?.answer?.status).toBe(201)
    const [took, ...others] = capture.took
    expect(others).toEqual([])
    expect(took).toMatchObject({ id: 1, tookUs: expect.any(Number) })
    expect(took?.instead).toEqual({
      by: { by: 'fault', effect: 'status' },
      answer: { status: 503, headers: ['X-A', '1', 'Content-Length', '7'], body: Buffer.from('gracias') },
    })
  })

  test('gives a 204 no body, and a body back to an endpoint whose own status has none', async () => {
    const bare = await faulty([{ effect: { type: 'status', status: 204 } }])
    expect((await bare.post()).bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 204 (?!.*Content-Length)/s)
    const own = await faulty([{ effect: { type: 'status', status: 500 } }], { answer: { status: 204 } })
    expect((await own.post()).answers[0]).toMatchObject({ status: 500, body: Buffer.from('gracias') })
  })

  test('HEAD is told the length and gets no body', async () => {
    const { port, capture } = await faulty([{}])
    const { bytes, answers } = await raw({ port }, requestBytes('HEAD', '/', ''), { head: true })
    expect(answers[0]?.headers.slice(2, 4)).toEqual(['Content-Length', '7'])
    expect(bytes.toString('latin1').endsWith('\r\n\r\n')).toBe(true)
    expect(capture.took[0]?.instead?.answer?.body.length).toBe(0)
  })

  test('keeps the connection: the next one on it meets the next fate', async () => {
    const { port } = await faulty([{ next: 1 }])
    const two = Buffer.concat([post('/1'), post('/2')])
    expect((await raw({ port }, two, { answers: 2 })).answers.map((a) => a.status)).toEqual([503, 201])
    const kept = await raw({ port }, [post('/3'), 20, post('/4')], { answers: 2 })
    expect(kept.answers.map((a) => a.status)).toEqual([201, 201])
  })

  test('is answered for a disabled endpoint too, which then has nothing to say', async () => {
    const { post } = await faulty([{ endpoint: 'off' }])
    expect((await post('/off')).answers[0]).toMatchObject({ status: 503, body: Buffer.alloc(0) })
  })
})

describe('delay', () => {
  test('is added to the endpoint’s own, and storing does not wait for it', async () => {
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

  test('a sender that leaves meanwhile: nobody was there to take it', async () => {
    const { capture, port } = await faulty([{ effect: { type: 'delay', ms: 600_000 } }])
    const { socket } = await sender(port, post('/'))
    await capture.kept(1)
    socket.resetAndDestroy()
    await until(() => capture.took.length > 0)
    expect(capture.took).toMatchObject([{ id: 1, tookUs: null, instead: { by: { effect: 'delay' } } }])
  })

  test('behind it, pipelined answers keep their order', async () => {
    const { port } = await faulty([{ endpoint: 'other', effect: { type: 'delay', ms: 60 } }, {}])
    const { answers } = await raw({ port }, Buffer.concat([post('/other'), post('/')]), { answers: 2 })
    expect(answers.map((a) => a.status)).toEqual([201, 503])
  })
})

describe('hang', () => {
  const hang = { effect: { type: 'hang' } } as const

  test('is stored, and nothing is answered while the sender stays; what is behind it on the connection is stored too', async () => {
    const { capture, port } = await faulty([{ ...hang, endpoint: 'other' }])
    const { text, came } = await sender(port, Buffer.concat([post('/1'), post('/other'), post('/3')]))
    await capture.kept(3)
    await came('gracias')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(text().match(/HTTP/g)?.length).toBe(1)
    expect(capture.took).toEqual([
      { id: 1, tookUs: expect.any(Number) },
      { id: 2, tookUs: null, instead: { by: { by: 'fault', effect: 'hang' }, answer: null } },
      // Nobody answered instead, and none will ever be given.
      { id: 3, tookUs: null, instead: { by: null, answer: null } },
    ])
  })

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'ends when the sender leaves by %s',
    async (leave) => {
      const { receiver, capture, port } = await faulty([hang], { times: { halfClose: 0, stop: 10_000 } })
      const { socket } = await sender(port, post('/'))
      await until(() => capture.took.length > 0)
      socket[leave]()
      await until(() => socket.closed)
      await receiver.stop()
    },
  )

  test('holds a sender that had closed its sending half with the request', async () => {
    const { capture, port } = await faulty([hang], { times: { hang: 150 } })
    const sentAt = performance.now()
    const { bytes, closed } = await raw({ port }, post('/'), { endAfter: true, answers: 0 })
    expect([bytes.length, closed, capture.took.length]).toEqual([0, true, 1])
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(145)
  })

  test('is bounded in time', async () => {
    const { port } = await faulty([hang], { times: { hang: 80 } })
    const { ended, text } = await sender(port, post('/'))
    expect([await ended, text()]).toEqual(['end', ''])
  })

  test('stopping the receiver does not wait for it', async () => {
    const { receiver, capture, port } = await faulty([hang], { times: { stop: 10_000 } })
    const waiting = await Promise.all([1, 2, 3].map((n) => sender(port, post(`/${n}`))))
    await until(() => capture.took.length === 3)
    const stoppedAt = performance.now()
    await receiver.stop()
    expect(performance.now() - stoppedAt).toBeLessThan(5_000)
    expect(await Promise.all(waiting.map(({ ended }) => ended))).toEqual(['end', 'end', 'end'])
    expect(capture.took.length).toBe(3)
  })

  test('a body still coming behind it is taken whole when the receiver stops', async () => {
    const { receiver, capture, port } = await faulty([{ ...hang, next: 1 }], { times: { stop: 10_000 } })
    const { socket } = await sender(port, post('/'))
    await until(() => capture.took.length > 0)
    socket.write('POST /late HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const stopping = receiver.stop()
    socket.write('def')
    await stopping
    expect(capture.deliveries[1]).toMatchObject({ url: '/late', malformed: null, bodySize: 6 })
  })
})

describe('reset', () => {
  const reset = { effect: { type: 'reset' } } as const

  test('is stored, then the sender gets a TCP reset and not a byte', async () => {
    const { capture, port } = await faulty([reset])
    const { ended, text } = await sender(port, post('/'))
    expect([await ended, text()]).toEqual(['reset', ''])
    expect(capture.deliveries.length).toBe(1)
    expect(capture.took).toEqual([
      { id: 1, tookUs: null, instead: { by: { by: 'fault', effect: 'reset' }, answer: null } },
    ])
  })

  test('answers owed before it go out first', async () => {
    const { capture, port } = await faulty([
      { ...reset, endpoint: 'other' },
      { effect: { type: 'delay', ms: 80 } },
    ])
    const { ended, text } = await sender(port, Buffer.concat([post('/'), post('/other'), post('/')]))
    expect(await ended).toBe('reset')
    expect(text().match(/gracias/g)?.length).toBe(1)
    await until(() => capture.took.length === 3)
    expect(capture.took.map(({ id, tookUs }) => [id, tookUs !== null]).sort()).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ])
  })

  test('comes when the endpoint’s answer would have', async () => {
    const { port } = await faulty([reset], { answer: { delayMs: 100 } })
    const sentAt = performance.now()
    await (await sender(port, post('/'))).ended
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(95)
  })
})

describe('close-mid-answer', () => {
  const cut = { effect: { type: 'close-mid-answer' } } as const

  test('announces the body and closes in the middle of it; what went out is what is kept', async () => {
    const { capture, port } = await faulty([cut])
    const { ended, text } = await sender(port, post('/'))
    expect(await ended).toBe('end')
    expect(text()).toMatch(/^HTTP\/1\.1 201 Created\r\n(?:.+\r\n)*X-A: 1\r\nContent-Length: 7\r\n\r\ngra$/)
    expect(capture.took).toEqual([
      {
        id: 1,
        tookUs: expect.any(Number),
        instead: {
          by: { by: 'fault', effect: 'close-mid-answer' },
          answer: { status: 201, headers: ['X-A', '1', 'Content-Length', '7'], body: Buffer.from('gra') },
        },
      },
    ])
  })

  test.each([
    ['an empty body', { body: '' }, 201],
    ['a body of one byte, which has no middle', { body: '1' }, 201],
    ['a status that has no body', { body: '', status: 204 }, 200],
  ])('%s: a body is announced all the same', async (_what, answer, status) => {
    const { port } = await faulty([cut], { answer })
    const { ended, text } = await sender(port, post('/'))
    await ended
    const [head = '', body = ''] = text().split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toContain('Content-Length: 1024')
    expect(body.length).toBe(512)
  })

  test('of an answer to HEAD, which has no body, half of the head goes out', async () => {
    const { port } = await faulty([cut])
    const { ended, text } = await sender(port, requestBytes('HEAD', '/', ''))
    await ended
    expect(text()).toMatch(/^HTTP\/1\.1 201 /)
    expect(text()).not.toContain('\r\n\r\n')
  })

  test('answers owed before it go out first, and nothing behind it', async () => {
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

  test('a sender that leaves before its turn: nobody was there', async () => {
    const { capture, port } = await faulty([
      { ...cut, endpoint: 'other' },
      { effect: { type: 'delay', ms: 600_000 } },
    ])
    const { socket } = await sender(port, Buffer.concat([post('/'), post('/other')]))
    await capture.kept(2)
    socket.resetAndDestroy()
    await until(() => capture.took.length === 2)
    expect(capture.took.map(({ tookUs }) => tookUs)).toEqual([null, null])
  })
})
