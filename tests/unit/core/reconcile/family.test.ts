import { describe, expect, test } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES } from '#catalog/service.ts'
import { DOCUMENT_GROUPS } from '#contract/values.ts'
import { familyOf, kindOf, mappedFamilies } from '#core/reconcile/document-types.ts'
import type { CapturedEvent, RemoteDocument, Terms } from '#core/reconcile/types.ts'

const document = (number: string | null, documentType: number | null): RemoteDocument => ({
  ...{ documentKey: null, documentId: null, issuedAt: null, statusId: null, voided: null },
  ...{ number, documentType, accounting: new Map() },
})
const event = (kind: Kind): CapturedEvent => ({
  ...{ deliveryId: 1, kind, instant: 0, number: null, issuedAt: null, documentType: null },
  accounting: new Map(),
})
const TERMS: Pick<Terms, 'families' | 'mapped'> = {
  families: new Map([[77, 'debit-note']]),
  mapped: mappedFamilies([
    { id: 77, group: 'nota_credito' },
    { id: 78, group: 'gasto' },
  ]),
}

describe('what kind of document it is (readings, Reconciling, "Rebuilding")', () => {
  test.each([
    ['own events first', document('E41000', 77), ['customer.created', 'dgii.aprobado'], 'invoice'],
    ['else the type as observed in captures', document('E41000', 77), [], 'debit-note'],
    ['else the prefix of the Number, before the mapping', document('E31000', 78), [], 'invoice'],
    ["else the user's mapping of the type", document('F-1', 78), [], 'expense'],
    ["the user's mapping, where there is no Number", document(null, 78), ['product.updated'], 'expense'],
    ['else nothing: a type that nobody mapped', document('F-1', 79), [], null],
    ['else nothing: an item without a type', document('F-1', null), [], null],
    ['else nothing: no item', undefined, [], null],
  ] as const)('%s', (_, remote, kinds, family) =>
    expect(familyOf(remote, kinds.map(event), TERMS)).toBe(family),
  )

  test('the prefix of the Number tells each of the ten document types', () => {
    for (const { code, family } of DOCUMENT_TYPES)
      expect(familyOf(document(`${code}0000000001`, null), [], TERMS)).toBe(family)
  })

  test('a group of the mapping is what the kinds of its documents begin with', () => {
    for (const group of DOCUMENT_GROUPS) {
      const family = mappedFamilies([{ id: 1, group }]).get(1)
      expect(family && kindOf(family, 'created')).toBe(`${group}.created`)
    }
  })
})
