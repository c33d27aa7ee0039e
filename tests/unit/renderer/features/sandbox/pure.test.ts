import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SANDBOX_LOG_KEPT } from '#contract/values.ts'
import { checkBody, LONGEST_BODY } from '@/shared/components/body-notes.tsx'
import {
  argumentsOf,
  groupOf,
  parameterError,
} from '../../../../../renderer/src/features/sandbox/operation-draft.ts'
import {
  changeOf,
  draftOf,
  errorsOf,
  isPlainBeyondLoopback,
} from '../../../../../renderer/src/features/sandbox/subscription-draft.ts'
import { OPERATION_SENTENCES } from '../../../../../renderer/src/features/sandbox/texts/es/sandbox-operations.ts'
import { REFUSAL_SENTENCES } from '../../../../../renderer/src/features/sandbox/texts/es/sandbox-refusals.ts'
import { newHeader } from '../../../../../renderer/src/shared/headers/header-draft.ts'
import { LOG_BOUND } from '../../../../../src/sandbox/log/bound.ts'
import { OPERATIONS } from '../../../../../src/sandbox/operations/operations.ts'

describe('the body of an emitted event', () => {
  test('text that is no JSON is refused with its line and column (B, Where it shows)', () => {
    expect(checkBody('{\n  "a": 1,,\n}')).toMatchObject({
      json: false,
      place: { line: 2, column: 10 },
      found: ',',
    })
    expect(checkBody('')).toMatchObject({ json: false, reason: 'empty', place: { line: 1, column: 1 } })
    expect(checkBody('{"a": ')).toMatchObject({ json: false, reason: 'end' })
    expect(checkBody('{"ñ": "😀" x}')).toMatchObject({ json: false, place: { line: 1, column: 12 } })
  })

  test('what could not go out as it is written is refused with its place', () => {
    expect(checkBody('{\n "a": "\ud83d"}')).toMatchObject({
      json: false,
      reason: 'surrogate',
      place: { line: 2, column: 8 },
    })
    expect(checkBody(`"${'x'.repeat(LONGEST_BODY)}"`)).toMatchObject({ json: false, reason: 'long' })
    expect(checkBody('{"a": "\ud83d\ude00"}').json).toBe(true)
  })

  test('what breaks the schema is JSON, and judged as a delivery would be', () => {
    expect(checkBody('{"Event":"nope"}')).toMatchObject({ json: true, verdict: 'invalid', event: 'nope' })
    expect(checkBody('[]')).toMatchObject({ json: true, verdict: 'unreadable' })
  })
})

describe('the operations', () => {
  const [first] = OPERATIONS
  test('each sentence of theirs has its Spanish', () => {
    const said = OPERATIONS.flatMap(({ summary, parameters }) => [
      summary,
      ...parameters.map((p) => p.summary),
    ])
    expect(said.filter((sentence) => !OPERATION_SENTENCES.has(sentence))).toEqual([])
  })

  test('what the sandbox refuses has its Spanish too (B, Proof: bad input)', () => {
    const said = (message: string) => {
      const known = REFUSAL_SENTENCES.find(([pattern]) => pattern.test(message))
      return known ? message.replace(...known) : null
    }
    expect(said('lines is a whole number from 1 to 50.')).toBe('lines es un número entero de 1 a 50.')
    expect(said('price is a number from 0 to 10000000 with at most two decimals.')).toBe(
      'price es un número de 0 a 10000000, con dos decimales como máximo.',
    )
    expect(said('E310000000001 is voided: nothing can be done with it any more.')).toMatch(
      /^E310000000001 está anulado/,
    )
    expect(said('E310000000001 is a quotation; this takes an invoice or an expense.')).toMatch(
      /^E310000000001 es de otra/,
    )
    // Every sentence that the source has, with something in place of what it names.
    const folder = resolve(import.meta.dirname, '../../../../../src/sandbox')
    const operations = readdirSync(resolve(folder, 'operations')).map((file) => `operations/${file}`)
    const sources = ['domain/rules.ts', ...operations]
    const sentences = sources.flatMap((file) =>
      [
        ...readFileSync(resolve(folder, file), 'utf8').matchAll(
          /(?:refused|SandboxError)\([^()]*?(?:'([^'\n]{12,}\.)'|`([^`\n]{12,}\.)`)/g,
        ),
      ].map(([, plain, template]) =>
        (plain ?? template ?? '').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '5'),
      ),
    )
    expect(sentences.length).toBeGreaterThan(20)
    expect(sentences.filter((sentence) => said(sentence) === null)).toEqual([])
  })

  test('each stands in one group', () => {
    expect(groupOf('edit-amount')).toBe('notes')
    expect(groupOf('void-credit-note')).toBe('notes')
    expect(groupOf('accept-conditionally')).toBe('authority')
    expect(groupOf('edit-supplier')).toBe('contacts')
    expect(groupOf(first?.name ?? '')).toBe('documents')
  })

  test('arguments leave out what is empty, and send decimals as their digits', () => {
    const parameter = (name: string, type: 'uuid' | 'decimal' | 'integer' | 'boolean' | 'string') => ({
      ...{ name, type, required: name === 'id', summary: name },
    })
    const parameters = [
      parameter('id', 'uuid'),
      parameter('amount', 'decimal'),
      parameter('lines', 'integer'),
      parameter('isService', 'boolean'),
      parameter('text', 'string'),
    ]
    const draft = { id: ' 3f2a ', amount: '12.50', lines: '3', isService: 'false', text: '' }
    expect(argumentsOf({ name: 'x', summary: 'x', parameters }, draft)).toEqual({
      ...{ id: '3f2a', amount: '12.50', lines: 3, isService: false },
    })
    expect(parameters.map((one) => parameterError(one, ''))).toEqual(['required', null, null, null, null])
    expect(parameterError(parameter('amount', 'decimal'), '1.234')).toBe('decimal')
    expect(parameterError(parameter('lines', 'integer'), '-1')).toBe('integer')
  })
})

describe('a subscription', () => {
  test('is warned about for http beyond this computer only (Authentication, rule 2)', () => {
    const plain = ['http://erp.example.com/', 'http://10.0.0.7:80/x', 'http://[2001:db8::1]/']
    const kept = [
      'https://erp.example.com/',
      'http://127.9.9.9/',
      'http://[::1]:4400/',
      'http://a.localhost/',
      'x',
    ]
    expect(plain.filter(isPlainBeyondLoopback)).toEqual(plain)
    expect(kept.filter(isPlainBeyondLoopback)).toEqual([])
  })

  test('refuses what no delivery could carry, and takes thousands of headers', () => {
    const draft = { ...draftOf(null), url: 'https://u:p@example.com/' }
    expect([
      ...errorsOf({
        ...draft,
        headers: [newHeader({ name: 'Host', value: 'x' }), newHeader({ name: 'X-A', value: 'ñ\n' })],
      }),
    ]).toEqual([
      ['url', 'credentials'],
      ['header-name-0', 'headerReserved'],
      ['header-value-1', 'headerValue'],
    ])
    const headers = Array.from({ length: 3_000 }, (_, i) => newHeader({ name: `X-${i}`, value: String(i) }))
    expect(errorsOf({ ...draft, url: 'https://example.com/', headers }).size).toBe(0)
  })

  test('keeps a credential that was not typed again', () => {
    const headers = [{ name: 'X-Hook-Secret', value: '24 characters', masked: true }]
    const draft = draftOf({
      ...{ id: 3, name: 'erp', url: 'https://example.com/', method: 'PUT', kinds: [], active: true },
      ...{ headers, warnings: [] },
    })
    expect(changeOf(draft, 3).headers).toEqual([{ name: 'X-Hook-Secret', value: null }])
    expect(changeOf(draft, 3).name).toBe('erp')
  })
})

test('the screen says the bound that the log has', () => {
  expect(SANDBOX_LOG_KEPT).toBe(LOG_BOUND.entries)
})
