import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Body } from '#core/replay/ports.ts'
import { aDelivery } from '../../../support/store.ts'
import { requestsOf, test } from '../fixture.ts'
import { captured } from './support.ts'

const bytesOf = (body: Body | undefined) => Buffer.concat([...(body?.pieces() ?? [])])

test('a delivery comes back as it came, however long', async ({ store, folder }) => {
  const { capture, deliveries } = store
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

  const requests = requestsOf(folder)
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
})

test('deliveries asked for one after the other are the same as those asked for by themselves, gaps and ends included', () => {
  const { folder, captured: db } = captured(200)
  db.exec('DELETE FROM delivery WHERE id IN (17, 40, 41, 42) OR id > 190')
  const ids = [...Array.from({ length: 210 }, (_, i) => i + 1), 5, 4, 100, 101, 102, 17, 40, 103]
  const running = requestsOf(folder)
  const seen = ids.map((id) => running.get(id))
  for (const [i, id] of ids.entries()) {
    const gone = [17, 40, 41, 42].includes(id) || id > 190
    expect(seen[i]?.id).toBe(gone ? undefined : id)
    expect(seen[i]?.receivedAt).toBe(gone ? undefined : id * 1_000)
  }
})

test('what was read ahead is not given out for long: it may have been deleted', async () => {
  const { folder, captured: db } = captured(50)
  const running = requestsOf(folder)
  for (let id = 1; id <= 10; id++) running.get(id)
  db.exec('DELETE FROM delivery WHERE id = 11')
  await new Promise((resolve) => setTimeout(resolve, 120))
  expect(running.get(11)).toBeUndefined()
  expect(running.get(12)?.id).toBe(12)
})
