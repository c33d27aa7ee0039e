import { describe, expect, test } from 'vitest'
import { analyse } from '#core/checks/analyse.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import { CODES, type Code } from '#core/checks/codes.ts'
import { findingMessage, SENTENCES } from '#core/checks/messages.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { MAX_TEXT_BYTES } from '#core/json/decode.ts'
import { aLine, anEvent, bytesOf } from '../../../support/events.ts'
import { words } from '../../../support/words.ts'
import { judge } from './judging.ts'

const invoice = (data: object) => () => judge(anEvent('factura.created', { data: { ...data } }))
const LINE = aLine({ code: 1, X: 1, Code: undefined })

/** Deliveries that together cause every finding code. */
const CASES: readonly (() => Analysis)[] = [
  () =>
    analyse({
      method: 'TRACE',
      contentType: 'text/plain',
      body: { undecodable: { coding: 'br', reason: 'bad' } },
    }),
  ...(['decoded-too-large', 'body-too-expensive'] as const).map(
    (unread) => () =>
      analyse({ method: 'POST', contentType: null, body: { unread, params: { coding: 'br', limit: 1 } } }),
  ),
  () => judge(new Uint8Array(MAX_TEXT_BYTES + 1)),
  ...['', '{} x', '{"a":"\u0001"}', `[${'0,'.repeat(2 ** 24)}0]`].map((text) => () => judge(text)),
  ...words('"a" { {a {"\\q {"a":1.} {"a":"\\').map((text) => () => judge(text)),
  () => judge('{"a":"\\q"}'),
  () => judge(Uint8Array.of(0x22, 0xff)),
  () => judge(Uint8Array.of(0xff, 0xfe)),
  () => judge('\ufeff{"event":1,"Timestamp":null,"data":[],"data":[],"x":1}'),
  ...['cobro.registrado', 'other'].map((Event) => () => judge({ ...anEvent('dgii.aprobado'), Event })),
  ...['x', '2026-01-01T00:00', '2026-01-01T00:00Z'].map(
    (Timestamp) => () => judge(anEvent('dgii.aprobado', { Timestamp })),
  ),
  () => judge(anEvent('dgii.aprobado', { data: { DocumentId: null, StatusId: 6 } })),
  invoice({ DocumentId: 1, StatusId: '1', Lines: [1, LINE], Accounting: 1 }),
  invoice({ StatusId: null, Lines: 1, Number: undefined }),
  () => judge({ ...anEvent('dgii.aprobado'), data: {} }),
  () => judge('{}'),
]

describe('sentences', () => {
  const findings = CASES.flatMap((run) => run().findings)
  const codes = Object.keys(CODES) as Code[]

  test('every code can come about', () => {
    const seen = new Set(findings.map((finding) => finding.code))
    expect(codes.filter((code) => !seen.has(code))).toEqual([])
  })
  test.each(['en', 'es'] as const)('%s: every finding has every value its sentence asks for', (language) => {
    for (const finding of findings) {
      expect(findingMessage(finding, language)).not.toMatch(/\{\w+\}/)
      for (const [, name] of SENTENCES[language][finding.code as Code].matchAll(/\{(\w+)\}/g))
        expect(finding.params, finding.code).toHaveProperty(name ?? '')
    }
  })
  test('both languages speak of the same values, each in its own words', () => {
    const asked = (sentence: string): string[] =>
      [...sentence.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
    const { en, es } = SENTENCES
    for (const code of codes) {
      expect(asked(es[code]), code).toEqual(asked(en[code]))
      expect(es[code]).not.toBe(en[code])
    }
  })
  test('plugin kinds and the connectivity test are spoken of (readings, The envelope)', () => {
    const sentence = (Event: string): string => {
      const [finding] = judge({ ...anEvent('dgii.aprobado'), Event }).findings
      return finding ? findingMessage(finding, 'en') : ''
    }
    expect(sentence('inventario.movimiento')).toContain('plugin route')
    expect(sentence('ping')).toContain('connectivity test')
    expect(sentence('cobro.registrado')).not.toContain('connectivity test')
  })
  test('captured values are shortened, on one line and never re-interpreted', () => {
    const [finding] = judge({
      ...anEvent('dgii.aprobado'),
      Event: `{limit}\n\u202e${'x'.repeat(500)}`,
    }).findings
    const sentence = finding ? findingMessage(finding, 'en') : ''
    expect(sentence).toMatch(/^“\{limit\} x+…” is none/)
    expect(sentence.length).toBeLessThan(250)
  })
  test('a code of another version is shown as it is', () => {
    const finding = { level: 'note', code: 'of-tomorrow', pointer: '', params: {}, rule: '' } as const
    expect(findingMessage(finding, 'es')).toBe('of-tomorrow')
  })
})

test('validateBytes, what `acuse validate` prints: level, code, pointer, sentence and place', () => {
  const { verdict, findings } = validateBytes(bytesOf('{\n "Event": "x"'))
  const message = SENTENCES.en['json-cut-off']
  const place = { pointer: '', line: 2, column: 14 }
  expect(verdict).toBe('unreadable')
  expect(findings).toEqual([{ level: 'unreadable', code: 'json-cut-off', message, ...place }])
})
