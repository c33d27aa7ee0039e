import { describe, expect, test } from 'vitest'
import type { AttemptRow } from '#contract/replay.ts'
import { answerGroups } from '@/shared/attempts/answer-verdict.tsx'
import { diffHeaders } from '../../../../../renderer/src/shared/diff/header-diff.ts'
import { COMPARED_LINES, diffLines } from '../../../../../renderer/src/shared/diff/line-diff.ts'

const ROW: AttemptRow = {
  id: 1,
  deliveryId: 1,
  origin: { by: 'hand' },
  target: 'app',
  method: 'POST',
  url: 'http://127.0.0.1:3000/',
  startedAt: 1,
  tookUs: 1,
  state: 'answered',
  status: 200,
  ok: true,
  error: null,
  answerSize: 2,
  answerDigest: 'a',
  edited: false,
  again: false,
  tryNumber: 1,
}

describe('comparing bodies line by line', () => {
  const side = (lines: ReturnType<typeof diffLines>['lines'], without: 'left' | 'right') =>
    lines.filter(({ type }) => type !== without).map(({ text }) => text)

  test('equal texts have no difference', () => {
    const { equal, lines } = diffLines(['a', 'b'], ['a', 'b'])
    expect(equal).toBe(true)
    expect(lines.every(({ type }) => type === 'same')).toBe(true)
  })

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
    const draw = (seed: number) => Array.from({ length: 40 }, (_, i) => String((i * seed * 7919) % 5))
    for (let seed = 1; seed < 60; seed++) {
      const [left, right] = [draw(seed), draw(seed + 3).slice(seed % 7)]
      const { lines } = diffLines(left, right)
      expect(side(lines, 'right')).toEqual(left)
      expect(side(lines, 'left')).toEqual(right)
    }
  })

  test('an empty side leaves all lines of the other', () => {
    expect(diffLines([], ['a']).lines).toEqual([{ type: 'right', right: 1, text: 'a' }])
    expect(diffLines([], []).equal).toBe(true)
  })

  test('a middle too long to compare is shown as replaced, and said to be', () => {
    const left = Array.from({ length: COMPARED_LINES + 1 }, (_, i) => `l${i}`)
    const right = ['first', ...left.slice(1).map((line) => `${line}!`)]
    const { whole, lines } = diffLines(left, right)
    expect(whole).toBe(false)
    expect(side(lines, 'right')).toEqual(left)
    expect(side(lines, 'left')).toEqual(right)
  })
})

describe('comparing headers as sets', () => {
  test('neither the order of names nor their case is a difference', () => {
    const left = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]
    const right = [
      { name: 'b', value: '2' },
      { name: 'a', value: '1' },
    ]
    expect(diffHeaders(left, right)).toEqual([])
  })

  test('absent, other and repeated values are told, in order of the first side', () => {
    const left = [
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
      { name: 'X', value: 'old' },
    ]
    const right = [
      { name: 'x', value: 'new' },
      { name: 'Set-Cookie', value: 'b=2' },
      { name: 'Y', value: '' },
    ]
    expect(diffHeaders(left, right)).toEqual([
      { name: 'Set-Cookie', left: ['a=1', 'b=2'], right: ['b=2'] },
      { name: 'X', left: ['old'], right: ['new'] },
      { name: 'Y', left: [], right: [''] },
    ])
  })
})

describe('the same answer n times', () => {
  test('answers are grouped by their digest, failures by what went wrong, the largest group first', () => {
    const failed = {
      state: 'failed',
      status: null,
      ok: false,
      answerDigest: null,
      error: { code: 'connection-refused', message: '', params: {} },
    } as const
    const groups = answerGroups([
      { ...ROW, id: 1, answerDigest: 'a' },
      { ...ROW, id: 2, ...failed },
      { ...ROW, id: 3, answerDigest: 'b' },
      { ...ROW, id: 4, answerDigest: 'b' },
      { ...ROW, id: 5, ...failed },
      { ...ROW, id: 6, ...failed },
      { ...ROW, id: 7, state: 'sending', answerDigest: null },
    ])
    expect(groups.map(({ attempts }) => attempts.map(({ id }) => id))).toEqual([[2, 5, 6], [3, 4], [1]])
  })
})
