import { expect, test } from 'vitest'
import { diffBodies } from '#core/diff/diff.ts'
import { diffRows, stopsOf } from '@/shared/diff/diff-rows.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
function rootOf(left: unknown, right: unknown, ignored: readonly string[] = []) {
  const result = diffBodies(bytes(left), bytes(right), { ignored })
  if ('reason' in result) throw new Error(result.reason)
  return result.root
}
const NOTHING = { toggled: new Set<string>(), unfolded: new Set<string>() }
const shown = (rows: ReturnType<typeof diffRows>) =>
  rows.map((row) => (row.type === 'fold' ? `${row.count} same` : row.node.pointer))

const LEFT = { a: 1, b: 2, c: 3, d: { x: 1, y: 2 }, e: 5 }
const RIGHT = { a: 1, b: 2, c: 4, d: { x: 1, y: 3 }, e: 5 }

test('neighbours without a difference are one row, a lone one stays itself', () => {
  const rows = diffRows(rootOf(LEFT, RIGHT), NOTHING)
  expect(shown(rows)).toEqual(['', '2 same', '/c', '/d', '/d/x', '/d/y', '/e'])
})

test('a fold opens, and a container that has a difference closes, when asked', () => {
  const root = rootOf(LEFT, RIGHT)
  const fold = diffRows(root, NOTHING).find((row) => row.type === 'fold')
  const folding = { toggled: new Set(['/d']), unfolded: new Set([fold?.type === 'fold' ? fold.id : '']) }
  expect(shown(diffRows(root, folding))).toEqual(['', '/a', '/b', '/c', '/d', '/e'])
})

test('a reader who goes from difference to difference stops at values, not at what holds them', () => {
  const rows = diffRows(rootOf(LEFT, RIGHT), NOTHING)
  expect(stopsOf(rows).map((at) => shown(rows)[at])).toEqual(['/c', '/d/y'])
})

test('what is passed over folds with what is the same, and is no stop', () => {
  const rows = diffRows(rootOf(LEFT, RIGHT, ['/c', '/d']), NOTHING)
  expect([shown(rows), stopsOf(rows)]).toEqual([['', '5 same'], []])
})

test('what was added whole is one closed row', () => {
  const rows = diffRows(rootOf({ a: 1 }, { a: 1, lines: [{ n: 1 }, { n: 2 }] }), NOTHING)
  expect(shown(rows)).toEqual(['', '/a', '/lines'])
  expect(rows.at(-1)).toMatchObject({ open: false })
})
