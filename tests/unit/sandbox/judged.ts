import { expect } from 'vitest'
import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxEvent } from '#sandbox/domain/records.ts'
import { openWorld, type World } from '#sandbox/world/world.ts'
import { judge } from '../core/checks/judging.ts'

export const NOON = Date.UTC(2026, 10, 21, 16)

/** Parameters of both sync routes that cover all documents. */
export const ALL = { from: 0, to: NOON * 2, documentTypeId: null, limit: 10_000 }
export const ANY = { ...ALL, from: null, after: null, to: null }

/** A world in memory whose clock advances 7 ms with every reading. */
export function worldOf(seed: number): World {
  let at = NOON
  return openWorld({ file: ':memory:', seed, now: () => (at += 7) })
}

export type Data = Readonly<Record<string, unknown>>
/** Parses JSON with numbers as their digits. */
export const exact = (json: string): Data =>
  JSON.parse(json.replace(/":(-?\d+(?:\.\d+)?)(?=[,}\]])/g, '":"$1"')) as Data
export const dataOf = (event: SandboxEvent): Data => exact(event.body).data as Data

const MONEY = /^-?\d+\.\d\d$/
export function cents(value: unknown): number {
  expect(value).toMatch(MONEY)
  return Number(String(value).replace('.', ''))
}

/** Expects the lines to agree with the header to the cent. */
export function expectSums(holder: Data): void {
  const lines = holder.Lines as readonly Data[]
  const accounting = holder.Accounting as Data
  const sum = (of: (line: Data) => number): number => lines.reduce((total, line) => total + of(line), 0)
  const inner = (list: unknown): number =>
    (list as readonly Data[]).reduce((total, one) => total + cents(one.Amount), 0)
  for (const line of lines) {
    expect(Object.keys(line)).toEqual([...LINE_FIELDS.keys()])
    expect(cents(line.Subtotal)).toBe(cents(line.NetAmount) + cents(line.TotalTax))
    expect(inner(line.Taxes)).toBe(cents(line.TotalTax))
    expect(inner(line.Withholdings)).toBe(cents(line.TotalWithholdings))
  }
  expect(Object.keys(accounting)).toEqual([...ACCOUNTING_FIELDS.keys()])
  const net = (exempt: boolean) => sum((line) => (line.IsExempt === exempt ? cents(line.NetAmount) : 0))
  expect(cents(accounting.TaxableAmount)).toBe(net(false))
  expect(cents(accounting.ExemptAmount)).toBe(net(true))
  expect(cents(accounting.TotalTaxes)).toBe(sum((line) => cents(line.TotalTax)))
  expect(cents(accounting.TotalDiscount)).toBe(sum((line) => cents(line.TotalDiscount)))
  expect(cents(accounting.TotalWithholdings)).toBe(sum((line) => cents(line.TotalWithholdings)))
  const extras = cents(accounting.Freight) + cents(accounting.Tip)
  expect(cents(accounting.Total)).toBe(sum((line) => cents(line.Subtotal)) + extras)
  expect(cents(accounting.AmountDue)).toBeGreaterThanOrEqual(0)
  expect(cents(accounting.AmountDue)).toBeLessThanOrEqual(cents(accounting.Total))
}

/** Expects the verdict valid without findings, and exactly the documented fields in the catalogue's order. */
export function expectFlawless(event: SandboxEvent): void {
  const { kind, verdict, findings } = judge(event.body, { contentType: 'application/json' })
  expect({ kind, verdict, findings }).toEqual({ kind: event.kind, verdict: 'valid', findings: [] })
  const data = dataOf(event)
  expect(Object.keys(data)).toEqual(kindSpec(event.kind)?.fields)
  if ('Lines' in data) expectSums(data)
  if ('AmountDue' in data) expect(data.AmountDue).toBe((data.Accounting as Data).AmountDue)
}
