import { describe, expect, test } from 'vitest'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint } from './endpoint.ts'
import { only, rig } from './rig.ts'

const good = requestBytes('POST', '/good', '{"ok":1}')

/** What came after the odd one must be taken as ever. */
async function stillTakes(port: number) {
  expect((await raw({ port }, good)).answers[0]?.status).toBe(200)
}

describe('nothing vanishes: what is no whole request is kept', () => {
  test('bytes that are no HTTP: kept as they came, 400', async () => {
    const { capture, port } = await rig()
    const { answers, closed } = await raw({ port }, '\x16\x03\x01\x02\x00\x01hello\xff', { answers: 0 })
    expect(answers[0]?.status).toBe(400)
    expect(closed).toBe(true)
    const kept = only(capture)
    expect(kept).toMatchObject({
      malformed: 'unparseable',
      method: '',
      url: '',
      headers: [],
      rejected: false,
    })
    expect(capture.bytes(kept.body).toString('latin1')).toBe('\x16\x03\x01\x02\x00\x01hello\xff')
    expect(kept.answer?.status).toBe(400)
    expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number) }])
    await stillTakes(port)
  })

  test('a head that breaks in its third packet is kept from its first byte, with what its first line says', async () => {
    const { capture, port } = await rig({
      rules: { endpoints: [endpoint(), endpoint({ name: 'erp', path: '/erp' })] },
    })
    const steps = [
      'POST /erp/x HTTP/1.1\r\nA: b',
      20,
      '\r\nContent-Length: 1\r\n',
      20,
      'Bad\x00Name: 1\r\n\r\nx',
    ]
    await raw({ port }, steps, { answers: 0 })
    const kept = only(capture)
    expect(kept).toMatchObject({
      malformed: 'unparseable',
      method: 'POST',
      url: '/erp/x',
      httpVersion: '1.1',
      endpoint: 'erp',
    })
    expect(capture.bytes(kept.body).toString('latin1')).toBe(
      steps.filter((s) => typeof s === 'string').join(''),
    )
  })

  test('a head beyond 1 MiB: its first 64 KiB, 431', async () => {
    const { capture, port } = await rig()
    const { answers } = await raw({ port }, `POST / HTTP/1.1\r\nX: ${'y'.repeat(1_200_000)}`, { answers: 0 })
    expect(answers[0]?.status).toBe(431)
    expect(only(capture).bodySize).toBe(65_536)
  })

  test('a good request followed by garbage: both are kept, the good one is answered first', async () => {
    const { capture, port } = await rig({
      rules: { endpoints: [endpoint({ answer: { status: 200, headers: [], body: 'yes', delayMs: 50 } })] },
    })
    const { answers, closed } = await raw({ port }, Buffer.concat([good, Buffer.from('GARBAGE\r\n\r\n')]), {
      answers: 0,
    })
    expect(answers.map((a) => a.status)).toEqual([200, 400])
    expect(closed).toBe(true)
    expect(capture.deliveries.map((d) => d.malformed).sort()).toEqual([null, 'unparseable'].sort())
    const odd = capture.deliveries.find((d) => d.malformed)
    expect(capture.bytes(odd?.body ?? Buffer.alloc(0)).includes('GARBAGE')).toBe(true)
  })

  test('a body that breaks its chunked coding: what came, 400', async () => {
    const { capture, port } = await rig()
    const { answers } = await raw(
      { port },
      ['POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 20, 'zz\r\n'],
      { answers: 0 },
    )
    expect(answers[0]?.status).toBe(400)
    const kept = only(capture)
    expect(kept).toMatchObject({ malformed: 'unparseable', method: 'POST', url: '/c' })
    expect(capture.bytes(kept.body).toString()).toBe('abc')
  })

  test.each([
    ['in the packet of its head', 'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n', 0],
    ['behind a packet of its own', 'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n_\r\n', 30],
  ])(
    'a chunk error in the same packet as the body, %s: every byte before it is kept',
    async (_where, head, pause) => {
      const { capture, port } = await rig()
      const part = 'x'.repeat(6_681)
      const rest = `${Array(3).fill(`1a19\r\n${part}\r\n`).join('')}zz\r\n`
      const steps = pause > 0 ? [head, pause, rest] : [head + rest]
      const { answers } = await raw({ port }, steps, { answers: 0 })
      expect(answers[0]?.status).toBe(400)
      const kept = only(capture)
      const first = pause > 0 ? '_' : ''
      expect(kept).toMatchObject({ malformed: 'unparseable', bodySize: 20_043 + first.length })
      expect(capture.bytes(kept.body).toString()).toBe(first + part.repeat(3))
    },
  )

  test('a chunk error behind a long body in one write: the pieces on their way to the store are kept too', async () => {
    const { capture, port } = await rig()
    const part = Buffer.alloc(3 * 1_048_576 + 7, 'y')
    const head = `POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${part.length.toString(16)}\r\n`
    await raw({ port }, [Buffer.concat([Buffer.from(head), part, Buffer.from('\r\nzz\r\n')])], { answers: 0 })
    expect(only(capture)).toMatchObject({ malformed: 'unparseable', bodySize: part.length })
    expect(capture.bytes(only(capture).body).equals(part)).toBe(true)
  })

  test.each([
    ['end', { endAfter: true }],
    ['reset', { resetAfter: true }],
  ] as const)('a body cut off by %s: what came, no answer', async (_how, how) => {
    const { capture, port } = await rig()
    const { bytes } = await raw({ port }, ['POST /cut HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc', 30], {
      ...how,
      answers: 0,
    })
    await capture.kept(1)
    expect(bytes.length).toBe(0)
    const kept = only(capture)
    expect(kept).toMatchObject({ malformed: 'cut-off', url: '/cut', answer: null })
    expect(capture.bytes(kept.body).toString()).toBe('abc')
    await stillTakes(port)
  })

  test.each([
    ['end', { endAfter: true }],
    ['reset', { resetAfter: true }],
  ] as const)('a head cut off by %s: its bytes, no answer', async (_how, how) => {
    const { capture, port } = await rig()
    await raw({ port }, ['POST /half HTTP/1.1\r\nX-A: ', 30], { ...how, answers: 0 })
    await capture.kept(1)
    expect(only(capture)).toMatchObject({ malformed: 'cut-off', method: 'POST', url: '/half', answer: null })
    expect(capture.bytes(only(capture).body).toString()).toBe('POST /half HTTP/1.1\r\nX-A: ')
  })

  test('half a request behind a good one does not cost the good one its answer', async () => {
    const answer = { status: 200, headers: [], body: 'yes', delayMs: 60 }
    const { capture, port } = await rig({ rules: { endpoints: [endpoint({ answer })] } })
    for (const half of ['POST /half HTTP/1.1\r\nX', 'POST /half HTTP/1.1\r\nContent-Length: 5\r\n\r\nab']) {
      const bytes = Buffer.concat([good, Buffer.from(half)])
      const { answers } = await raw({ port }, bytes, { endAfter: true, answers: 0 })
      expect(answers.map((a) => a.status)).toEqual([200])
    }
    expect(capture.deliveries.map((d) => d.malformed).sort()).toEqual(['cut-off', 'cut-off', null, null])
  })

  test('a connection that sends nothing, or nothing more, leaves no row', async () => {
    const { capture, port } = await rig({ times: { head: 100, check: 30 } })
    await raw({ port }, [], { endAfter: true, answers: 0 })
    await raw({ port }, [], { answers: 0 })
    await raw({ port }, [good, 30], { resetAfter: true, answers: 1 })
    await raw({ port }, [good, 30], { endAfter: true, answers: 0 })
    expect(capture.deliveries.map((d) => d.malformed)).toEqual([null, null])
  })

  test('an Expect that nobody can meet: kept with its body, 417', async () => {
    const { capture, port } = await rig({ times: { expectationBody: 50 } })
    const withBody = await raw({ port }, requestBytes('POST', '/e', 'abc', ['Expect', 'the-moon']), {
      answers: 0,
    })
    expect(withBody.answers[0]?.status).toBe(417)
    const waiting = await raw(
      { port },
      'POST /w HTTP/1.1\r\nHost: a\r\nExpect: the-moon\r\nContent-Length: 3\r\n\r\n',
      { answers: 0 },
    )
    expect(waiting.answers[0]?.status).toBe(417)
    expect(capture.deliveries.map((d) => [d.malformed, d.bodySize])).toEqual([
      ['expectation', 3],
      ['expectation', 0],
    ])
  })

  test('Expect: 100-continue is met', async () => {
    const { capture, port } = await rig()
    const { bytes, answers } = await raw({ port }, [
      'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
      30,
      'abc',
    ])
    expect(bytes.toString()).toContain('100 Continue')
    expect(answers[0]?.status).toBe(200)
    expect(only(capture)).toMatchObject({ malformed: null, bodySize: 3 })
  })

  test('CONNECT: kept, 405', async () => {
    const { capture, port } = await rig()
    const { answers, closed } = await raw(
      { port },
      'CONNECT db.internal:5432 HTTP/1.1\r\nHost: db.internal\r\n\r\nrest',
      { answers: 0 },
    )
    expect(answers[0]?.status).toBe(405)
    expect(closed).toBe(true)
    expect(only(capture)).toMatchObject({
      malformed: 'connect',
      method: 'CONNECT',
      url: 'db.internal:5432',
      headers: ['Host', 'db.internal'],
    })
    expect(capture.bytes(only(capture).body).toString()).toBe('rest')
    await stillTakes(port)
  })

  test('no Host, or two of them, is an ordinary delivery', async () => {
    const { capture, port } = await rig()
    expect((await raw({ port }, 'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}')).answers[0]?.status).toBe(
      200,
    )
    expect(
      (await raw({ port }, 'POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 2\r\n\r\n{}')).answers[0]
        ?.status,
    ).toBe(200)
    expect(capture.deliveries.map((d) => d.malformed)).toEqual([null, null])
  })

  test.each([['websocket'], ['h2c']])(
    'an Upgrade to %s is an ordinary delivery with its body',
    async (protocol) => {
      const { capture, port } = await rig()
      const { answers } = await raw(
        { port },
        requestBytes('POST', '/', '{"a":1}', ['Connection', 'Upgrade', 'Upgrade', protocol]),
      )
      expect(answers[0]?.status).toBe(200)
      expect(capture.bytes(only(capture).body).toString()).toBe('{"a":1}')
    },
  )
})

describe('slow senders (reliability, row 16)', () => {
  const times = { head: 150, bodyIdle: 150, body: 400, check: 30 }

  test('a slow head is cut: kept, 408', async () => {
    const { capture, port } = await rig({ times })
    const { answers } = await raw(
      { port },
      ['POST /slow HTTP/1.1\r\n', 60, 'X: y', 60, 'y', 60, 'y', 60, 'y'],
      { answers: 0 },
    )
    expect(answers[0]?.status).toBe(408)
    expect(only(capture)).toMatchObject({ malformed: 'timeout', method: 'POST', url: '/slow' })
    expect(capture.bytes(only(capture).body).toString()).toContain('X: y')
  })

  test('a body that stops is cut: what came, 408', async () => {
    const { capture, port } = await rig({ times })
    const { answers } = await raw({ port }, 'POST /stop HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc', {
      answers: 0,
    })
    expect(answers[0]?.status).toBe(408)
    expect(only(capture)).toMatchObject({ malformed: 'timeout', url: '/stop', bodySize: 3 })
  })

  test('a body that drips is cut in the end', async () => {
    const { port, capture } = await rig({ times })
    const drips = Array.from({ length: 12 }, () => ['x', 50]).flat()
    const { answers } = await raw({ port }, ['POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n', ...drips], {
      answers: 0,
    })
    expect(answers[0]?.status).toBe(408)
    expect(only(capture).malformed).toBe('timeout')
  })
})
