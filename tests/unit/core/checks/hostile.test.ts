import { describe, expect, test } from 'vitest'
import { FINDINGS_KEPT, LEVELS } from '#contract/values.ts'
import { POINTER_MAX } from '#core/json/pointer.ts'
import { anEvent, bytesOf } from '../../../support/events.ts'
import { judge, told } from './judging.ts'

const million = 1_000_000

/** A valid event whose `data` carries one more member, given as JSON source. */
const eventWith = (source: string): string =>
  JSON.stringify(anEvent('dgii.aprobado')).replace('"data":{', () => `"data":{"X":${source},`)

const withStatus = (digits: string) => eventWith('1').replace('"StatusId":5', `"StatusId":${digits}`)

describe('every body gets a verdict', () => {
  test.each([
    ['five million open brackets', () => '['.repeat(5 * million), 'unreadable'],
    ['five million closed brackets', () => '['.repeat(5 * million) + ']'.repeat(5 * million), 'unreadable'],
    ['a value a million deep', () => eventWith('['.repeat(million) + ']'.repeat(million)), 'noted'],
    ['objects 200,000 deep', () => eventWith(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`), 'noted'],
    ['a 25 MB string', () => eventWith(`"${'ñ'.repeat(12 * million)}"`), 'noted'],
    ['a 25 MB number', () => eventWith('9'.repeat(25 * million)), 'noted'],
    ['25 MB of small values', () => eventWith(`[${'1,'.repeat(12 * million)}1]`), 'noted'],
    ['a __proto__ key', () => eventWith('{"__proto__":{"x":1},"constructor":{"prototype":1}}'), 'noted'],
    ['a __proto__ member', () => eventWith('1,"__proto__":1,"toString":2,"hasOwnProperty":3'), 'noted'],
    ['__proto__ as the event', () => eventWith('1').replace('dgii.aprobado', '__proto__'), 'invalid'],
    ['numbers beyond doubles', () => eventWith('[9007199254740993,1e400,-1e-400]'), 'noted'],
    ['lone surrogates', () => eventWith('"\\ud800\\udc00\\udfff"'), 'noted'],
    ['a lone surrogate as a key', () => eventWith('1,"\\ud800":1'), 'noted'],
    ['zero bytes', () => '\0\0\0\0', 'unreadable'],
    ['escaped zero characters', () => eventWith('"\\u0000"'), 'noted'],
    ['HTML', () => '<!doctype html><script>alert(1)</script>', 'unreadable'],
    ['a huge StatusId', () => withStatus(`5.${'0'.repeat(million)}1`), 'invalid'],
    ['a huge exponent', () => withStatus(`5e${'9'.repeat(million)}`), 'invalid'],
    ['a long id', () => eventWith('1').replace(/"DocumentId":"/, (m) => m + 'a'.repeat(million)), 'invalid'],
    ['a long time', () => eventWith('1').replace(/"Timestamp":"/, (m) => m + '1'.repeat(million)), 'invalid'],
  ])(
    '%s',
    (_, body, verdict) => {
      const analysis = judge(bytesOf(body()))
      expect(analysis.verdict).toBe(verdict)
      expect(JSON.stringify(analysis).length).toBeLessThan(20_000)
    },
    60_000,
  )

  test('nothing in a body changes an object of ours', () => {
    judge(eventWith('{"__proto__":{"polluted":true}}'))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('findings are bounded (contract, FINDINGS_KEPT)', () => {
  test('all are counted, the first are kept, worst first and then by place', () => {
    const analysis = judge(
      JSON.stringify(anEvent('factura.created', { data: { Lines: 0 } })).replace(
        '"Lines":0',
        `"Lines":[${Array.from({ length: 2_000 }, (_, i) => (i % 2 ? '{"New":1,"code":2}' : '5'))}]`,
      ),
    )
    expect(analysis.findings.length).toBe(FINDINGS_KEPT)
    expect(analysis.findingCount).toBe(1_000 + 1_000 * (1 + 1 + 21))
    expect(told(analysis)).toEqual(
      Array.from({ length: FINDINGS_KEPT }, (_, i) => `line-not-object /data/Lines/${i * 2}`),
    )
  })
  test('a worse finding at the end pushes out a milder one', () => {
    const extras = Array.from({ length: 5_000 }, (_, i) => `"x${i}":0`)
    const analysis = judge(
      `{"Event":"dgii.aprobado","Timestamp":"2026-01-01T00:00:00-04:00","data":{${extras},"documentid":null}}`,
    )
    expect(told(analysis).slice(0, 4)).toEqual([
      'dgii-status-absent /data/StatusId',
      'document-id-null /data/documentid',
      'field-case /data/documentid',
      'field-not-documented /data/x0',
    ])
    expect([analysis.findings.length, analysis.findingCount]).toEqual([FINDINGS_KEPT, 5_003])
    const weights = analysis.findings.map((finding) => LEVELS.indexOf(finding.level))
    expect(weights).toEqual([...weights].sort((a, b) => b - a))
  })
  test('a pointer that would be endless names the closest member that fits', () => {
    const [long, longer] = ['k'.repeat(3_000), 'z'.repeat(5_000)]
    const analysis = judge(eventWith(`{"${long}":{"${long}":{"a":1,"a":2}},"${longer}":1,"${longer}":1}`))
    expect(told(analysis).slice(0, 2)).toEqual([`duplicate-key /data/X/${long}`, 'duplicate-key /data/X'])
    for (const finding of analysis.findings) expect(finding.pointer.length).toBeLessThanOrEqual(POINTER_MAX)
  })
  test('a million duplicates and a million unknown fields are counted', {
    tags: 'long',
    timeout: 60_000,
  }, () => {
    expect(judge(eventWith(`{${'"a":1,'.repeat(million)}"b":1}`)).findingCount).toBe(million - 1 + 1)
    const names = Array.from({ length: million }, (_, i) => `"x${i}":0`).join()
    expect(judge(eventWith(`1,${names}`)).findingCount).toBe(million + 1)
  })
})
