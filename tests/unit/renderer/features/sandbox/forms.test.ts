import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KINDS } from '#catalog/kinds.ts'
import { SANDBOX_LOG_KEPT } from '#contract/values.ts'
import { LOG_BOUND } from '#sandbox/log/log.ts'
import { OPERATIONS } from '#sandbox/operations/operations.ts'
import { CHAINS } from '#sandbox/world/emit.ts'
import { withholdsEarlier } from '../../../../../renderer/src/features/sandbox/emit-draft.ts'
import {
  argumentsOf,
  type Field,
  fieldError,
  fieldsOf,
} from '../../../../../renderer/src/features/sandbox/fields.ts'
import words from '../../../../../renderer/src/features/sandbox/operations.es.json'
import { isPlainBeyondLoopback } from '../../../../../renderer/src/features/sandbox/subscriptions-section.tsx'
import { checkBody, LONGEST_BODY } from '../../../../../renderer/src/shared/components/body-notes.tsx'

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
  ])('is judged as it is typed: %.20j', (body, judged) => {
    expect(checkBody(body)).toMatchObject(judged)
  })
})

describe('a field', () => {
  const field = (type: Field['type'], own: Partial<Field> = {}): Field => ({
    ...{ name: 'it', type, required: false },
    ...own,
  })
  it.each<[Field, string, string | undefined]>([
    [field('string'), '', undefined],
    [field('string', { required: true }), ' \t', 'required'],
    [field('integer', { required: true, maximum: 9 }), '', 'integer'],
    [field('integer', { maximum: 9 }), '10', 'integer'],
    [field('integer', { maximum: 9 }), '9', undefined],
    [field('integer'), '-1', 'integer'],
    [field('decimal'), '1.234', 'decimal'],
    [field('decimal'), '1,5', undefined],
    [field('decimal', { minimum: 0.01 }), '0', 'decimal'],
    [field('uuid'), '7', 'uuid'],
    [field('date-time'), 'yesterday', 'date-time'],
    [field('date-time'), '2026-11-21T09:30:00-04:00', undefined],
    [field('date-time'), '20261121T1000-04', undefined],
    [field('offset'), '−04:00', undefined],
    [field('offset'), '+15:00', 'offset'],
    [field('string', { maxLength: 3 }), 'four', 'long'],
    [field('string'), 'two\nlines', undefined],
    [field('name'), 'two\nlines', 'character'],
    [field('string'), 'half \ud83d', 'character'],
    [field('name', { taken: 'Acuse' }), 'Acuse', 'own'],
    [field('url'), 'nowhere', 'url'],
    [field('url'), 'ftp://example.com/', 'scheme'],
    [field('url'), 'https://u:p@example.com/', 'credentials'],
    [field('url'), 'https://example.com/', undefined],
  ])('%o refuses what the sandbox would: %j', (one, typed, reason) => {
    expect(fieldError(one, typed)?.[0]).toBe(reason)
  })

  it('says where a character stands that it cannot hold, and which one', () => {
    expect(fieldError(field('name'), '😀a\u0007')).toEqual(['character', { at: 3, code: 'U+0007' }])
  })

  it('is made from a schema with its bounds and values', () => {
    const schema = z.strictObject({
      seed: z.int().min(0).max(7).exactOptional(),
      rate: z.number().min(0.5).max(9),
      method: z.enum(['POST', 'PUT']),
      url: z.string().max(20).nullable(),
    })
    expect(fieldsOf(schema, { url: { type: 'url' } }).fields).toEqual([
      { name: 'seed', type: 'integer', required: false, minimum: 0, maximum: 7 },
      { name: 'rate', type: 'decimal', required: true, minimum: 0.5, maximum: 9 },
      { name: 'method', type: 'string', required: true, values: ['POST', 'PUT'] },
      { name: 'url', type: 'url', required: true, maxLength: 20 },
    ])
  })

  it('is left out of the arguments when it is empty', () => {
    const types = ['uuid', 'decimal', 'integer', 'boolean', 'string', 'offset', 'name'] as const
    const fields = types.map((type) => field(type, { name: type }))
    const typed = {
      uuid: ' 3f2a ',
      decimal: '12,50',
      integer: '3',
      boolean: 'false',
      string: ' a ',
      name: '',
    }
    expect(argumentsOf(fields, { ...typed, offset: '−04:00' })).toEqual({
      ...{ uuid: '3f2a', decimal: 12.5, integer: 3, boolean: false, string: ' a ', offset: '-04:00' },
    })
  })
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

  it('a parameter that means something else in one operation has words of its own there', () => {
    const meanings = new Map<string, Set<string>>()
    for (const { name, parameters } of OPERATIONS)
      for (const one of parameters) {
        const words = spanish.parameters[`${name}.${one.name}`] ?? spanish.parameters[one.name] ?? ''
        meanings.set(words, (meanings.get(words) ?? new Set()).add(one.summary))
      }
    expect([...meanings].filter(([, said]) => said.size > 1)).toEqual([])
  })

  it('each reason why the sandbox refuses an operation has words', () => {
    const folder = resolve(import.meta.dirname, '../../../../../src/sandbox')
    const files = [
      'domain/rules.ts',
      ...readdirSync(resolve(folder, 'operations')).map((f) => `operations/${f}`),
    ]
    const codes = files.flatMap((file) =>
      [...readFileSync(resolve(folder, file), 'utf8').matchAll(/(?:refused|bad)\(\s*'([a-z-]+)'/g)].map(
        ([, code]) => code ?? '',
      ),
    )
    expect(codes.length).toBeGreaterThan(20)
    expect(codes.filter((code) => code !== 'bad-parameter' && !spanish.refusals[code])).toEqual([])
  })
})

it('warns of plain HTTP beyond this computer only (Authentication, rule 2)', () => {
  const plain = ['http://erp.example.com/', 'http://10.0.0.7:80/x', 'http://[2001:db8::1]/']
  const kept = [
    ...['https://erp.example.com/', 'http://127.9.9.9/', 'http://[::1]:4400/', 'http://a.localhost/', 'x'],
  ]
  expect([...plain, ...kept].filter(isPlainBeyondLoopback)).toEqual(plain)
})

it('warns of every kind of a document in the sync routes that the sandbox makes by more than one step', () => {
  const routeless = ['quotations', 'contacts', 'catalog']
  for (const { kind, group } of KINDS)
    expect(withholdsEarlier(kind), kind).toBe(CHAINS[kind].length > 1 && !routeless.includes(group))
})

it('the screen says the bound that the log has', () => {
  expect(SANDBOX_LOG_KEPT).toBe(LOG_BOUND.entries)
})
