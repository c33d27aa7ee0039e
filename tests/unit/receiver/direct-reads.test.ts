import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { watchReads } from '#receiver/direct-reads.ts'
import { opened } from '../../support/listening-port.ts'
import { requestBytes } from '../../support/raw-client.ts'
import { rig } from './rig.ts'

const good = requestBytes('POST', '/good', '{"ok":1}').toString()

/** Sends packets to a server of Node and lists what the watch tells. @param listening also listen for the socket's data */
async function told(packets: readonly string[], listening = false): Promise<string[]> {
  const events: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    response.end()
  })
  onTestFinished(() => void server.close())
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('connection', (socket: Socket) => {
    if (listening) socket.on('data', () => {})
    const current = watchReads(socket, {
      headBegan: () => events.push('head'),
      read: (size) => events.push(`${size ?? 'failed'} of ${current?.().length}`),
    })
    if (!current) events.push('not direct')
  })
  const socket = connect(await opened(server), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  for (const packet of packets) {
    socket.write(packet)
    await wait(30)
  }
  socket.destroy()
  return events
}

test.each([
  ['whole requests', [good, good + good], ['head', '71 of 71', 'head', 'head', '142 of 142']],
  ['a head in two packets', [good.slice(0, 20), good.slice(20)], ['head', '20 of 20', '51 of 51']],
  ['bytes that are no HTTP', ['\x16\x03'], ['head', 'failed of 2']],
])('Node’s parser reads by itself: %s', async (_, packets, events) => {
  expect(good).toHaveLength(71)
  expect(await told(packets)).toEqual(events)
})

test('a listener for the data of the socket ends direct reads', async () => {
  expect(await told([good], true)).toEqual(['not direct'])
})

test('half a head behind a whole request, in one packet: kept with that packet when its sender leaves', async () => {
  const { capture, port } = await rig()
  const socket = connect(port, '127.0.0.1')
  const sent = `${good}POST /half HTTP/1.1\r\nX-A: `
  socket.write(sent)
  await once(socket, 'data')
  socket.end()
  await once(socket, 'close')
  const [, half] = capture.deliveries
  expect(half).toMatchObject({ malformed: 'cut-off', method: '', url: '' })
  expect(String(half?.body)).toBe(sent)
})

test('empty lines that no request follows are kept when their time is over', async () => {
  const { capture, port } = await rig({ times: { head: 150, check: 30 } })
  const socket = connect(port, '127.0.0.1').resume()
  socket.write('\r\n'.repeat(20))
  await once(socket, 'close')
  expect(capture.deliveries.map(({ bodySize }) => bodySize)).toEqual([40])
})
