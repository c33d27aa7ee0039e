import { describe, expect, test } from 'vitest'
import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { GROUPS, KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import { aLine, anEvent, aUuid } from '../../../support/events.ts'
import { judge, told } from './judging.ts'

describe('readings, counts to hold', () => {
  test('28 kinds in 8 groups, 22 fields of a line, 21 of Accounting, 23 of a note, 16 of factura.created', () => {
    expect([KINDS.length, new Set(KINDS.map((k) => k.kind)).size, GROUPS.length]).toEqual([28, 28, 8])
    expect(new Set(KINDS.map((k) => k.group)).size).toBe(8)
    expect([LINE_FIELDS.size, ACCOUNTING_FIELDS.size]).toEqual([22, 21])
    const count = (kind: string): number | undefined => kindSpec(kind)?.fields.length
    for (const document of ['nota_credito', 'nota_debito'])
      expect([count(`${document}.created`), count(`${document}.updated`)]).toEqual([23, 23])
    expect(count('factura.created')).toBe(16)
  })
})

describe('readings, data per kind', () => {
  test.each(KINDS.map((spec) => spec.kind))(
    '%s: every documented field that is absent is a note that names it, but for its identity and the answer of dgii',
    (kind) => {
      const analysis = judge({ ...anEvent(kind), data: {} })
      const spec = kindSpec(kind)
      const errors = [
        ...(spec?.fields.includes('DocumentId') ? [['DocumentId', 'document-id-absent']] : []),
        ...(spec?.group === 'dgii' ? [['StatusId', 'dgii-status-absent']] : []),
      ]
      const notes = (spec?.fields ?? []).filter((name) => errors.every(([demanded]) => demanded !== name))
      expect(analysis.verdict).toBe(errors.length > 0 ? 'invalid' : 'noted')
      expect(told(analysis)).toEqual([
        ...errors.map(([name, code]) => `${code} /data/${name}`),
        ...notes.map((name) => `field-absent /data/${name}`),
      ])
    },
  )
  test.each(KINDS.map((spec) => spec.kind))(
    '%s: null counts as present in every field without a known type',
    (kind) => {
      const event = anEvent(kind)
      const typed = ['DocumentId', 'StatusId', 'Lines', 'Accounting']
      for (const name of Object.keys(event.data)) if (!typed.includes(name)) event.data[name] = null
      expect(judge(event).verdict).toBe('valid')
    },
  )
  test('an absent field is placed at the object around it', () => {
    const text = '{"Event":"customer.deactivated","Timestamp":"2026-01-01T00:00:00-04:00",\n  "data": {}}'
    expect(judge(text).findings).toMatchObject([{ line: 2, column: 11, pointer: '/data/CustomerId' }])
  })
  test('a field that is not documented is a note, also when another kind documents it', () => {
    const analysis = judge(
      anEvent('cotizacion.created', { data: { Extra: 1, Number: 'C-1', CustomerId: [], Lines: 5 } }),
    )
    expect([analysis.verdict, told(analysis)]).toEqual([
      'noted',
      ['Extra', 'Number', 'CustomerId', 'Lines'].map((name) => `field-not-documented /data/${name}`),
    ])
    expect(analysis.number).toBe('C-1')
  })
  test('the same name in another case is a warning, its value is used, and it is not absent', () => {
    const { data, ...rest } = anEvent('dgii.aprobado')
    const analysis = judge({ ...rest, data: { documentId: data.DocumentId, STATUSID: 6 } })
    expect(told(analysis)).toEqual([
      'dgii-status /data/STATUSID',
      'field-case /data/documentId',
      'field-case /data/STATUSID',
    ])
    expect(analysis).toMatchObject({ documentId: aUuid(), statusId: 6 })
    expect(analysis.findings[1]?.params).toEqual({ name: 'documentId', expected: 'DocumentId' })
  })
  test.each(['documentId', 'DOCUMENTID'])(
    'where the exact name stands too, %s is a field not documented',
    (other) => {
      const analysis = judge(anEvent('cotizacion.anulated', { data: { [other]: 'x' } }))
      expect([told(analysis), analysis.documentId]).toEqual([
        [`field-not-documented /data/${other}`],
        aUuid(),
      ])
    },
  )
  test('of two other cases without the exact one the last counts, and one warning says so', () => {
    const analysis = judge({
      ...anEvent('cotizacion.anulated'),
      data: { documentId: 'x', documentID: aUuid(7) },
    })
    expect([told(analysis), analysis.documentId]).toEqual([
      ['field-case /data/documentID', 'field-not-documented /data/documentId'],
      aUuid(7),
    ])
  })
  test('ReferenceSecuence is spelt so; ReferenceSequence is a new field', () => {
    const analysis = judge(
      anEvent('nota_credito.created', { data: { ReferenceSecuence: undefined, ReferenceSequence: 1 } }),
    )
    expect(told(analysis)).toEqual([
      'field-absent /data/ReferenceSecuence',
      'field-not-documented /data/ReferenceSequence',
    ])
  })

  test.each([
    aUuid(),
    aUuid().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-ffff-ffff-ffff-ffffffffffff',
  ])('DocumentId %s is a UUID', (DocumentId) =>
    expect(judge(anEvent('cotizacion.anulated', { data: { DocumentId } })).verdict).toBe('valid'),
  )
  test('a UUID written with escapes is the same UUID', () => {
    const text = JSON.stringify(anEvent('cotizacion.anulated')).replace('5f0c', '\\u0035f0c')
    expect(judge(text)).toMatchObject({ verdict: 'valid', documentId: aUuid() })
  })
  test.each([
    '',
    'x',
    `{${aUuid()}}`,
    aUuid().replaceAll('-', ''),
    `${aUuid()}0`,
    ` ${aUuid()}`,
    5,
    true,
    [],
    {},
  ])('DocumentId %j is an error', (DocumentId) => {
    const analysis = judge(anEvent('cotizacion.anulated', { data: { DocumentId } }))
    expect([analysis.verdict, told(analysis)]).toEqual(['invalid', ['document-id-not-uuid /data/DocumentId']])
  })
  test('DocumentId: null and absent are errors', () => {
    expect(told(judge(anEvent('dgii.aprobado', { data: { DocumentId: null } })))).toEqual([
      'document-id-null /data/DocumentId',
    ])
    expect(told(judge(anEvent('dgii.aprobado', { data: { DocumentId: undefined } })))).toEqual([
      'document-id-absent /data/DocumentId',
    ])
  })
  test('StatusId: null and absent are notes, in dgii errors', () => {
    const judgedWith = (kind: Kind, StatusId: null | undefined) =>
      told(judge(anEvent(kind, { data: { StatusId } })))
    expect([judgedWith('factura.created', null), judgedWith('factura.created', undefined)]).toEqual([
      ['field-null /data/StatusId'],
      ['field-absent /data/StatusId'],
    ])
    expect([judgedWith('dgii.aprobado', null), judgedWith('dgii.aprobado', undefined)]).toEqual([
      ['dgii-status /data/StatusId'],
      ['dgii-status-absent /data/StatusId'],
    ])
  })
  test('other ids have no known type', () => {
    expect(
      judge(anEvent('customer.created', { data: { CustomerId: { any: 'thing' }, LegalName: 7 } })).verdict,
    ).toBe('valid')
  })

  const withStatus = (kind: 'cotizacion.created' | 'dgii.aprobado', digits: string): string =>
    JSON.stringify(anEvent(kind, { data: { StatusId: 0 } })).replace('"StatusId":0', `"StatusId":${digits}`)
  test.each(['5', '5.0', '0', '-3', '-0', '1e2', '1.5e1', '50e-1', '9007199254740993', '1e400', '999'])(
    'StatusId %s is an integer',
    (digits) => expect(judge(withStatus('cotizacion.created', digits)).verdict).toBe('valid'),
  )
  test.each(['"5"', '5.5', '1e-1', '5.0000000000000000000001', 'true', '[]', '{}', '""'])(
    'StatusId %s is an error',
    (digits) => {
      const analysis = judge(withStatus('cotizacion.created', digits))
      expect([analysis.verdict, told(analysis)]).toEqual(['invalid', ['status-not-integer /data/StatusId']])
    },
  )
  test('StatusId on the row is the integer, and null where a double could not hold it', () => {
    expect(
      ['5.0', '1e2', '9007199254740993', '1e400', '"5"'].map(
        (d) => judge(withStatus('cotizacion.created', d)).statusId,
      ),
    ).toEqual([5, 100, null, null, null])
  })
  test('StatusId: null is a note, in dgii.* an error', () => {
    expect(told(judge(withStatus('cotizacion.created', 'null')))).toEqual(['field-null /data/StatusId'])
    expect(judge(withStatus('cotizacion.created', 'null')).verdict).toBe('noted')
    expect(told(judge(withStatus('dgii.aprobado', 'null')))).toEqual(['dgii-status /data/StatusId'])
  })
  test.each(KINDS.filter((k) => k.statusId !== undefined))(
    '$kind reports StatusId $statusId and no other',
    ({ kind, statusId }) => {
      for (const StatusId of [0, 5, 6, 7, 8, 9]) {
        const analysis = judge(anEvent(kind, { data: { StatusId } }))
        expect(told(analysis)).toEqual(StatusId === statusId ? [] : ['dgii-status /data/StatusId'])
        if (StatusId !== statusId)
          expect(analysis.findings[0]?.params).toMatchObject({ expected: statusId, found: `${StatusId}` })
      }
    },
  )
  test('dgii.aprobado with 5.0 or 50e-1 is right', () => {
    for (const digits of ['5.0', '50e-1'])
      expect(judge(withStatus('dgii.aprobado', digits)).verdict).toBe('valid')
  })

  test.each(['Lines', 'Accounting'])('%s: null or absent is a note', (name) => {
    expect(told(judge(anEvent('factura.created', { data: { [name]: null } })))).toEqual([
      `field-null /data/${name}`,
    ])
    expect(told(judge(anEvent('factura.created', { data: { [name]: undefined } })))).toEqual([
      `field-absent /data/${name}`,
    ])
  })
  test.each([{}, 'x', 5, true])('Lines that is %j is an error', (Lines) => {
    const analysis = judge(anEvent('gasto.updated', { data: { Lines } }))
    expect([analysis.verdict, told(analysis)]).toEqual(['invalid', ['lines-not-list /data/Lines']])
  })
  test.each([[[]], ['x'], [5], [true]])('Accounting that is %j is an error', (Accounting) => {
    const analysis = judge(anEvent('gasto.updated', { data: { Accounting } }))
    expect([analysis.verdict, told(analysis)]).toEqual([
      'invalid',
      ['accounting-not-object /data/Accounting'],
    ])
  })
  test('an item of Lines that is no object is an error; an empty list is fine', () => {
    const analysis = judge(anEvent('factura.updated', { data: { Lines: [aLine(), null, 5, [], 'x'] } }))
    expect([analysis.verdict, told(analysis)]).toEqual([
      'invalid',
      [1, 2, 3, 4].map((index) => `line-not-object /data/Lines/${index}`),
    ])
    expect(judge(anEvent('factura.updated', { data: { Lines: [] } })).verdict).toBe('valid')
  })
  test('items of Lines are checked for their documented fields the same way', () => {
    const { Code, Subtotal: _, ...line } = aLine({ New: 1 })
    const analysis = judge(
      anEvent('factura.created', { data: { Lines: [aLine(), { ...line, code: Code }] } }),
    )
    expect([analysis.verdict, told(analysis)]).toEqual([
      'warning',
      [
        'field-case /data/Lines/1/code',
        'field-absent /data/Lines/1/Subtotal',
        'field-not-documented /data/Lines/1/New',
      ],
    ])
    expect(told(judge(anEvent('factura.created', { data: { Lines: [{}] } })))).toEqual(
      [...LINE_FIELDS.keys()].map((name) => `field-absent /data/Lines/0/${name}`),
    )
  })
  test('Accounting is checked for its documented fields the same way', () => {
    expect(told(judge(anEvent('factura.updated', { data: { Accounting: {} } })))).toEqual(
      [...ACCOUNTING_FIELDS.keys()].map((name) => `field-absent /data/Accounting/${name}`),
    )
  })
  test('the insides of Taxes and Withholdings are untouched', () => {
    const inside = [{ documentId: 1, DocumentId: 'x', anything: [null] }, 5, 'x']
    const Lines = [aLine({ Taxes: inside, Withholdings: { a: 1 } })]
    expect(judge(anEvent('factura.created', { data: { Lines } })).verdict).toBe('valid')
  })
})

describe('what a row shows of an event', () => {
  test('a number without quotes keeps its digits', () => {
    const text = JSON.stringify(anEvent('factura.created', { data: { Number: 0 } })).replace(
      '"Number":0',
      '"Number":12345678901234567890.10',
    )
    expect(judge(text).number).toBe('12345678901234567890.10')
  })
  test('texts are cut at 200 characters and stay well-formed', () => {
    const Event = `${'x'.repeat(199)}😀`
    expect(judge({ ...anEvent('factura.created'), Event }).event).toBe(`${'x'.repeat(199)}\ufffd`)
  })
  test('the search text holds ids, number, names, tax ids, contacts, codes and descriptions, and nothing else', () => {
    const { searchText } = judge(
      anEvent('factura.created', {
        data: {
          CustomerName: 'Peña',
          CustomerAddress: 'Calle 9',
          Lines: [aLine({ Code: 'SKU-7', Description: 'Cable' })],
        },
      }),
    )
    for (const value of [
      aUuid(),
      'E310000000001',
      'Peña',
      '131246789',
      '809-555-0142',
      'compras@example.com.do',
      'SKU-7',
      'Cable',
    ])
      expect(searchText.split('\n')).toContain(value)
    for (const value of ['Calle 9', '1250.5']) expect(searchText).not.toContain(value)
  })
  test('the search text is at most 16 KiB of UTF-8, one value at most 1,000 characters', () => {
    const Lines = Array.from({ length: 500 }, (_, i) =>
      aLine({ Code: `K${i}`, Description: 'ñ😀'.repeat(900) }),
    )
    const { searchText } = judge(anEvent('factura.created', { data: { Lines } }))
    expect(new TextEncoder().encode(searchText).length).toBeLessThanOrEqual(16 * 1024)
    expect(searchText.isWellFormed()).toBe(true)
    expect(searchText).toContain('K3')
  })
})
