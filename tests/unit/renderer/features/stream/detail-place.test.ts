import { describe, expect, it } from 'vitest'
import { placeFor } from '../../../../../renderer/src/features/stream/layout.ts'

describe('where details stand', () => {
  it('is where they are docked while the window is wide enough', () => {
    expect(placeFor('right', 1_280, 800)).toBe('right')
    expect(placeFor('bottom', 1_280, 400)).toBe('bottom')
    expect(placeFor('right', 800, 400)).toBe('right')
  })
  it('is below the list in a narrow window, wherever they are docked', () => {
    expect(placeFor('right', 799, 800)).toBe('bottom')
    expect(placeFor('bottom', 640, 560)).toBe('bottom')
  })
  it('is over the list in a window that is narrow and low, as 1280 by 800 at 200 %', () => {
    expect(placeFor('right', 640, 400)).toBe('over')
    expect(placeFor('bottom', 640, 400)).toBe('over')
  })
})
