import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { only, rig } from './rig.ts'

const MIB = 1_048_576

/** Bytes without repetition, so that a lost or moved piece shows. */
function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i + 4 <= length; i += 4) bytes.writeUInt32LE(i, i)
  return bytes
}

test.each([
  [MIB - 1, []],
  [MIB, []],
  [MIB + 1, [MIB, 1]],
  [3 * MIB + 13, [MIB, MIB, MIB, 13]],
])('long bodies (reliability, row 12): %i bytes arrive whole, in pieces of %j', async (length, pieces) => {
  const { statuses, capture } = await rig()
  const body = pattern(length)
  expect(await statuses(requestBytes('POST', '/', body))).toEqual([200])
  const kept = only(capture)
  expect(kept.bodySize).toBe(length)
  expect([...capture.uploads.values()].flat().map((piece) => piece.length)).toEqual(pieces)
  expect(capture.bytes(kept.body).equals(body)).toBe(true)
})

test('long bodies: a long body cut off keeps the pieces that came', async () => {
  const { capture, port } = await rig()
  const body = pattern(2 * MIB + 7)
  const head = `POST / HTTP/1.1\r\nContent-Length: ${9 * MIB}\r\n\r\n`
  await raw({ port }, [head, body], { endAfter: true, answers: 0 })
  await capture.kept(1)
  const kept = only(capture)
  expect(kept).toMatchObject({ malformed: 'cut-off', answer: null, bodySize: body.length })
  expect(capture.bytes(kept.body).equals(body)).toBe(true)
})

test('long bodies: beyond the limit the head is kept, the sender sees 413 and the pieces are dropped', async () => {
  const { capture, port } = await rig({ rules: { bodyLimit: 2 * MIB } })
  const body = pattern(6 * MIB)
  const { answers, closed } = await raw({ port }, requestBytes('POST', '/big', body), { answers: 0 })
  expect(answers[0]?.status).toBe(413)
  expect(closed).toBe(true)
  const kept = only(capture)
  expect(kept).toMatchObject({ malformed: 'too-large', url: '/big' })
  expect(kept.answer?.status).toBe(413)
  expect(capture.bytes(kept.body).equals(body.subarray(0, 65_536))).toBe(true)
  expect(capture.abandoned).toBe(1)
})

test('long bodies: an ordinary HTTP client that writes on sees the 413 too', async () => {
  const { port } = await rig({ rules: { bodyLimit: 1_024 } })
  const sending = request({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': 8 * MIB } })
  sending.on('error', () => {})
  sending.end(pattern(8 * MIB))
  const [response] = await once(sending, 'response')
  expect(response.statusCode).toBe(413)
  response.resume()
})

test('long bodies: a store that fails in the middle is a 503', async () => {
  const { capture, port, warnings } = await rig()
  capture.pieceFailure = new Error('no space')
  const { answers } = await raw({ port }, requestBytes('POST', '/', pattern(6 * MIB)), { answers: 0 })
  expect(answers[0]?.status).toBe(503)
  expect(capture.deliveries.length).toBe(0)
  expect(warnings[0]).toContain('no space')
})
