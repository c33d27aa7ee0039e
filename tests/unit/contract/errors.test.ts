import { expect, it } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { AcuseError, ERROR_CODES, refusalSentence, refused, toRefusal } from '#contract/errors.ts'
import en from '#contract/refusals-en.json'
import es from '#contract/refusals-es.json'
import { COVERAGE_STATES, LEVELS, MALFORMED, MARKS, VERDICTS } from '#contract/values.ts'
import english from '@/shared/texts/en/errors.json'
import spanish from '@/shared/texts/es/errors.json'

it('codes: never change or go: people script against them. New ones are added at the end', () => {
  expect(ERROR_CODES).toEqual([
    ...['bad-params', 'unknown-command', 'not-found', 'bad-filter', 'conflict', 'not-available'],
    ...['forbidden', 'store-failed', 'in-use', 'newer-schema', 'internal', 'damaged', 'read-only'],
    'bad-record',
  ])
})

it('every code has a sentence in both languages, and so has each reason: with the same facts, without the English message in Spanish', () => {
  expect([Object.keys(english), Object.keys(spanish)].map((all) => all.sort())).toEqual(
    Array(2).fill(ERROR_CODES.toSorted()),
  )
  expect(Object.values(spanish).filter((text) => text.includes('{{message}}'))).toEqual([spanish.internal])
  const facts = (all: Readonly<Record<string, object>>) =>
    Object.entries(all).flatMap(([code, sentences]) =>
      Object.entries(sentences).map(([why, text]) => [code, why, [...(text.match(/\{\w+\}/g) ?? [])].sort()]),
    )
  expect(facts(es)).toEqual(facts(en))
  expect(facts(en).filter(([code]) => !ERROR_CODES.some((one) => one === code))).toEqual([])
})
it('a refusal names its reason and its facts, which the window says in its language', () => {
  const { code, message, details } = refused('not-found', 'no-sweep', { id: 7 })
  expect([message, details]).toEqual([
    'There is no sweep 7; it may have been removed.',
    { id: 7, why: 'no-sweep' },
  ])
  expect(refusalSentence({ code, details }, es)).toContain('ningún barrido 7')
  expect(refusalSentence({ code: 'conflict', details: undefined }, es)).toBeUndefined()
})

it.each([
  [
    new AcuseError('not-found', 'None.', { id: 7 }),
    { code: 'not-found', message: 'None.', details: { id: 7 } },
  ],
  [new TypeError('x is undefined'), { code: 'internal', message: 'x is undefined' }],
])('a refusal of %s keeps what it says, and names the command if any', (error, kept) => {
  expect(toRefusal(error, 'app.info')).toEqual({ ...kept, command: 'app.info' })
  expect(toRefusal(error)).toEqual(kept)
})
it('a refusal: never carries a stack, a cause or a property of what was thrown', () => {
  const secret = 'SECRET-9f8e'
  const own = { token: secret, stack: secret }
  const defect = Object.assign(new Error('broken', { cause: new Error(secret) }), own)
  const refusal = Object.assign(new AcuseError('conflict', 'Taken.'), { ...own, cause: secret })
  for (const thrown of [defect, refusal, new AggregateError([new Error(secret)], 'several')]) {
    const crossed = toRefusal(thrown)
    expect(JSON.stringify(crossed)).not.toContain(secret)
    expect(['code', 'message', 'details', 'command']).toEqual(expect.arrayContaining(Object.keys(crossed)))
  }
})
it('a refusal: is made of whatever was thrown', () => {
  for (const thrown of ['text', 7, null, undefined, {}, Symbol('s')]) {
    const { code, message } = toRefusal(thrown)
    expect(code).toBe('internal')
    expect(typeof message).toBe('string')
  }
})

it('names that people filter and script by: verdicts rise from test and valid to unreadable, each made by the level of its place (readings, Three kinds of knowledge)', () => {
  expect(VERDICTS).toEqual(['test', 'valid', 'noted', 'warning', 'invalid', 'unreadable'])
  expect(LEVELS).toEqual(['note', 'warning', 'error', 'unreadable'])
  expect(LEVELS).toHaveLength(VERDICTS.length - 2)
})
it('names that people filter and script by: marks, malformations and coverage states are these', () => {
  expect(MARKS).toEqual([
    'duplicate',
    'late',
    'out-of-order',
    'replay',
    'drift',
    'synthetic',
    'imported',
    'pinned',
  ])
  expect(MALFORMED).toEqual(['unparseable', 'expectation', 'connect', 'cut-off', 'timeout', 'too-large'])
  expect(COVERAGE_STATES).toEqual(['listening', 'off', 'asleep', 'port-lost', 'starting', 'update'])
})

it('default settings: listen on loopback, keep everything up to a budget, and pass their own check', () => {
  const { receiver, retention, appearance } = DEFAULT_SETTINGS
  expect(receiver.host).toBe('127.0.0.1')
  expect(retention.budgetBytes).toBe(5e9)
  expect(COMMANDS['settings.update'].params.safeParse({ receiver, retention, appearance }).success).toBe(true)
})
