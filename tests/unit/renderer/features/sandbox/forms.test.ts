import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import type { CommandName } from '#contract/commands.ts'
import { logEntry } from '#contract/sandbox.ts'
import { SANDBOX_LOG_KEPT } from '#contract/values.ts'
import { LOG_BOUND } from '#sandbox/log/log.ts'
import { OPERATIONS } from '#sandbox/operations/operations.ts'
import { SCENARIOS } from '#sandbox/scenarios/scenarios.ts'
import { CHAINS } from '#sandbox/world/emit.ts'
import { withholdsEarlier } from '@/features/sandbox/emit-section.tsx'
import words from '@/features/sandbox/operations.es.json'
import { argumentsOf, fieldError, type Parameter } from '@/features/sandbox/operations-section.tsx'
import { together } from '@/features/sandbox/sandbox.ts'
import texts from '@/features/sandbox/texts/en/sandbox.json'
import { checkBody, LONGEST_BODY } from '@/shared/components/body-notes.tsx'
import { boundsOf } from '@/shared/forms/form.ts'
import refusals from '@/shared/i18n/sandbox-refusals.es.json'

describe('the body of an emitted event', () => {
  it.each([
    ['{\n  "a": 1,,\n}', { json: false, place: { line: 2, column: 10 }, found: ',' }],
    ['', { json: false, reason: 'empty', place: { line: 1, column: 1 } }],
    ['{"a": ', { json: false, reason: 'end' }],
    ['{"ñ": "😀" x}', { json: false, place: { line: 1, column: 12 } }],
    ['{\n "a": "\ud83d"}', { json: false, reason: 'surrogate', place: { line: 2, column: 8 } }],
    [`"${'x'.repeat(LONGEST_BODY)}"`, { json: false, reason: 'long' }],
    ['{"a": "\ud83d\ude00"}', { json: true }],
    ['{"Event":"nope"}', { json: true, verdict: 'invalid', event: 'nope' }],
    ['[]', { json: true, verdict: 'unreadable' }],
  ])('is judged as it is typed: %.20j', (body, judged) => expect(checkBody(body)).toMatchObject(judged))

  it.each([
    ...[' ', '{', '{"a": nul}', '{"a": 01}', '{"a": "\\x"}', '{} {}', '\ufeff{}', "{'a': 1}"],
    ...['{"a": "\u0007"}', '['.repeat(2_000)],
  ])('%.20j is no JSON, and there is a sentence that says so', (body) => {
    const check = checkBody(body)
    if (check.json) throw new Error('it is JSON')
    expect(texts.emit.notJson[check.reason]).toMatch(/.{8,}/)
  })
})

const say = ((key: string, values?: object) => `${key} ${JSON.stringify(values)}`) as Parameters<
  typeof fieldError
>[2]
const parameter = (type: Parameter['type']) => ({ name: type, type, required: false, summary: '' })

describe('a field', () => {
  it.each<[Partial<Parameter>, string | number | null, string | undefined]>([
    [{ type: 'string' }, '', undefined],
    [{ type: 'string', required: true }, ' \t', 'fields.required'],
    [{ type: 'uuid' }, '7', 'fields.uuid'],
    [{ type: 'date-time' }, 'yesterday', 'fields.date-time'],
    [{ type: 'date-time' }, '2026-11-21T09:30:00-04:00', undefined],
    [{ type: 'date-time' }, '20261121T1000-04', undefined],
    [{ type: 'string', maxLength: 3 }, 'four', 'fields.long'],
    [{ type: 'string' }, 'two\nlines', undefined],
    [{ type: 'string' }, 'half \ud83d', 'fields.character'],
    [{ type: 'integer', required: true }, null, 'components:numbers.whole'],
    [{ type: 'integer' }, null, undefined],
    [{ type: 'integer' }, Number.NaN, 'components:numbers.whole'],
    [{ type: 'integer', maximum: 9 }, 10, 'components:numbers.whole'],
    [{ type: 'integer', maximum: 9 }, 9, undefined],
    [{ type: 'integer', values: ['31', '32'], required: true }, '', 'fields.required'],
    [{ type: 'decimal' }, 1.234, 'components:numbers.decimal'],
    [{ type: 'decimal' }, 1.5, undefined],
    [{ type: 'decimal', minimum: 0.01 }, 0, 'components:numbers.decimal'],
  ])('%o refuses what the sandbox would: %j', (given, value, says) =>
    expect(fieldError({ ...parameter('string'), ...given }, value, say)?.split(' ')[0]).toBe(says),
  )

  it('says where a character stands that it cannot hold', () =>
    expect(fieldError(parameter('string'), '😀a\0', say)).toBe('fields.character {"at":3}'))

  it('is left out of the arguments when it is empty', () => {
    const types = ['uuid', 'decimal', 'integer', 'boolean', 'string', 'date-time'] as const
    const typed = { uuid: ' 3f2a ', decimal: 12.5, integer: null, boolean: 'false', string: ' a ' }
    const given = argumentsOf(types.map(parameter), { ...typed, 'date-time': ' ' })
    expect(given).toEqual({ uuid: '3f2a', decimal: 12.5, boolean: false, string: ' a ' })
  })

  it.each<[CommandName, string, object | undefined]>([
    ['sandbox.start-traffic', 'rate', { whole: false, least: 0.01, most: 500 }],
    ['sandbox.scenario', 'count', { whole: true, least: 1, most: 1_000_000 }],
    ['targets.save', 'timeouts.totalMs', { whole: true, least: 1, most: 3_600_000 }],
    ['targets.save', 'url', undefined],
    ['schedules.save', 'minutes', undefined],
  ])('of a number has the bounds of the schema of %s at %s', (command, field, bounds) =>
    expect(boundsOf(command, field)).toEqual(bounds),
  )
})

const spanish: Record<keyof typeof words, Readonly<Record<string, string>>> = words

describe('in Spanish', () => {
  it('each operation and each of its parameters has words', () => {
    const silent = OPERATIONS.flatMap(({ name, parameters }) => [
      ...(spanish.operations[name] ? [] : [name]),
      ...parameters
        .filter((one) => !(spanish.parameters[`${name}.${one.name}`] ?? spanish.parameters[one.name]))
        .map((one) => `${name}.${one.name}`),
    ])
    expect(silent).toEqual([])
  })

  it('each scenario has a title and a summary', () => {
    const keys = SCENARIOS.flatMap(({ slug }) => [slug, `${slug}.summary`])
    expect(Object.keys(spanish.scenarios)).toEqual(keys)
  })

  it('a parameter that means something else in one operation has words of its own there', () => {
    const meanings = new Map<string, Set<string>>()
    for (const { name, parameters } of OPERATIONS)
      for (const one of parameters) {
        const words = spanish.parameters[`${name}.${one.name}`] ?? spanish.parameters[one.name] ?? ''
        meanings.set(words, (meanings.get(words) ?? new Set()).add(one.summary))
      }
    expect([...meanings].filter(([, said]) => said.size > 1)).toEqual([])
  })

  it('each deed of the laboratory and each failure of a delivery has words', () => {
    const { deeds, errorCode } = logEntry.shape
    expect(Object.keys(spanish.deeds)).toEqual(deeds.element.shape.code.options)
    expect(Object.keys(spanish.errors)).toEqual(errorCode.unwrap().options)
  })

  it('each cause of an event that is no operation and no scenario has words', () => {
    const folder = resolve(import.meta.dirname, '../../../../../src/sandbox')
    const causes = ['world/world.ts', 'world/emit.ts', 'dispatch/dispatcher.ts'].flatMap((file) =>
      [
        ...readFileSync(resolve(folder, file), 'utf8').matchAll(/(?:transactions\.run\(|cause: )'([^']+)'/g),
      ].map(([, cause]) => cause),
    )
    expect(causes.toSorted()).toEqual(Object.keys(spanish.causes).toSorted())
  })

  it('each reason why the sandbox refuses an operation has words', () => {
    const folder = resolve(import.meta.dirname, '../../../../../src/sandbox')
    const operations = readdirSync(resolve(folder, 'operations')).map((f) => `operations/${f}`)
    const codes = operations.flatMap((file) =>
      [...readFileSync(resolve(folder, file), 'utf8').matchAll(/(?:refused|bad)\(\s*'([a-z-]+)'/g)].map(
        ([, code]) => code ?? '',
      ),
    )
    expect(codes.length).toBeGreaterThan(20)
    // The form shows these two at their fields.
    const named = new Set(['bad-parameter', ...Object.keys(refusals)])
    expect(codes.filter((code) => !named.has(code))).toEqual([])
  })
})

it('warns of every kind of a document in the sync routes that the sandbox makes by more than one step', () => {
  const routeless = ['quotations', 'contacts', 'catalog']
  for (const { kind, group } of KINDS)
    expect(withholdsEarlier(kind), kind).toBe(CHAINS[kind].length > 1 && !routeless.includes(group))
})

it('runs are told as one: their numbers added up, the newest entry, the first problem', () => {
  const run = {
    ...{ run: 'a', running: false, events: 2, pending: 0, lost: 1, last: null },
    error: null,
    failure: null,
  }
  const told = together([
    { ...run, outcomes: { delivered: 1, lost: 1 }, reason: null },
    { ...run, running: true, pending: 3, outcomes: { delivered: 2 }, error: 'stopped', reason: 'stopped' },
  ])
  expect(told).toEqual({
    ...{
      events: 4,
      pending: 3,
      lost: 2,
      outcomes: { delivered: 3, lost: 1 },
      entries: 4,
      emitting: true,
      last: null,
    },
    early: expect.objectContaining({ error: 'stopped', reason: 'stopped' }),
  })
})

it('the screen says the bound that the log has', () => expect(SANDBOX_LOG_KEPT).toBe(LOG_BOUND.entries))
