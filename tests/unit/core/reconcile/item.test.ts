import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { resolvePointer } from '#core/json/pointer.ts'
import { codeOf, STRING, stringOf } from '#core/json/tree.ts'
import { AS_FOUND, mappingOf, readItem } from '#core/reconcile/item.ts'
import { rebuild } from '#core/reconcile/rebuild.ts'
import { bytesOf, treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'

const ITEM =
  '{"DocumentId":"7D3F2B1C-0000-4000-8000-0000000000AB","Number":"E310000000001","StatusId":5.0,"IssuedAt":"2026-10-05T09:00:00-04:00","DocumentTypeId":31,"IsAnulated":true,"Lines":[{"Quantity":1.50}],"Accounting":{"Total":118.00,"BranchId":null}}'
const READ = {
  documentId: '7D3F2B1C-0000-4000-8000-0000000000AB',
  documentKey: '7d3f2b1c-0000-4000-8000-0000000000ab',
  number: 'E310000000001',
  issuedAt: Date.UTC(2026, 9, 5, 13) * 1_000,
  documentType: 31,
  statusId: 5,
  voided: true,
}

describe('fields are found by name, ignoring case and nesting (readings, accounting-sync)', () => {
  const { Accounting, ...top } = JSON.parse(ITEM)
  const camel = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1)
  const respelt = (value: object, spell: (name: string) => string) =>
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [spell(name), inner]))
  const shapes: Readonly<Record<string, unknown>> = {
    'as documented': { ...top, Accounting },
    'inside data': { data: { ...top, Accounting } },
    'inside Accounting': { Accounting: { ...top, ...Accounting } },
    camelCase: respelt({ ...top, Accounting }, camel),
    snake_case: respelt({ ...top, Accounting }, (name) =>
      name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
    ),
    'UPPER CASE': respelt({ ...top, Accounting }, (name) => name.toUpperCase()),
  }
  it.each(Object.keys(shapes))('%s', (shape) => {
    const read = readItem(treeOf(JSON.stringify(shapes[shape])), 0)
    expect(read).toMatchObject(READ)
    expect(read.accounting.get('Total')?.key).toBe('118')
  })

  it('what is not there is null, and nothing is invented', () => {
    const nothing = { documentId: null, documentKey: null, issuedAt: null, statusId: null, voided: null }
    expect(readItem(treeOf('{"Accounting":{"Total":1}}'), 0)).toMatchObject(nothing)
  })

  it('what the mapping points at is what is read, whatever is there twice (RFC 6901: the last of a name)', () => {
    const names = ['DocumentId', 'documentId', 'Number', 'NUMBER', 'data', 'Accounting', 'Id']
    const value = fc.oneof(
      fc.string().map((text) => JSON.stringify(text)),
      fc
        .array(fc.tuple(fc.constantFrom(...names), fc.string()), { maxLength: 4 })
        .map(
          (members) => `{${members.map(([name, text]) => `"${name}":${JSON.stringify(text)}`).join(',')}}`,
        ),
    )
    forAll(100, [fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 })], (members) => {
      const tree = treeOf(`{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`)
      const { documentId, number } = mappingOf(tree, 0)
      const pointed = (pointer: string | null) => {
        const node = pointer === null ? undefined : resolvePointer(tree, pointer)
        return node === undefined || codeOf(tree, node) !== STRING ? null : stringOf(tree, node)
      }
      expect(readItem(tree, 0)).toMatchObject({ documentId: pointed(documentId), number: pointed(number) })
    })
  })

  it('a correction by a person takes precedence, also to say that there is none', () => {
    const tree = treeOf('{"Id":"a","Ref":{"Uuid":"b"},"StatusId":7}')
    expect(
      readItem(tree, 0, { ...AS_FOUND, corrections: { documentId: '/Ref/Uuid', status: null } }),
    ).toMatchObject({ documentId: 'b', statusId: null })
    expect(mappingOf(tree, 0).documentId).toBe('/Id')
  })
})

describe('a rebuilt event (readings, Reconciling)', () => {
  const at = '2026-11-21T08:00:00-04:00'

  it('has the documented envelope and fields with the very digits of the item; what the item lacks stays absent and is listed', () => {
    const rebuilt = rebuild(treeOf(ITEM), 0, 'factura.updated', at)
    expect(rebuilt.body).toBe(
      `{"Event":"factura.updated","Timestamp":"${at}","data":{"DocumentId":"7D3F2B1C-0000-4000-8000-0000000000AB","StatusId":5.0,"Lines":[{"Quantity":1.50}],"Number":"E310000000001","Accounting":{"Total":118.00,"BranchId":null}}}`,
    )
    expect(rebuilt.absent).toEqual(['SequenceTypeId'])
  })

  it.each([
    [
      'flat on the item',
      '{"DocumentId":"D1","CustomerName":"Ñandú","Note":"x","currency_code":"DOP","Total":1.10}',
      null,
    ],
    ['at the root', '{"DocumentId":"D1","Accounting":{"Ledger":7},"CurrencyCode":"DOP","Total":1.10}', ''],
    ['in it', '{"Accounting":{"documentId":"D1","Note":"x","CurrencyCode":"DOP","total":1.10}}', null],
  ])('takes only documented accounting fields, where they stand %s', (_, item, accounting) => {
    const corrections = accounting === null ? null : { accounting }
    const { body } = rebuild(treeOf(item), 0, 'factura.updated', at, corrections)
    expect(body).toContain('"Accounting":{"CurrencyCode":"DOP","Total":1.10}}}')
    expect(body).toContain('"DocumentId":"D1"')
  })

  it('keeps fields of an accounting member that are not documented yet, as a webhook would carry them', () => {
    const item = '{"DocumentId":"D1","accounting":{"total":1.10,"NewTax":2}}'
    expect(rebuild(treeOf(item), 0, 'factura.updated', at).body).toContain(
      '"Accounting":{"Total":1.10,"NewTax":2}',
    )
  })

  it('is never invalid by the same checks, whatever the kind that a sync route can prove', () => {
    for (const { kind } of KINDS.filter(({ kind }) => /^(factura|nota|gasto)/.test(kind))) {
      const { verdict } = validateBytes(bytesOf(rebuild(treeOf(ITEM), 0, kind, at).body))
      expect(['valid', 'noted'], kind).toContain(verdict)
    }
  })
})
