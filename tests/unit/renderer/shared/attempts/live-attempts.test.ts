import { describe, expect, test } from 'vitest'
import type { AttemptRow } from '#contract/replay.ts'
import { concerns, merged } from '@/shared/attempts/use-attempts.ts'
import { withJobs } from '@/shared/live/replays.ts'

const row = (id: number, tryNumber = 1) => ({ id, tryNumber }) as AttemptRow
const NOTHING = { jobs: [], forwards: null, deliveries: [], more: false } as const

describe('attempts kept true by pushes', () => {
  test('a push concerns the deliveries it names, and every one when there were more than it names', () => {
    expect(concerns({ ...NOTHING, deliveries: [3, 4] }, { delivery: 4 })).toBe(true)
    expect(concerns({ ...NOTHING, deliveries: [3] }, { delivery: 4 })).toBe(false)
    expect(concerns({ ...NOTHING, deliveries: [3], more: true }, { delivery: 4 })).toBe(true)
  })

  test('missed pushes concern everything', () => {
    expect(concerns(null, { delivery: 1 })).toBe(true)
    expect(concerns(null, { job: 1 })).toBe(true)
  })

  test('a job is concerned by its own change alone', () => {
    const job = { id: 7 } as never
    expect(concerns({ ...NOTHING, jobs: [job] }, { job: 7 })).toBe(true)
    expect(concerns({ ...NOTHING, jobs: [job], deliveries: [1] }, { job: 8 })).toBe(false)
  })

  test('what was read again replaces what it covers, and older ones stay', () => {
    const present = [row(5), row(4), row(3), row(2)]
    expect(merged(present, [row(6), row(5, 2), row(4)], true)).toEqual([
      row(6),
      row(5, 2),
      row(4),
      row(3),
      row(2),
    ])
    expect(merged(present, [row(6)], false)).toEqual([row(6)])
    expect(merged(present, [], false)).toEqual([])
  })

  test('jobs that changed take their place, newest first', () => {
    const jobs = [{ id: 2 }, { id: 1 }] as never
    expect(withJobs(jobs, [{ id: 3 }, { id: 1, done: 5 }] as never)).toEqual([
      { id: 3 },
      { id: 2 },
      { id: 1, done: 5 },
    ])
  })
})
