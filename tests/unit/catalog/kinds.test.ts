import { describe, expect, it } from 'vitest'
import { DATA_FIELDS } from '#catalog/fields.ts'
import { GROUPS, KINDS, kindSpec } from '#catalog/kinds.ts'
import { words } from '../../support/words.ts'
import { EVENTS, FIELDS_OF_DATA } from './specification.ts'

describe('Events', () => {
  it('the 28 kinds stand in the order of the table, each with its group and its sentence', () => {
    const names = new Map(GROUPS.map(({ slug, name }) => [slug, name.en]))
    expect(KINDS.map(({ kind, group, emittedWhen }) => [kind, names.get(group), emittedWhen.en])).toEqual(
      EVENTS,
    )
    expect(KINDS).toHaveLength(28)
  })
  it('there are 8 groups, in the order of the catalogue (readings, Counts to hold)', () => {
    expect(GROUPS.map(({ name }) => name.en)).toEqual([
      ...['Quotations', 'Invoices', 'Credit notes', 'Debit notes', 'Expenses'],
      ...['Tax authority status', 'Contacts', 'Catalog'],
    ])
    expect(new Set(KINDS.map(({ group }) => group))).toEqual(new Set(GROUPS.map(({ slug }) => slug)))
  })
  it('names are case-sensitive identifiers', () => {
    expect(kindSpec('factura.created')?.group).toBe('invoices')
    for (const other of ['Factura.created', 'factura.created ', '', '__proto__', 'cobro.registrado'])
      expect(kindSpec(other)).toBeUndefined()
  })
})

describe('Resources and their fields: fields of data per event', () => {
  it.each(KINDS)('$kind', ({ kind, fields }) => expect(fields).toEqual(FIELDS_OF_DATA[kind]))
  it('23 fields in the notes, 16 in factura.created (readings, Counts to hold)', () => {
    expect(kindSpec('factura.created')?.fields).toHaveLength(16)
    for (const kind of words`nota_credito.created nota_credito.updated nota_debito.created nota_debito.updated`)
      expect(kindSpec(kind)?.fields).toHaveLength(23)
  })
  it('every field of an event is explained, and no field is explained that no event has', () =>
    expect(new Set(DATA_FIELDS.keys())).toEqual(new Set<string>(KINDS.flatMap(({ fields }) => fields))))
})

it('States and transitions: each dgii.* event reports one StatusId, and no other event does', () => {
  const reported = KINDS.flatMap(({ kind, statusId }) =>
    statusId === undefined ? [] : `${statusId} ${kind}`,
  )
  expect(reported).toEqual([
    '5 dgii.aprobado',
    '6 dgii.rechazado',
    '7 dgii.en_proceso',
    '8 dgii.aceptado_condicional',
  ])
})
