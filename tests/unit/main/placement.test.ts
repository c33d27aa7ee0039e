import { expect, it } from 'vitest'
import { cascaded, fitPlacement, type Rectangle, readPlacements } from '../../../src/main/placement.ts'

const laptop: Rectangle = { x: 0, y: 25, width: 1440, height: 875 }
const right: Rectangle = { x: 1440, y: 0, width: 2560, height: 1400 }
const at = (x: number, y: number, width = 1200, height = 800) => ({
  bounds: { x, y, width, height },
  maximised: false,
})

const size = { width: 1200, height: 800 }
const standard = { width: 1440, height: 900 }
const tiny = { x: 0, y: 0, width: 640, height: 480 }
const both = [laptop, right]

it.each<[string, ReturnType<typeof at> | undefined, readonly Rectangle[], Partial<Rectangle>]>([
  ['where the system chooses, the first time', undefined, [right], standard],
  ['no larger than the screen', undefined, [laptop], { ...standard, height: 875 }],
  ['where it was', at(100, 50), both, { x: 100, y: 50, width: 1200, height: 800 }],
  ['on the second screen', at(1600, 200), both, { x: 1600, y: 200, width: 1200, height: 800 }],
  ['back from the right edge', at(1000, 50, 1300, 800), both, { x: 140, y: 50, width: 1300, height: 800 }],
  ['shrunk to a smaller screen', at(0, 25, 5_000, 5_000), both, { x: 0, y: 25, width: 1440, height: 875 }],
  ['enlarged to the least size', at(10, 30, 150, 100), both, { x: 10, y: 30, width: 880, height: 560 }],
  ['where the system chooses when its screen is gone', at(5_000, 100), [laptop], size],
  ['so when its title bar is above the screen', at(100, -200), [laptop], size],
  ['so when only a sliver is left of it', at(-1_150, 100), [laptop], size],
  ['so when it is below the screen', at(100, 3_000), [laptop], size],
  ['at the standard size when no screen is known', at(0, 0), [], standard],
  ['inside a screen smaller than the least size', at(0, 0), [tiny], tiny],
])('where the window opens: %s', (_name, kept, screens, expected) =>
  expect(fitPlacement(kept, screens)).toEqual(expected),
)

it('a window of one delivery: may be small, and opens beside the window that it came from', () => {
  const small = at(10, 30, 200, 100)
  expect(fitPlacement(small, [laptop], 'delivery')).toEqual({ x: 10, y: 30, width: 420, height: 400 })
  const opened = fitPlacement(cascaded(at(100, 50).bounds, 'delivery'), [laptop], 'delivery')
  expect(opened).toEqual({ x: 132, y: 40, width: 760, height: 860 })
})

it('the kept placements: are those of the one window where there was but one', () => {
  expect(readPlacements(JSON.stringify(at(1, 2)))).toEqual({ list: [at(1, 2)], delivery: [] })
})
const huge = '{"bounds":{"x":0,"y":0,"width":1e99,"height":1},"maximised":false}'
it.each([undefined, '', '{', 'null', '{}', huge, '{"list":[{}],"delivery":[]}'])(
  'the kept placements: are ignored when they are %s',
  (text) => expect(readPlacements(text)).toEqual({ list: [], delivery: [] }),
)
