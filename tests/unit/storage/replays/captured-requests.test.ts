import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Body } from '#core/replay/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'

const bytesOf = (body: Body | undefined) => Buffer.concat([...(body?.pieces() ?? [])])

test('a delivery comes back as it came: head, raw headers, bytes, however long', async () => {
  await using opened = await openTestStore()
  const { capture, deliveries } = opened.store
  const headers = ['Host', 'x', 'X-Odd', 'caf\xe9', 'x-odd', '', 'Content-Type', 'a/b']
  const middle = randomBytes(300_000)
  const large = randomBytes(2 * 1024 * 1024 + 17)
  await capture.append(aDelivery({ method: 'PUT', url: '/a?b=%20', headers, body: 'hello' }))
  await capture.append(aDelivery({ body: '' }))
  await capture.append(aDelivery({ body: middle }))
  const sink = capture.openBody()
  await sink.write(large)
  await capture.append(aDelivery({ body: await sink.finish(), bodySize: large.byteLength }))
  await deliveries.settled(10_000)

  const requests = openCapturedRequests({ paths: storeFiles(opened.folder) })
  const first = requests.get(1)
  expect(first).toMatchObject({ id: 1, method: 'PUT', url: '/a?b=%20', headers, body: { size: 5 } })
  expect(bytesOf(first?.body).toString()).toBe('hello')
  expect(requests.get(2)?.body.size).toBe(0)
  expect(bytesOf(requests.get(2)?.body)).toHaveLength(0)
  expect(bytesOf(requests.get(3)?.body).equals(middle)).toBe(true)
  const fourth = requests.get(4)
  expect(fourth?.body.size).toBe(large.byteLength)
  expect([...(fourth?.body.pieces() ?? [])].map((piece) => piece.byteLength)).toEqual([
    1_048_576, 1_048_576, 17,
  ])
  expect(bytesOf(fourth?.body).equals(large)).toBe(true)
  expect(requests.get(5)).toBeUndefined()
  expect(requests.analysedUpto()).toBe(4)

  await deliveries.retention({ keepNewest: 0 }, true)
  expect(requests.get(1)).toBeUndefined()
  expect(() => bytesOf(fourth?.body)).toThrow(expect.objectContaining({ code: 'not-found' }))
  requests.close()
})
