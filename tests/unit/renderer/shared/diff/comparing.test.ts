import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMPARED_LINES, diffHeaders, diffLines } from '@/shared/diff/diffs.ts'
import { forAll } from '../../../../support/for-all.ts'

describe('comparing bodies line by line', () => {
  const side = (lines: ReturnType<typeof diffLines>['lines'], without: 'left' | 'right') =>
    lines.filter(({ type }) => type !== without).map(({ text }) => text)

  test('the fewest lines differ, with the numbers that they have on their side', () => {
    const { lines } = diffLines(['{', '  "a": 1,', '  "b": 2', '}'], ['{', '  "b": 2,', '  "b": 2', '}'])
    expect(lines).toEqual([
      { type: 'same', left: 1, right: 1, text: '{' },
      { type: 'left', left: 2, text: '  "a": 1,' },
      { type: 'right', right: 2, text: '  "b": 2,' },
      { type: 'same', left: 3, right: 3, text: '  "b": 2' },
      { type: 'same', left: 4, right: 4, text: '}' },
    ])
  })

  test('both sides can be read back from the difference, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
    forAll(100, [lines, lines], (left, right) => {
      const found = diffLines(left, right)
      expect([side(found.lines, 'right'), side(found.lines, 'left')]).toEqual([left, right])
      expect(found.equal).toBe(left.join() === right.join())
    })
  })

  test('a middle too long to compare is shown as replaced, and said to be', () => {
    const left = Array.from({ length: COMPARED_LINES + 1 }, (_, i) => `l${i}`)
    const right = ['first', ...left.slice(1).map((line) => `${line}!`)]
    const { whole, lines } = diffLines(left, right)
    expect([whole, side(lines, 'right'), side(lines, 'left')]).toEqual([false, left, right])
  })
})

const headers = (...lines: string[]) =>
  lines.map((line) => line.split(':')).map(([name = '', value = '']) => ({ name, value }))

test.each([
  ['neither the order of names nor their case is a difference', ['A:1', 'B:2'], ['b:2', 'a:1'], []],
  [
    'absent, other and repeated values are told, in order of the first side',
    ['Set-Cookie:a=1', 'Set-Cookie:b=2', 'X:old'],
    ['x:new', 'Set-Cookie:b=2', 'Y:'],
    [
      { name: 'Set-Cookie', left: ['a=1', 'b=2'], right: ['b=2'] },
      { name: 'X', left: ['old'], right: ['new'] },
      { name: 'Y', left: [], right: [''] },
    ],
  ],
])('of headers %s', (_, left, right, found) =>
  expect(diffHeaders(headers(...left), headers(...right))).toEqual(found),
)
