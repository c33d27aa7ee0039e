import { describe, expect, it } from 'vitest'
import { rowFor } from '@/shared/components/list-steps.ts'

describe('the row that a key of a grid goes to', () => {
  it('is the next, the one before, a page away, or an end', () => {
    const from50 = (key: string) => rowFor(key, 50, 20, 100)
    expect(['ArrowDown', 'j', 'ArrowUp', 'k'].map(from50)).toEqual([51, 51, 49, 49])
    expect(['PageDown', 'PageUp', 'Home', 'End'].map(from50)).toEqual([70, 30, 0, 99])
  })
  it('stays within the rows, and begins with the first where none is pointed at', () => {
    expect(rowFor('PageDown', 95, 20, 100)).toBe(99)
    expect(rowFor('PageUp', 5, 20, 100)).toBe(0)
    expect(rowFor('ArrowDown', -1, 20, 100)).toBe(0)
    expect(rowFor('ArrowUp', -1, 20, 100)).toBe(0)
  })
  it('is none for other keys and in an empty grid', () => {
    expect(rowFor('a', 5, 20, 100)).toBeUndefined()
    expect(rowFor('End', -1, 20, 0)).toBeUndefined()
  })
})
