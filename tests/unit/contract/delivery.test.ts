import { describe, expect, it } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { COVERAGE_STATES, LEVELS, MALFORMED, MARKS, VERDICTS } from '#contract/values.ts'

describe('names that people filter and script by', () => {
  it('verdicts rise from test and valid to unreadable, each made by the level of its place (readings, Three kinds of knowledge)', () => {
    expect(VERDICTS).toEqual(['test', 'valid', 'noted', 'warning', 'invalid', 'unreadable'])
    expect(LEVELS).toEqual(['note', 'warning', 'error', 'unreadable'])
    expect(LEVELS).toHaveLength(VERDICTS.length - 2)
  })
  it('marks, malformations and coverage states are these', () => {
    expect(MARKS).toEqual(['duplicate', 'late', 'out-of-order', 'replay', 'drift', 'synthetic', 'pinned'])
    expect(MALFORMED).toEqual(['unparseable', 'expectation', 'connect', 'cut-off', 'timeout', 'too-large'])
    expect(COVERAGE_STATES).toEqual(['listening', 'off', 'asleep', 'port-lost', 'starting'])
  })
})

describe('default settings', () => {
  it('listen on loopback, keep everything up to a budget, and pass their own check', () => {
    const { receiver, retention, appearance } = DEFAULT_SETTINGS
    expect(receiver.host).toBe('127.0.0.1')
    expect(retention.budgetBytes).toBe(5e9)
    expect(COMMANDS['settings.update'].params.safeParse({ receiver, retention, appearance }).success).toBe(
      true,
    )
  })
  it('have one endpoint that takes every path, answers 200 and asks for no secret', () => {
    const { secret, ...endpoint } = DEFAULT_ENDPOINT
    expect(secret).toBeNull()
    expect(endpoint).toMatchObject({ path: '/', enabled: true, answer: { status: 200, body: '' } })
    expect(COMMANDS['endpoints.save'].params.safeParse(endpoint).success).toBe(true)
  })
})
