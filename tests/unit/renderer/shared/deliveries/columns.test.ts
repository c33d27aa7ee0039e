import { expect, test } from 'vitest'
import { COLUMNS, tracksOf } from '../../../../../renderer/src/shared/deliveries/columns.ts'

const ALL = COLUMNS.map(({ id }) => id)

test('all columns fit a window of 1280 px, beside the rail and a scroll bar', () => {
  const [rail, scrollBar, beside, gap] = [52, 11, 12 + 36, 8]
  const widths = COLUMNS.reduce((sum, { width }) => sum + width, 0)
  expect(widths + gap * (COLUMNS.length - 1) + beside).toBeLessThanOrEqual(1_280 - rail - scrollBar)
})

test('columns of which more can be read grow, and what is left goes to the path: no room stays empty', () => {
  expect(tracksOf(['time', 'document', 'path'], {})).toBe('96px minmax(118px, 272px) minmax(90px, 1fr)')
  expect(tracksOf(['time', 'kind', 'size'], {})).toBe('96px minmax(200px, 1fr) 64px')
  for (const hidden of ALL)
    if (hidden !== 'path')
      expect(
        tracksOf(
          ALL.filter((id) => id !== hidden),
          {},
        ).split('1fr'),
      ).toHaveLength(2)
})

test('columns that were dragged stay as wide as that, also the one that would take what is left', () => {
  expect(tracksOf(['kind', 'document', 'path'], { document: 90, path: 300 })).toBe(
    'minmax(200px, 340px) 90px 300px',
  )
})
