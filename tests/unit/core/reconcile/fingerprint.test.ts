import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { analyse } from '#core/checks/analyse.ts'
import { accountingOfEvent } from '#core/checks/facts.ts'
import {
  FINGERPRINT_FIELDS,
  fingerprintOf,
  likeness,
  PART_AT,
  sameValue,
  valuesOf,
} from '#core/reconcile/fingerprint.ts'
import { accountingOf } from '#core/reconcile/item.ts'
import { bytesOf, treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

const source = fc.oneof(
  fc.constantFrom(...words`0 -0 0.0 -0.00 14 14.0 14.00 1.4e1 140E-1 1e400 -14 100 1e2`),
  fc.constantFrom('null', 'true', 'false', '[]', '[1]', '{"a":1}'),
  fc.constantFrom('"14"', '"true"', '""', '"\\u0031\\u0034"', '"é"', '"\\u00e9"', `"${'x'.repeat(90)}"`),
  fc.constantFrom(
    ...words`"2026-10-05T10:00:00-04:00" "2026-10-05T14:00:00Z" "20261005T100000-0400" "2026-278T10:00-04"`,
    ...words`"2026-W41-1T10:00:00-04:00" "2026-10-05T10:00:00.000000-04:00" "2026-10-05" "2026-10-05T10:00:00"`,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt({ min: -(10n ** 70n), max: 10n ** 70n }).map(String),
  fc.string().map((value) => JSON.stringify(value)),
)
const projection = fc.dictionary(fc.constantFrom(...ACCOUNTING_FIELDS.keys()), source, { maxKeys: 6 })

const envelope = (values: Readonly<Record<string, string>>) => {
  const members = Object.entries(values).map(([name, value]) => `${JSON.stringify(name)}:${value}`)
  return `{"Event":"factura.created","Timestamp":"2026-10-05T10:00:00-04:00","data":{"DocumentId":"5f0c1d2e-3b4a-4c5d-8e6f-000000000001","Accounting":{${members}}}}`
}
const factsOf = (body: string) =>
  analyse({ method: 'POST', contentType: null, body: { bytes: bytesOf(body) } }).facts
const exactOf = (body: string) => accountingOfEvent(treeOf(body))
const hex = (bytes: Uint8Array | null | undefined) => bytes && Buffer.from(bytes).toString('hex')

test("an event's fingerprint is that of its canonical values, however they are written", () =>
  forAll(400, [projection], (values) => {
    const body = envelope(values)
    expect(hex(factsOf(body)?.fingerprint)).toBe(hex(fingerprintOf(exactOf(body))))
  }))

test('parts of two fingerprints are alike exactly where the values are (readings: numbers as decimals, dates by precision, text exact)', () => {
  const zone = 'America/Santo_Domingo'
  forAll(2_000, [source, source, fc.constantFrom('Total', 'IssuedAt')], (one, other, field) => {
    const [a, b] = [one, other].map((value) => exactOf(envelope({ [field]: value })))
    const [first, second] = [a?.get(field), b?.get(field)]
    const [ours, theirs] = [a && fingerprintOf(a), b && fingerprintOf(b)]
    if (!ours || !theirs || !first || !second) throw new Error('no value')
    const alike = likeness(ours, theirs, FINGERPRINT_FIELDS.indexOf(field), zone)
    const nothing = one === 'null' && other === 'null'
    expect(alike).toBe(nothing ? 'null' : sameValue(first, second, zone) ? 'alike' : 'unlike')
    // Equal bytes never mean different values; different bytes mean equal values only for dates of another precision.
    if (hex(ours) === hex(theirs)) expect(alike).not.toBe('unlike')
    else if (alike === 'alike') expect([first.type, second.type]).toEqual(['date', 'date'])
  })
})

test('a part is zero only where there is no value, and none at all makes no fingerprint', () => {
  const bytes = fingerprintOf(exactOf(envelope({ Total: '0', AmountDue: 'null' })))
  const present = FINGERPRINT_FIELDS.filter((_, slot) =>
    bytes?.subarray(PART_AT[slot], PART_AT[slot + 1]).some((byte) => byte !== 0),
  )
  expect(present).toEqual(['Total', 'AmountDue'])
  expect(fingerprintOf(new Map([['Strange', { type: 'text', key: 'a', source: '"a"' }]]))).toBeNull()
  expect([...valuesOf(bytes).keys()]).toEqual(['Total', 'AmountDue'])
  expect(valuesOf(null).size).toBe(0)
})

test('a document that awaits its fiscal validation can be told from the bytes alone', () => {
  const awaits = (value: string) =>
    valuesOf(fingerprintOf(exactOf(envelope({ AwaitsFiscalValidation: value })))).get(
      'AwaitsFiscalValidation',
    )?.key
  expect(awaits('true')).toBe('true')
  expect(awaits('false')).not.toBe('true')
  expect(awaits('"true"')).not.toBe('true')
})

/** Whether two texts of a field are different values, in both orders. */
function differ(field: string, ours: string, theirs: string, zone = 'America/Santo_Domingo'): boolean {
  const [a, b] = [ours, theirs].map((source) => accountingOf(treeOf(`{"${field}":${source}}`), 0).get(field))
  if (!a || !b) throw new Error('no value')
  expect(sameValue(a, b, zone)).toBe(sameValue(b, a, zone))
  return !sameValue(a, b, zone)
}

describe('values (readings, Reconciling)', () => {
  test('numbers are compared as exact decimals', () => {
    expect([differ('Total', '14.00', '14'), differ('Total', '1.4e1', '14')]).toEqual([false, false])
    expect(differ('Total', '9007199254740993', '9007199254740992')).toBe(true)
    expect(differ('Total', '0.1', '0.10000000000000001')).toBe(true)
  })
  test('numbers as text are numbers, text is exact', () => {
    expect([differ('Total', '14', '"14"'), differ('Total', '"14.00"', '14')]).toEqual([false, false])
    expect([differ('Total', '14', '"14,0"'), differ('Total', '14', '"014"')]).toEqual([true, true])
    expect([differ('Total', '"DOP"', '"dop"'), differ('Total', 'null', '0')]).toEqual([true, true])
  })

  const dates = (ours: string, theirs: string, zone?: string) =>
    differ('LimitDate', JSON.stringify(ours), JSON.stringify(theirs), zone)
  test.each([
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06T03:30:10.123456Z'],
    // Without an offset the connection's zone applies.
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:10.123456'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05 23:30:10.1234560'],
    // Compared at the coarser precision, truncated or rounded.
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:10-04:00'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:11-04:00'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:10.623'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05'],
    ['2026-10-05', '2026-10-05T00:00:00-04:00'],
  ])('%s is %s', (ours, theirs) => expect(dates(ours, theirs)).toBe(false))
  test.each([
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:10.123457-04:00'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:09-04:00'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:31'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06T03:30:10.123456'],
    ['2026-10-05', '2026-10-04'],
    ['2026-10-05', '2026-13-05'],
  ])('%s is not %s', (ours, theirs) => expect(dates(ours, theirs)).toBe(true))
  test('a zone whose clocks were set forward shows its own time', () => {
    expect(dates('2026-04-05T12:00:00Z', '2026-04-05T08:00:00', 'America/New_York')).toBe(false)
    expect(dates('2026-02-05T12:00:00Z', '2026-02-05T08:00:00', 'America/New_York')).toBe(true)
  })
})
