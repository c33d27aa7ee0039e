import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCertificates } from '#hosts/certificates.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { sharedFolder } from '../../support/temp-folder.ts'
import { only, rig } from './rig.ts'

const MIB = 1_048_576
const good = requestBytes('POST', '/good', '{"ok":1}')

/** @param stays whether the client keeps its side open when the receiver closes */
function connecting(port: number, stays = false): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: stays })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => socket.destroy())
  return socket.resume()
}

async function opened(port: number, bytes: Buffer | string, stays = false) {
  const socket = connecting(port, stays)
  const ended = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(bytes, resolve))
  return Object.assign(socket, { ended })
}

test.each([[1], [7], [1_460]])('3,000 custom headers arrive whole, in pieces of %i lines', async (lines) => {
  const { statuses, capture } = await rig()
  const headers = Array.from({ length: 3_000 }, (_, n) => [
    `X-Custom-${n}`,
    `${'v'.repeat(n % 200)} ${n}`.trim(),
  ]).flat()
  const whole = requestBytes('POST', '/many', '{}', headers).toString('latin1')
  const steps: string[] = []
  const parts = whole.split(/(?<=\n)/)
  for (let at = 0; at < parts.length; at += lines) steps.push(parts.slice(at, at + lines).join(''))
  expect(await statuses(steps)).toEqual([200])
  expect(only(capture).headers).toEqual(['Host', 'receiver.test', ...headers, 'Content-Length', '2'])
})

test('heads are bounded: more than 5,000 lines: 431, kept with its first 64 KiB, and nothing behind it is taken for a request', async () => {
  const { capture, statuses } = await rig()
  const head = `POST /lines HTTP/1.1\r\n${'a:b\r\n'.repeat(5_001)}\r\n`
  const bytes = Buffer.concat([Buffer.from(head), good])
  expect(await statuses(bytes, { answers: 0 })).toEqual([431])
  const kept = { malformed: 'unparseable', method: 'POST', url: '/lines', bodySize: bytes.length }
  expect(only(capture)).toMatchObject(kept)
})

test('heads are bounded: lines that are cut where they end are counted all the same', async () => {
  const { capture, statuses } = await rig()
  const lines = Array.from({ length: 60 }, () => `\n${'a:b\r\n'.repeat(99)}a:b\r`)
  expect(await statuses(['POST /cut HTTP/1.1\r', ...lines], { answers: 0 })).toEqual([431])
  expect(only(capture).url).toBe('/cut')
})

test('heads are bounded: heads of a crowd: some are refused, ordinary ones never are, and the room is there again when they have gone', async () => {
  const { statuses, capture, port } = await rig()
  // Each takes more than its million bytes.
  const half = `POST /half HTTP/1.1\r\n${`X: ${'y'.repeat(295)}\r\n`.repeat(3_300)}`
  const crowd = await Promise.all(Array.from({ length: 60 }, () => opened(port, half)))
  await capture.kept(60 - 32)
  for (let n = 0; n < 20; n++) expect(await statuses(good)).toEqual([200])
  const refused = capture.deliveries.filter(({ url }) => url === '/half')
  // 408 when the crowd takes more than a second to connect.
  for (const { answer } of refused) expect([408, 431]).toContain(answer?.status)
  expect(refused.length).toBeLessThan(60)
  for (const socket of crowd) socket.destroy()
  await capture.kept(60 + 20)
  expect(await statuses(`${half}Content-Length: 0\r\n\r\n`)).toEqual([200])
})

test('heads are bounded: an unfinished head gives way to another after its second, the one that holds most first', async () => {
  const { statuses, capture, port } = await rig()
  const part = (path: string, lines: number) =>
    `POST ${path} HTTP/1.1\r\n${`X: ${'y'.repeat(295)}\r\n`.repeat(lines)}`
  await opened(port, part('/most', 3_400))
  await Promise.all(Array.from({ length: 23 }, () => opened(port, part('/part', 3_300))))
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(await statuses(`${part('/whole', 3_300)}Content-Length: 0\r\n\r\n`)).toEqual([200])
  expect(capture.deliveries.map(({ url, malformed }) => [url, malformed])).toEqual([
    ['/most', 'timeout'],
    ['/whole', null],
  ])
})

test('heads are bounded: heads of requests that wait for the rest of their bodies keep their room', async () => {
  const { capture, port } = await rig()
  const waiting = `POST /wait HTTP/1.1\r\nContent-Length: 9\r\n${`X: ${'y'.repeat(295)}\r\n`.repeat(3_300)}\r\nab`
  const crowd = await Promise.all(Array.from({ length: 60 }, () => opened(port, waiting)))
  await capture.kept(60 - 32)
  for (const { answer } of capture.deliveries) expect([408, 431]).toContain(answer?.status)
  for (const socket of crowd) socket.end('1234567')
  await capture.kept(60)
  expect(capture.deliveries.filter(({ malformed }) => malformed === null).length).toBeGreaterThan(20)
})

test('bodies are bounded: a crowd of half bodies goes to the store in small pieces, and each arrives whole', async () => {
  const { capture, port } = await rig()
  const body = Buffer.alloc(MIB - 100)
  for (let i = 0; i + 4 <= body.length; i += 4) body.writeUInt32LE(i, i)
  const bytes = requestBytes('POST', '/', body)
  const crowd = await Promise.all(Array.from({ length: 90 }, () => opened(port, bytes.subarray(0, -10))))
  // Pieces beyond the memory limit go to the store before any body is complete.
  await expect.poll(() => capture.uploads.size, { timeout: 20_000 }).toBeGreaterThan(10)
  expect(capture.deliveries.length).toBe(0)
  for (const socket of crowd) socket.write(bytes.subarray(-10))
  const kept = await capture.kept(90)
  for (const delivery of kept) expect(capture.bytes(delivery.body).equals(body)).toBe(true)
  expect(kept.some((delivery) => delivery.body instanceof Uint8Array)).toBe(true)
})

const half = 'POST /busy HTTP/1.1\r\nX: '
const FOUR = { maxConnections: 4, maxConnectionsPerAddress: 4 }

test.each([
  ['of one address', { maxConnections: 100, maxConnectionsPerAddress: 8 }],
  ['in all', { maxConnections: 8, maxConnectionsPerAddress: 100 }],
])('connections are bounded: one too many %s is answered 503, counted and told', async (_, rules) => {
  const { port, receiver, warnings } = await rig({ rules })
  const busy = await Promise.all(Array.from({ length: 8 }, () => opened(port, half)))
  const { answers, closed } = await raw({ port }, good, { answers: 0 })
  expect(answers.map(({ status }) => status)).toEqual([503])
  expect(closed).toBe(true)
  await raw({ port }, good, { answers: 0 })
  const state = { state: 'listening', refused: 2 }
  await expect.poll(() => receiver.state(), { timeout: 10_000 }).toMatchObject(state)
  expect(warnings).toEqual([expect.stringContaining('127.0.0.1')])
  busy[0]?.destroy()
  await busy[0]?.ended
  await expect.poll(async () => (await raw({ port }, good)).answers[0]?.status).toBe(200)
})

test('connections are bounded: a connection that is idle gives up its place, one at work does not', async () => {
  const { statuses, port, receiver } = await rig({ rules: FOUR })
  const idle = await Promise.all([opened(port, good), opened(port, good)])
  const busy = await Promise.all([opened(port, half), opened(port, half)])
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(await statuses(good)).toEqual([200])
  await Promise.any(idle.map(({ ended }) => ended))
  expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false])
  expect(receiver.state()).not.toHaveProperty('refused')
})

test.each([
  ['an unfinished head', half, 'timeout'],
  ['a body that pauses', 'POST /busy HTTP/1.1\r\nContent-Length: 9\r\n\r\n{', 'timeout'],
  ['a refused head', `POST /busy HTTP/1.1\r\n${'a:b\r\n'.repeat(5_001)}`, 'unparseable'],
  ['a connection to the HTTPS port that sends nothing', '', null],
  ['an unfinished handshake', '\x16\x03\x01', null],
])('%s gives way to a good delivery (reliability, row 16)', { tags: 'long' }, async (_, begin, why) => {
  const secure = why === null
  const { capture, port, receiver } = await rig({
    rules: FOUR,
    times: { bodyStalled: 1_000, lingerIdle: 60_000 },
    ...(secure ? { certificates: createCertificates(sharedFolder()) } : {}),
  })
  await Promise.all(Array.from({ length: 4 }, () => opened(port, begin, true)))
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  expect((await raw({ port, secure }, good)).answers.map(({ status }) => status)).toEqual([200])
  expect(receiver.state()).not.toHaveProperty('refused')
  const [kept] = await capture.kept(secure ? 1 : 2)
  expect(kept?.malformed).toBe(why)
})

test('a slow sender that drips on is closed at once after its 408, one whose head is too long in the time of a head', async () => {
  const { capture, port } = await rig({
    times: { head: 150, bodyIdle: 150, body: 150, lingerIdle: 5_000, linger: 60_000 },
  })
  for (const begin of [
    'POST /slow HTTP/1.1\r\nX: ',
    'POST /slow HTTP/1.1\r\nContent-Length: 999\r\n\r\n',
    `POST /long HTTP/1.1\r\n${'a:b\r\n'.repeat(5_001)}`,
  ]) {
    const socket = await opened(port, begin, true)
    const drip = setInterval(() => socket.writable && socket.write('y'), 40)
    onTestFinished(() => clearInterval(drip))
    await socket.ended
  }
  expect(capture.deliveries.map(({ malformed }) => malformed)).toEqual(['timeout', 'timeout', 'unparseable'])
})

test('waiting for the store counts as the sender’s pause', { tags: 'long', timeout: 20_000 }, async () => {
  const bodyIdle = 2_500
  const { capture, port } = await rig({ times: { bodyIdle, bodyStalled: 200 } })
  const { promise, resolve } = Promise.withResolvers<void>()
  capture.pieceGate = promise
  const half = `POST /half HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(1.5 * MIB)}`
  const socket = await opened(port, half)
  await new Promise((wait) => setTimeout(wait, bodyIdle - 300))
  const read = performance.now()
  resolve()
  await socket.ended
  expect(only(capture)).toMatchObject({ malformed: 'timeout', bodySize: 1.5 * MIB })
  expect(performance.now() - read).toBeLessThan(bodyIdle)
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const READ = 65_536

test.each([
  ['heads', `POST /half HTTP/1.1\r\n${`X: ${'y'.repeat(295)}\r\n`.repeat(3_000)}`],
  ['refused heads', `POST /half HTTP/1.1\r\n${'a:b\r\n'.repeat(150_000)}`],
  ['bodies', `POST /half HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n${'y'.repeat(900_000)}`],
])('long %s: in one turn of the event loop no connection is read more than three times', async (_, half) => {
  const accepted: Socket[] = []
  const accept = (message: unknown) => void accepted.push((message as { socket: Socket }).socket)
  const sockets = channel('net.server.socket')
  sockets.subscribe(accept)
  onTestFinished(() => void sockets.unsubscribe(accept))
  const { port } = await rig()
  const bytes = Buffer.from(half)
  for (let n = 0; n < 10; n++) {
    const socket = connecting(port)
    socket.once('connect', () => socket.write(bytes))
  }
  const read = new Map<Socket, number>()
  let most = 0
  let all = 0
  while (all < 10 * bytes.length * 0.9) {
    await turn()
    all = 0
    for (const socket of accepted) {
      most = Math.max(most, socket.bytesRead - (read.get(socket) ?? 0))
      read.set(socket, socket.bytesRead)
      all += socket.bytesRead
    }
  }
  expect(most).toBeLessThanOrEqual(3 * READ)
})

test('a thousand senders that connect at once all wait to be accepted: none has to try again', async () => {
  const { port } = await rig({ rules: { maxConnectionsPerAddress: 2_000 } })
  let connected = 0
  for (let n = 0; n < 1_000; n++) connecting(port).once('connect', () => connected++)
  // The server accepts one per turn, so nearly all connect before they are accepted.
  for (let n = 0; n < 100; n++) await turn()
  expect(connected).toBe(1_000)
})

test.each([
  ['in the middle of a packet', good],
  ['in two packets', good.subarray(20)],
])(
  'many requests at once on one connection, the first %s: while the store is behind, few are in memory, and all are answered',
  async (_, first) => {
    const { capture, port } = await rig()
    const release = capture.hold()
    const begun = vi.spyOn(capture, 'append').mock.calls
    const most = 12_000
    const socket = connecting(port)
    const answers: Buffer[] = []
    socket.on('data', (bytes: Buffer) => answers.push(bytes))
    socket.write(good.subarray(0, -first.length))
    await once(socket, 'connect')
    await new Promise((resolve) => setTimeout(resolve, 30))
    socket.write(Buffer.concat([first, ...Array.from({ length: most - 1 }, () => good)]))
    for (let before = -1; before < begun.length || before === 0; ) {
      before = begun.length
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(begun.length).toBeLessThan(most / 2)
    release()
    await capture.kept(most)
    const answered = () => String(Buffer.concat(answers)).split('HTTP/1.1 200').length - 1
    await expect.poll(answered, { timeout: 10_000 }).toBe(most)
  },
)
