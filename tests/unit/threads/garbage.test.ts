import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { collect, rest, worked } from '#threads/garbage.ts'

const used = (): number => getHeapStatistics().used_heap_size

/** @returns bytes that `free` frees of some 30 MB of garbage */
function freedBy(free: () => void): number {
  collect()
  const garbage = Array.from({ length: 300_000 }, (_, at) => ({ at: String(at) }))
  const before = used()
  garbage.length = 0
  free()
  return before - used()
}

test('a pause gives garbage back after much work, and costs nothing after little', () => {
  worked(4_999)
  expect(freedBy(rest)).toBeLessThan(1e6)
  worked(1)
  expect(freedBy(rest)).toBeGreaterThan(1e7)
  expect(freedBy(rest)).toBeLessThan(1e6)
})
