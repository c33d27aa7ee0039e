import { describe, expect, it } from 'vitest'
import { AcuseError, ERROR_CODES, toRefusal } from '#contract/errors.ts'

describe('codes', () => {
  it('never change or go: people script against them. New ones are added at the end', () => {
    expect(ERROR_CODES).toEqual([
      ...['bad-params', 'unknown-command', 'not-found', 'bad-filter', 'conflict', 'not-available'],
      ...['forbidden', 'store-failed', 'in-use', 'newer-schema', 'internal'],
    ])
  })
})

describe('a refusal', () => {
  it('keeps the code, the sentence and the details of an AcuseError, and names the command', () => {
    const error = new AcuseError('not-found', 'There is no delivery 7.', { id: 7 })
    expect(toRefusal(error, 'deliveries.get')).toEqual({
      code: 'not-found',
      message: 'There is no delivery 7.',
      details: { id: 7 },
      command: 'deliveries.get',
    })
  })
  it('names no command where there was none', () => {
    expect(toRefusal(new AcuseError('forbidden', 'No.'))).not.toHaveProperty('command')
  })
  it('for a defect is internal', () => {
    expect(toRefusal(new TypeError('x is undefined'), 'app.info')).toEqual({
      code: 'internal',
      message: 'x is undefined',
      command: 'app.info',
    })
  })
  it('never carries a stack, a cause or a property of what was thrown', () => {
    const secret = 'SECRET-9f8e'
    const defect = Object.assign(new Error('broken', { cause: new Error(secret) }), {
      token: secret,
      stack: secret,
    })
    const refusal = Object.assign(new AcuseError('conflict', 'Taken.'), {
      token: secret,
      cause: secret,
      stack: secret,
    })
    for (const thrown of [defect, refusal, new AggregateError([new Error(secret)], 'several')]) {
      const crossed = toRefusal(thrown)
      expect(JSON.stringify(crossed)).not.toContain(secret)
      expect(
        Object.keys(crossed).every((key) => ['code', 'message', 'details', 'command'].includes(key)),
      ).toBe(true)
    }
  })
  it('is made of whatever was thrown', () => {
    for (const thrown of ['text', 7, null, undefined, {}, Symbol('s')]) {
      const { code, message } = toRefusal(thrown)
      expect(code).toBe('internal')
      expect(typeof message).toBe('string')
    }
  })
})
