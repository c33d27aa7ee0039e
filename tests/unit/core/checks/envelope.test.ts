import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import type { Finding } from '#contract/delivery.ts'
import { analyse } from '#core/checks/analyse.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { anEvent, aUuid, bytesOf } from '../../../support/events.ts'
import { judge, told } from './judging.ts'

describe('readings, The envelope', () => {
  test.each(KINDS.map((spec) => spec.kind))('%s with all documented fields is valid', (kind) => {
    const analysis = judge(anEvent(kind), { contentType: 'application/json' })
    expect([analysis.verdict, analysis.kind, analysis.findings]).toEqual(['valid', kind, []])
  })

  test.each(['GET', 'PUT', 'POST'])('method %s is documented', (method) => {
    expect(judge(anEvent('dgii.aprobado'), { method }).verdict).toBe('valid')
  })
  test.each(['DELETE', 'PATCH', 'post', ''])('method %j is a warning', (method) => {
    const analysis = judge(anEvent('dgii.aprobado'), { method })
    expect([analysis.verdict, told(analysis)]).toEqual(['warning', ['method-not-documented ']])
  })

  test.each(['Event', 'Timestamp', 'data'])('a missing %s is an error that names it', (name) => {
    const { [name]: _, ...rest } = { ...anEvent('customer.created') } as Record<string, unknown>
    const analysis = judge(rest)
    expect([analysis.verdict, told(analysis)]).toEqual(['invalid', [`envelope-missing /${name}`]])
    expect(analysis.findings[0]).toMatchObject({
      line: 1,
      column: 1,
      level: 'error',
      rule: 'readings: The envelope',
    })
  })
  test.each(['Event', 'Timestamp', 'data'])('a null %s is an error', (name) => {
    const analysis = judge({ ...anEvent('customer.created'), [name]: null })
    expect([analysis.verdict, told(analysis)]).toEqual(['invalid', [`envelope-null /${name}`]])
    expect(analysis.findings[0]?.params).toEqual({ name, found: 'null' })
  })
  test.each([[[]], ['x'], [5], [true]])('data that is %j is an error', (data) => {
    const analysis = judge({ ...anEvent('customer.created'), data })
    expect([analysis.verdict, told(analysis)]).toEqual(['invalid', ['data-not-object /data']])
  })
  test('an envelope key in another case is used and gets a warning', () => {
    const { Event, Timestamp, data } = anEvent('dgii.aprobado')
    const analysis = judge({ event: Event, TIMESTAMP: Timestamp, Data: data })
    expect([analysis.verdict, told(analysis)]).toEqual([
      'warning',
      ['envelope-case /event', 'envelope-case /TIMESTAMP', 'envelope-case /Data'],
    ])
    expect(analysis).toMatchObject({ kind: 'dgii.aprobado', documentId: aUuid(), statusId: 5 })
    expect(analysis.timestamp?.text).toBe(Timestamp)
  })
  test.each([
    ['before', (exact: object) => ({ Data: { DocumentId: 'x' }, ...exact })],
    ['after', (exact: object) => ({ ...exact, Data: { DocumentId: 'x' } })],
  ])('where two cases stand the exact name wins, the other is an extra key (%s)', (_, build) => {
    const analysis = judge(build(anEvent('dgii.aprobado')))
    expect([analysis.verdict, told(analysis)]).toEqual(['noted', ['envelope-extra /Data']])
    expect(analysis.documentId).toBe(aUuid())
  })
  test('an extra envelope key is a note', () => {
    const analysis = judge({ ...anEvent('dgii.aprobado'), 'a/b~c': 1 })
    expect([analysis.verdict, told(analysis)]).toEqual(['noted', ['envelope-extra /a~1b~0c']])
  })
  test('of event and EVENT alone the last is used, and one warning says which', () => {
    const { Event, ...rest } = anEvent('customer.deactivated')
    const analysis = judge({ event: 'gasto.created', ...rest, EVENT: Event })
    expect(analysis.kind).toBe('customer.deactivated')
    expect(told(analysis)).toEqual(['envelope-case /EVENT', 'envelope-extra /event'])
    expect(findingMessage(analysis.findings[0] as Finding, 'en')).toBe(
      '“EVENT” is documented as Event; its value was used.',
    )
  })
  test('a letter that only full case folding turns into k is another name', () => {
    const { data, ...rest } = anEvent('product.deactivated')
    const analysis = judge({ ...rest, data: { ...data, 'Product\u0130d': 1 } })
    expect(analysis.verdict).toBe('noted')
  })

  test.each(PLUGIN_EVENT_TYPES)('%s belongs to the plugin route', (event) => {
    const analysis = judge({ ...anEvent('dgii.aprobado'), Event: event })
    expect([analysis.verdict, told(analysis), analysis.kind]).toEqual([
      'invalid',
      ['event-plugin /Event'],
      null,
    ])
  })
  test.each(['test.connection', 'Factura.Created', '', 'factura.created '])(
    'unknown event %j is an error',
    (event) => {
      const analysis = judge({ ...anEvent('factura.created'), Event: event })
      expect([analysis.verdict, told(analysis)]).toEqual(['invalid', ['event-unknown /Event']])
      expect(analysis).toMatchObject({
        event,
        kind: null,
        group: null,
        documentId: aUuid(),
        number: 'E310000000001',
      })
    },
  )
  test('an Event that is no string is an error', () => {
    const analysis = judge({ ...anEvent('factura.created'), Event: 5 })
    expect([told(analysis), analysis.event]).toEqual([['event-not-string /Event'], null])
  })

  test('Timestamp: no offset, or no date-time, is an error; Z is a warning; an offset is as documented', () => {
    const code = (Timestamp: unknown): string | undefined =>
      judge(anEvent('dgii.aprobado', { Timestamp })).findings[0]?.code
    expect(code('2026-11-21T09:20:41')).toBe('timestamp-without-offset')
    expect(code('yesterday')).toBe('timestamp-not-date-time')
    expect(code(1795267241)).toBe('timestamp-not-date-time')
    expect(code('2026-11-21T09:20:41Z')).toBe('timestamp-utc')
    expect(code('2026-11-21T09:20:41+00:00')).toBeUndefined()
  })
  test('Timestamp is kept as sent and ordered by instant', () => {
    const [first, second] = ['2026-11-21T09:20:41-04:00', '2026-11-21T08:20:41.5-05:00'].map(
      (Timestamp) => judge(anEvent('dgii.aprobado', { Timestamp })).timestamp,
    )
    expect(first?.text).toBe('2026-11-21T09:20:41-04:00')
    expect((second?.instant ?? 0) - (first?.instant ?? 0)).toBe(500_000)
  })

  test.each([
    ['', 'body-empty', 1, 1],
    [' \n ', 'body-empty', 1, 1],
    ['[]', 'body-not-object', 1, 1],
    ['\n "Event"', 'body-not-object', 2, 2],
    ['{"Event":\n"x', 'json-cut-off', 2, 3],
    ['{"a":1}\n\nmore', 'json-trailing', 3, 1],
    ['{\n  Event: 1}', 'json-unexpected', 2, 3],
    ['{"a":"\t"}', 'json-control-character', 1, 7],
    ['{"a":"\\q"}', 'json-escape', 1, 8],
    ['{"a":1.}', 'json-number', 1, 8],
    ['<xml/>', 'json-unexpected', 1, 1],
  ])('%j is unreadable: %s at %i:%i', (text, code, line, column) => {
    const analysis = judge(text)
    expect(analysis.verdict).toBe('unreadable')
    expect(analysis.findings).toMatchObject([{ code, line, column, pointer: '', level: 'unreadable' }])
    expect(analysis).toMatchObject({ event: null, kind: null, documentId: null, searchText: '' })
  })
  test('invalid UTF-8 is unreadable, with the place of the bad byte', () => {
    const bytes = Uint8Array.from([...bytesOf('{"a":\n"ñ'), 0xff, 0x22, 0x7d])
    expect(judge(bytes).findings).toMatchObject([
      { code: 'body-not-utf8', line: 2, column: 3, params: { found: '0xff', offset: 9 } },
    ])
  })
  test.each(['utf-16le', 'utf-16be'])('%s is unreadable and named', (encoding) => {
    const pairs = [...'{"Event":1}'].map((c) => [c.charCodeAt(0), 0])
    const bytes = Uint8Array.from(pairs.flatMap((pair) => (encoding === 'utf-16be' ? pair.reverse() : pair)))
    expect(judge(bytes).findings).toMatchObject([
      { code: 'body-other-encoding', params: { found: encoding.toUpperCase() } },
    ])
  })
  test('a byte-order mark is a warning, and the rest is checked', () => {
    const bytes = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(anEvent('dgii.aprobado'))])
    const analysis = judge(bytes)
    expect([analysis.verdict, told(analysis), analysis.kind]).toEqual([
      'warning',
      ['body-bom '],
      'dgii.aprobado',
    ])
  })
  test('duplicate keys are a warning at any depth, and the last value counts', () => {
    const text = `{"Event":"dgii.rechazado","Event":"dgii.aprobado","Timestamp":"2026-01-01T00:00:00-04:00","data":{"DocumentId":"${aUuid()}","StatusId":6,
      "StatusId":5,"X":{"a":1,"a":2}}}`
    const analysis = judge(text)
    expect([analysis.verdict, told(analysis)]).toEqual([
      'warning',
      [
        'duplicate-key /Event',
        'duplicate-key /data/StatusId',
        'duplicate-key /data/X/a',
        'field-not-documented /data/X',
      ],
    ])
    expect(analysis.findings[1]).toMatchObject({ line: 2, column: 7, params: { name: 'StatusId' } })
    expect(analysis).toMatchObject({ kind: 'dgii.aprobado', statusId: 5 })
  })
  test('a coding that fails or passes its limits is unreadable', () => {
    const analysis = analyse({
      method: 'POST',
      contentType: 'application/json',
      body: { undecodable: { coding: 'gzip', reason: 'incorrect header check' } },
    })
    expect([analysis.verdict, told(analysis)]).toEqual(['unreadable', ['coding-failed ']])
    expect(analysis.findings[0]?.params).toEqual({ coding: 'gzip', reason: 'incorrect header check' })
  })

  test.each([
    ...['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'],
    ...['application/problem+json', 'text/json', ' application/json ; v=1'],
  ])('Content-Type %j agrees with JSON', (contentType) => {
    expect(judge(anEvent('dgii.aprobado'), { contentType }).verdict).toBe('valid')
  })
  test.each([
    ...[
      'text/plain',
      '',
      'application/jsonp',
      'application/json; charset=latin1',
      'application/x-www-form-urlencoded',
    ],
  ])('Content-Type %j is a note, and the body is parsed as JSON all the same', (contentType) => {
    const analysis = judge(anEvent('dgii.aprobado'), { contentType })
    expect([analysis.verdict, told(analysis), analysis.kind]).toEqual([
      'noted',
      ['content-type '],
      'dgii.aprobado',
    ])
  })
  test('no Content-Type disagrees with nothing', () => {
    expect(judge(anEvent('dgii.aprobado'), { contentType: null }).verdict).toBe('valid')
  })
})
