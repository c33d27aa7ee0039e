import { describe, expect, it } from 'vitest'
import { compileRegex } from '#core/filter/regex.ts'
import { words } from '../../../support/words.ts'

const found = (pattern: string, text: string) => {
  const regex = compileRegex(pattern, '')
  return 'problem' in regex ? regex.problem : regex.found(text)
}

describe('an expression costs a bounded time, whatever it is (reliability, row 15)', () => {
  // A backtracking engine takes exponential time for each of these from some thirty letters on.
  it.each([
    ...words`(a+)+b (a|a)*b (a|aa)+b (.*a){20}b ^(([a-z])+.)+[A-Z]([a-z])+ (a?){500}a{500}b`,
    '(\\w+\\s?)*=',
  ])('%s over a megabyte', (pattern) => expect(found(pattern, `${'a'.repeat(1_000_000)}!`)).toBe(false))
  it('what could not be bounded is refused in words', () => {
    for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', 'a{1001}', '((a{100}){100}){100}', '('.repeat(600)])
      expect(found(pattern, 'a'), pattern).toEqual(expect.any(String))
  })
  it('repetitions are written out in full, so only so many are', () => {
    expect(found('a{1000}'.repeat(5), 'a'.repeat(5_000))).toBe(true)
    expect(found('\\pL{1000}'.repeat(100), 'a')).toBe('repetitions that add up to more than 5000')
    expect(found('a{2,1000}'.repeat(6), 'a')).toBe('repetitions that add up to more than 5000')
    expect(found('a{9999', 'a{9999')).toBe(true)
  })
})
