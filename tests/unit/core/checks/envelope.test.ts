import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import type { Finding } from '#contract/delivery.ts'
import { analyse } from '#core/checks/analyse.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { anEvent, aUuid, bytesOf } from '../../../support/events.ts'
import { judge, said, told } from './judging.ts'

const APPROVED = anEvent('dgii.aprobado')

describe('readings, The envelope', () => {
  test.each(KINDS.map((spec) => spec.kind))('%s with all documented fields is valid', (kind) => {
    const analysis = judge(anEvent(kind), { contentType: 'application/json' })
    expect([analysis.verdict, analysis.kind, analysis.findings]).toEqual(['valid', kind, []])
  })

  test.each([
    ...['GET', 'PUT', 'POST'].map((method) => [method, 'valid']),
    ...['DELETE', 'PATCH', 'post', ''].map((method) => [method, 'warning; method-not-documented ']),
  ])('method %j: %s', (method, expected) => expect(said(judge(APPROVED, { method }))).toBe(expected))

  test.each(['Event', 'Timestamp', 'data'])('a missing or null %s is an error that names it', (name) => {
    const { [name]: _, ...rest } = { ...APPROVED } as Record<string, unknown>
    const missing = judge(rest)
    expect(said(missing)).toBe(`invalid; envelope-missing /${name}`)
    const place = { line: 1, column: 1, level: 'error', rule: 'readings: The envelope' }
    expect(missing.findings[0]).toMatchObject(place)
    const empty = judge({ ...APPROVED, [name]: null })
    expect(said(empty)).toBe(`invalid; envelope-null /${name}`)
    expect(empty.findings[0]?.params).toEqual({ name, found: 'null' })
  })
  test('an envelope key in another case is used and gets a warning', () => {
    const { Event, Timestamp, data } = APPROVED
    const found = judge({ event: Event, TIMESTAMP: Timestamp, Data: data })
    expect(said(found)).toBe('warning; envelope-case /event; envelope-case /TIMESTAMP; envelope-case /Data')
    expect(found).toMatchObject({
      kind: 'dgii.aprobado',
      documentId: aUuid(),
      statusId: 5,
      timestamp: { text: Timestamp },
    })
  })
  test.each([
    ['before', { Data: { DocumentId: 'x' }, ...APPROVED }],
    ['after', { ...APPROVED, Data: { DocumentId: 'x' } }],
  ])('where two cases stand the exact name wins, the other is an extra key (%s)', (_, body) => {
    const analysis = judge(body)
    expect([said(analysis), analysis.documentId]).toEqual(['noted; envelope-extra /Data', aUuid()])
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

  test.each<readonly [change: object, expected: string]>([
    ...[[], ['x'], 5, true].map((data) => [{ data }, 'invalid; data-not-object /data'] as const),
    [{ 'a/b~c': 1 }, 'noted; envelope-extra /a~1b~0c'],
    // A letter that only full case folding maps to "i" makes another name.
    [{ data: { ...APPROVED.data, 'Status\u0130d': 1 } }, 'noted; field-not-documented /data/Status\u0130d'],
    [{ Event: 5 }, 'invalid; event-not-string /Event'],
    ...PLUGIN_EVENT_TYPES.map((Event) => [{ Event }, 'invalid; event-plugin /Event'] as const),
    ...['test.connections', 'Factura.Created', '', 'factura.created '].map(
      (Event) => [{ Event }, 'invalid; event-unknown /Event'] as const,
    ),
    // A connectivity test is no event and is not checked.
    [{ Event: 'test.connection', Timestamp: 'x', data: null }, 'test'],
    [{ Timestamp: '2026-11-21T09:20:41' }, 'invalid; timestamp-without-offset /Timestamp'],
    [{ Timestamp: 'yesterday' }, 'invalid; timestamp-not-date-time /Timestamp'],
    [{ Timestamp: 1795267241 }, 'invalid; timestamp-not-date-time /Timestamp'],
    [{ Timestamp: '2026-11-21T09:20:41Z' }, 'warning; timestamp-utc /Timestamp'],
    [{ Timestamp: '2026-11-21T09:20:41+00:00' }, 'valid'],
  ])('%j: %s', (change, expected) => expect(said(judge({ ...APPROVED, ...change }))).toBe(expected))
  test('an event of no known kind shows what can be read of it', () =>
    expect(judge({ ...anEvent('factura.created'), Event: 'test.connections' })).toMatchObject({
      ...{ event: 'test.connections', kind: null, group: null },
      ...{ documentId: aUuid(), number: 'E310000000001' },
    }))
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
  test('invalid UTF-8 is unreadable, with the place of the bad byte', () =>
    expect(judge(Uint8Array.from([...bytesOf('{"a":\n"ñ'), 0xff, 0x22, 0x7d])).findings).toMatchObject([
      { code: 'body-not-utf8', line: 2, column: 3, params: { found: '0xff', offset: 9 } },
    ]))
  test.each(['utf-16le', 'utf-16be'])('%s is unreadable and named', (encoding) => {
    const pairs = [...'{"Event":1}'].map((c) => [c.charCodeAt(0), 0])
    const bytes = Uint8Array.from(pairs.flatMap((pair) => (encoding === 'utf-16be' ? pair.reverse() : pair)))
    expect(judge(bytes).findings).toMatchObject([
      { code: 'body-other-encoding', params: { found: encoding.toUpperCase() } },
    ])
  })
  test('a byte-order mark is a warning, and the rest is checked', () => {
    const analysis = judge(Uint8Array.from([0xef, 0xbb, 0xbf, ...bytesOf(APPROVED)]))
    expect([said(analysis), analysis.kind]).toEqual(['warning; body-bom ', 'dgii.aprobado'])
  })
  test('duplicate keys are a warning at any depth, and the last value counts', () => {
    const text = `{"Event":"dgii.rechazado","Event":"dgii.aprobado","Timestamp":"2026-01-01T00:00:00-04:00","data":{"DocumentId":"${aUuid()}","StatusId":6,
      "StatusId":5,"X":{"a":1,"a":2}}}`
    const analysis = judge(text)
    expect(said(analysis)).toBe(
      'warning; duplicate-key /Event; duplicate-key /data/StatusId; duplicate-key /data/X/a; field-not-documented /data/X',
    )
    expect(analysis.findings[1]).toMatchObject({ line: 2, column: 7, params: { name: 'StatusId' } })
    expect(analysis).toMatchObject({ kind: 'dgii.aprobado', statusId: 5 })
  })
  test('a coding that fails or passes its limits is unreadable', () => {
    const params = { coding: 'gzip', reason: 'incorrect header check' }
    const analysis = analyse({ method: 'POST', contentType: null, body: { undecodable: params } })
    expect(said(analysis)).toBe('unreadable; coding-failed ')
    expect(analysis.findings[0]?.params).toEqual(params)
  })

  test.each([
    ...['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"', null],
    ...['application/problem+json', 'text/json', ' application/json ; v=1'],
  ])('Content-Type %j agrees with JSON', (contentType) =>
    expect(judge(APPROVED, { contentType }).verdict).toBe('valid'),
  )
  test.each([
    ...['text/plain', '', 'application/jsonp', 'application/json; charset=latin1'],
    'application/x-www-form-urlencoded',
  ])('Content-Type %j is a note, and the body is parsed as JSON all the same', (contentType) => {
    const analysis = judge(APPROVED, { contentType })
    expect([said(analysis), analysis.kind]).toEqual(['noted; content-type ', 'dgii.aprobado'])
  })
})
