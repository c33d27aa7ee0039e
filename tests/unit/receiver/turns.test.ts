import { channel } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { rig } from './rig.ts'

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
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('connect', () => socket.write(bytes))
    socket.resume()
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
  for (let n = 0; n < 1_000; n++) {
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('connect', () => connected++)
  }
  // The server accepts one in each turn, so nearly all of them are connected before they are accepted.
  for (let n = 0; n < 100; n++) await turn()
  expect(connected).toBe(1_000)
})
