import { expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { withKinds } from '@/features/stream/kinds-menu.tsx'
import { chosenKinds, valuesOf, without, withValues } from '@/shared/live/filter-edit.ts'

test('values of a condition are read, replaced and removed; the rest of the filter stays', () => {
  expect(valuesOf('ferretería verdict:invalid,noted doc:4f', 'verdict')).toEqual(['invalid', 'noted'])
  expect(withValues('ferretería verdict:invalid', 'verdict', ['noted'])).toBe('verdict:noted ferretería')
  expect(without('a verdict:invalid b', 'verdict')).toBe('a b')
})

test.each(['-verdict:valid', '(verdict:valid or doc:4)', 'verdict:valid or doc:4', '"verdict:valid"'])(
  'in %s the condition means something else and is not touched',
  (text) => expect(without(text, 'verdict')).toBe(text),
)

test('a whole group is written by its name, single kinds by theirs, all of them as nothing; both are understood', () => {
  const invoices = KINDS.filter((k) => k.group === 'invoices').map((k) => k.kind)
  expect(withKinds('x', new Set(invoices))).toBe('group:invoices x')
  expect(withKinds('', new Set(['gasto.created']))).toBe('kind:gasto.created')
  expect(withKinds('kind:gasto.created', new Set(KINDS.map((k) => k.kind)))).toBe('')
  const some = new Set([...invoices, 'gasto.created' as const])
  expect(chosenKinds(withKinds('', some))).toEqual(some)
  expect([...chosenKinds('kind:dgii.*')]).toHaveLength(4)
  expect([...chosenKinds('group:facturas')]).toHaveLength(3)
})
