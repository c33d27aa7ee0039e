import { describe, expect, test } from 'vitest'
import { effectFrom, probabilityFrom, untilFrom } from '#hosts/cli/commands/faults.ts'
import { words } from '../../../support/words.ts'

describe('--effect', () => {
  test.each([
    ['status:200', { type: 'status', status: 200 }],
    ['status:599', { type: 'status', status: 599 }],
    ['delay:1', { type: 'delay', ms: 1 }],
    ['delay:2000', { type: 'delay', ms: 2_000 }],
    ['delay:500ms', { type: 'delay', ms: 500 }],
    ['delay:2.5s', { type: 'delay', ms: 2_500 }],
    ['delay:10m', { type: 'delay', ms: 600_000 }],
    ['hang', { type: 'hang' }],
    ['reset', { type: 'reset' }],
    ['close-mid-answer', { type: 'close-mid-answer' }],
  ])('%s is understood', (text, effect) => {
    expect(effectFrom(text)).toEqual(effect)
  })

  test.each(
    Object.entries({
      'Give one of status:503, delay:2s, hang, reset, close-mid-answer.': ['', 'crash', 'toString'],
      'Give one of': ['hang:5', 'reset:', 'status:503:1'],
      '200 to 599': words`status status:199 status:600 status:5e2`,
      '1 ms to 10 minutes': ['delay', 'delay:0', 'delay:-1', 'delay:601s', 'delay:2 s'],
    }),
  )('%s is the answer to %j', (part, texts) => {
    for (const text of texts) expect(() => effectFrom(text), text).toThrow(part)
  })
})

describe('--probability', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['0.25', 0.25],
    ['.5', 0.5],
    ['30%', 0.3],
    ['100%', 1],
  ])('%s is understood', (text, value) => {
    expect(probabilityFrom(text)).toBe(value)
  })

  test.each(['', '-0.1', '1.01', '101%', 'half', '1e-3', '0x1', '%', 'NaN'])('%s is refused', (text) => {
    expect(() => probabilityFrom(text)).toThrow('from 0 to 1')
  })
})

describe('--until', () => {
  const now = new Date(2026, 10, 21, 12, 0, 0).getTime()

  test.each([
    ['10m', now + 600_000],
    ['1.5h', now + 5_400_000],
    ['30s', now + 30_000],
    ['2d', now + 172_800_000],
    ['17:30', new Date(2026, 10, 21, 17, 30).getTime()],
    ['12:00:01', now + 1_000],
    // Past for today.
    ['11:59', new Date(2026, 10, 22, 11, 59).getTime()],
    ['12:00', new Date(2026, 10, 22, 12).getTime()],
    ['2026-11-21T12:05', now + 300_000],
    ['2026-11-21 12:05:30', now + 330_000],
    ['2027-01-01T00:00:00Z', Date.UTC(2027, 0, 1)],
    ['2027-01-01T00:00-04:00', Date.UTC(2027, 0, 1, 4)],
  ])('%s is an end', (text, end) => {
    expect(untilFrom(text, now)).toBe(end)
  })

  test.each(words`${''} 10 ${'10 m'} -5m m 25:00 12:60 tomorrow 2026-11-22 2026-13-01T00:00 1e3s`)(
    '%s is refused',
    (text) => {
      expect(() => untilFrom(text, now)).toThrow('such as 10m')
    },
  )

  test.each(['0s', '2026-11-21T11:00', '1999-01-01T00:00Z'])('%s is past', (text) => {
    expect(() => untilFrom(text, now)).toThrow('past')
  })
})
