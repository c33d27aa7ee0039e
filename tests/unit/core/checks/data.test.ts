import { describe, expect, test } from 'vitest'
import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import { aLine, anEvent, aUuid } from '../../../support/events.ts'
import { judge, said, told } from './judging.ts'

const judged = (kind: Kind, data: Readonly<Record<string, unknown>>) => judge(anEvent(kind, { data }))

describe('readings, data per kind', () => {
  test.each(KINDS.map((spec) => spec.kind))(
    '%s: each absent field is a note, but for its identity and the answer of dgii',
    (kind) => {
      const spec = kindSpec(kind)
      const errors = [
        ...(spec?.fields.includes('DocumentId') ? [['DocumentId', 'document-id-absent']] : []),
        ...(spec?.group === 'dgii' ? [['StatusId', 'dgii-status-absent']] : []),
      ]
      const notes = (spec?.fields ?? []).filter((name) => errors.every(([demanded]) => demanded !== name))
      expect(said(judge({ ...anEvent(kind), data: {} }))).toBe(
        [
          errors.length > 0 ? 'invalid' : 'noted',
          ...errors.map(([name, code]) => `${code} /data/${name}`),
          ...notes.map((name) => `field-absent /data/${name}`),
        ].join('; '),
      )
      // Null counts as present in every field without a known type.
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
  test('the same name in another case is a warning, its value is used, and it is not absent', () => {
    const { data, ...rest } = anEvent('dgii.aprobado')
    const analysis = judge({ ...rest, data: { documentId: data.DocumentId, STATUSID: 6 } })
    expect(told(analysis)).toEqual([
      ...['dgii-status /data/STATUSID', 'field-case /data/documentId', 'field-case /data/STATUSID'],
    ])
    expect(analysis).toMatchObject({ documentId: aUuid(), statusId: 6 })
    expect(analysis.findings[1]?.params).toEqual({ name: 'documentId', expected: 'DocumentId' })
  })
  test.each([
    ['where the exact name stands too', { ...anEvent('cotizacion.anulated').data, documentId: 'x' }, 1],
    ['of two other cases without it the last counts, and', { documentId: 'x', documentID: aUuid(7) }, 7],
  ])('%s the other is a field not documented', (_, data, of) => {
    const analysis = judge({ ...anEvent('cotizacion.anulated'), data })
    expect(told(analysis).at(-1)).toBe('field-not-documented /data/documentId')
    expect(told(analysis)).toHaveLength(of === 1 ? 1 : 2)
    expect(analysis.documentId).toBe(aUuid(of))
  })

  test.each([
    ...[aUuid(), aUuid().toUpperCase(), '00000000-0000-0000-0000-000000000000'],
    'FFFFFFFF-ffff-ffff-ffff-ffffffffffff',
  ])('DocumentId %s is a UUID', (DocumentId) =>
    expect(judged('cotizacion.anulated', { DocumentId }).verdict).toBe('valid'),
  )
  test('a UUID written with escapes is the same UUID', () => {
    const text = JSON.stringify(anEvent('cotizacion.anulated')).replace('5f0c', '\\u0035f0c')
    expect(judge(text)).toMatchObject({ verdict: 'valid', documentId: aUuid() })
  })

  const wrongIds = ['', 'x', `{${aUuid()}}`, aUuid().replaceAll('-', ''), `${aUuid()}0`, ` ${aUuid()}`]
  const wrong = (kind: Kind, field: string, code: string, values: readonly unknown[], verdict = 'invalid') =>
    values.map((value) => [kind, { [field]: value }, `${verdict}; ${code} /data/${field}`] as const)
  const all = ['/data/Lines/0/', '/data/Accounting/']
  test.each<readonly [Kind, Readonly<Record<string, unknown>>, string]>([
    ...wrong('cotizacion.anulated', 'DocumentId', 'document-id-not-uuid', [...wrongIds, 5, true, [], {}]),
    ...wrong('dgii.aprobado', 'DocumentId', 'document-id-null', [null]),
    ...wrong('dgii.aprobado', 'DocumentId', 'document-id-absent', [undefined]),
    ...wrong('dgii.aprobado', 'StatusId', 'dgii-status', [null]),
    ...wrong('dgii.aprobado', 'StatusId', 'dgii-status-absent', [undefined]),
    ...['StatusId', 'Lines', 'Accounting'].flatMap((field) => [
      ...wrong('factura.created', field, 'field-null', [null], 'noted'),
      ...wrong('factura.created', field, 'field-absent', [undefined], 'noted'),
    ]),
    ...wrong('gasto.updated', 'Lines', 'lines-not-list', [{}, 'x', 5, true]),
    ...wrong('gasto.updated', 'Accounting', 'accounting-not-object', [[], 'x', 5, true]),
    ...['Extra', 'CustomerId', 'Lines', 'Number'].flatMap((field) =>
      // Also when another kind documents the field.
      wrong('cotizacion.created', field, 'field-not-documented', [5], 'noted'),
    ),
    ['customer.created', { CustomerId: { any: 'thing' }, LegalName: 7 }, 'valid'],
    [
      'nota_credito.created',
      { ReferenceSecuence: undefined, ReferenceSequence: 1 },
      'noted; field-absent /data/ReferenceSecuence; field-not-documented /data/ReferenceSequence',
    ],
    [
      'factura.updated',
      { Lines: [aLine(), null, 5, [], 'x'] },
      ['invalid', ...[1, 2, 3, 4].map((at) => `line-not-object /data/Lines/${at}`)].join('; '),
    ],
    ['factura.updated', { Lines: [] }, 'valid'],
    [
      'factura.created',
      { Lines: [aLine(), aLine({ Code: undefined, code: 1, Subtotal: undefined, New: 1 })] },
      'warning; field-case /data/Lines/1/code; field-absent /data/Lines/1/Subtotal; field-not-documented /data/Lines/1/New',
    ],
    ...(
      [
        ['Lines', [{}], LINE_FIELDS],
        ['Accounting', {}, ACCOUNTING_FIELDS],
      ] as const
    ).map(
      ([field, value, fields], at) =>
        [
          'factura.created',
          { [field]: value },
          ['noted', ...[...fields.keys()].map((name) => `field-absent ${all[at]}${name}`)].join('; '),
        ] as const,
    ),
    // The checks ignore the members of Taxes and Withholdings.
    [
      'factura.created',
      { Lines: [aLine({ Taxes: [{ documentId: 1, anything: [null] }, 5], Withholdings: { a: 1 } })] },
      'valid',
    ],
  ])('%s with %j: %s', (kind, data, expected) => expect(said(judged(kind, data))).toBe(expected))

  const withStatus = (kind: Kind, digits: string) => {
    const text = JSON.stringify(anEvent(kind, { data: { StatusId: 0 } }))
    return judge(text.replace('"StatusId":0', `"StatusId":${digits}`))
  }
  test.each([
    ['valid', '5 5.0 0 -3 -0 1e2 1.5e1 50e-1 9007199254740993 1e400 999'],
    ['invalid; status-not-integer /data/StatusId', '"5" 5.5 1e-1 5.0000000000000000000001 true [] {} ""'],
  ])('StatusId is an integer or not, by its value: %s for %s', (expected, sources) => {
    for (const source of sources.split(' '))
      expect([source, said(withStatus('cotizacion.created', source))]).toEqual([source, expected])
  })
  test('StatusId on the row is the integer, and null where a double could not hold it', () => {
    const sources = ['5.0', '1e2', '9007199254740993', '1e400', '"5"']
    const ids = sources.map((source) => withStatus('cotizacion.created', source).statusId)
    expect(ids).toEqual([5, 100, null, null, null])
  })
  test.each(KINDS.filter((k) => k.statusId !== undefined))(
    '$kind reports StatusId $statusId and no other',
    ({ kind, statusId }) => {
      for (const StatusId of [0, 5, 6, 7, 8, 9]) {
        const analysis = judged(kind, { StatusId })
        expect(told(analysis)).toEqual(StatusId === statusId ? [] : ['dgii-status /data/StatusId'])
        if (StatusId !== statusId)
          expect(analysis.findings[0]?.params).toMatchObject({ expected: statusId, found: `${StatusId}` })
      }
      expect(withStatus(kind, `${statusId}0e-1`).verdict).toBe('valid')
    },
  )
})

describe('what a row shows of an event', () => {
  test('a number without quotes keeps its digits', () => {
    const text = JSON.stringify(anEvent('factura.created', { data: { Number: 0 } }))
    const digits = '12345678901234567890.10'
    expect(judge(text.replace('"Number":0', `"Number":${digits}`)).number).toBe(digits)
    expect(judged('cotizacion.created', { Number: 'C-1' }).number).toBe('C-1')
  })
  test('texts are cut at 200 characters and stay well-formed', () => {
    const Event = `${'x'.repeat(199)}😀`
    expect(judge({ ...anEvent('factura.created'), Event }).event).toBe(`${'x'.repeat(199)}\ufffd`)
  })
  test('the search text holds ids, number, names, tax ids, contacts, codes and descriptions, and nothing else', () => {
    const { searchText } = judged('factura.created', {
      CustomerName: 'Peña',
      CustomerAddress: 'Calle 9',
      Lines: [aLine({ Code: 'SKU-7', Description: 'Cable' })],
    })
    expect(searchText.split('\n')).toEqual(
      expect.arrayContaining([
        ...[aUuid(), 'E310000000001', 'Peña', '131246789', '809-555-0142', 'compras@example.com.do'],
        ...['SKU-7', 'Cable'],
      ]),
    )
    for (const value of ['Calle 9', '1250.5']) expect(searchText).not.toContain(value)
  })
  test('the search text is at most 16 KiB of UTF-8, one value at most 1,000 characters', () => {
    const Lines = Array.from({ length: 500 }, (_, i) =>
      aLine({ Code: `K${i}`, Description: 'ñ😀'.repeat(900) }),
    )
    const { searchText } = judged('factura.created', { Lines })
    expect(new TextEncoder().encode(searchText).length).toBeLessThanOrEqual(16 * 1024)
    expect(searchText.isWellFormed()).toBe(true)
    expect(searchText).toContain('K3')
  })
})

const factsOf = (kind: Kind, data: object = {}) => judge(anEvent(kind, { data: { ...data } })).facts

test('an invoice tells its issue date, type, party, total and currency', () => {
  const Accounting = { IssuedAt: '2026-10-05T10:00-04:00', DocumentTypeId: 31, Total: 7, CurrencyCode: 'USD' }
  const facts = factsOf('factura.created', { Accounting, CustomerName: 'Peña' })
  expect(facts).toMatchObject({
    ...{ issuedAt: Date.parse('2026-10-05T14:00:00Z') * 1_000, documentType: 31, party: 'Peña' },
    ...{ total: '7', currency: 'USD', modifies: null },
  })
  expect(facts?.fingerprint?.byteLength).toBe(130)
})

test('digits stay as they were sent, a type may be written as its code, a note names what it modifies', () => {
  const body = `{"Event":"nota_credito.created","Timestamp":"2026-10-05T10:00:00-04:00","data":{"DocumentId":"${aUuid()}",
    "ModifiedReferenceId":"${aUuid(3).toUpperCase()}","SupplierName":"Ana","Accounting":{"Total":14.00,"DocumentTypeId":"E34"}}}`

  const facts = { total: '14.00', documentType: 34, modifies: aUuid(3), party: 'Ana', issuedAt: null }
  expect(judge(body).facts).toMatchObject(facts)
})

test('only invoices, notes, expenses and answers of the tax authority have facts (readings, Reconciling: Compared)', () => {
  expect(KINDS.map(({ kind }) => kind).filter((kind) => factsOf(kind) !== null)).toEqual(
    KINDS.map(({ kind }) => kind).filter((kind) =>
      /^(factura|nota_credito|nota_debito|gasto|dgii)\./.test(kind),
    ),
  )
  expect(factsOf('factura.anulated')?.fingerprint).toBeNull()
  expect(factsOf('factura.created', { DocumentId: null })).toBeNull()
  expect(factsOf('factura.created', { Accounting: [] })).toMatchObject({ fingerprint: null, issuedAt: null })
})
