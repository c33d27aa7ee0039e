import { expect, it } from 'vitest'
import { readTimestamp } from '#catalog/date-time.ts'
import { worldOf } from './judged.ts'

it('two events of one document in the same millisecond are never the same bytes, and keep their order (Delivery, Duplicate)', () => {
  const world = worldOf(1)
  const { id } = world.perform('create-invoice', {})
  world.perform('submit', { id })
  const bodies = Array.from({ length: 5 }, () =>
    world.perform('poll', { id }).events.map(({ body }) => body),
  ).flat()
  expect(new Set(bodies).size).toBe(5)
  const instants = bodies.map((body) => {
    const read = readTimestamp(JSON.parse(body).Timestamp)
    return 'instant' in read ? read.instant : Number.NaN
  })
  expect(instants).toEqual([...instants].sort((a, b) => a - b))
  expect(new Set(instants).size).toBe(5)
})
