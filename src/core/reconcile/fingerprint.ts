import { DATE_UNITS, readWrittenDate, type WrittenDate } from '#catalog/date-time.ts'
import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { formatDecimal, parseDecimal } from '../json/decimal.ts'
import {
  codeOf,
  endOf,
  isEscaped,
  type JsonTree,
  NUMBER,
  STRING,
  sourceOf,
  startOf,
  stringOf,
} from '../json/tree.ts'
import { sameDate } from '../time/zone.ts'
import type { CanonicalValue } from './documents.ts'

export const DATE_FIELDS: ReadonlySet<string> = new Set(['IssuedAt', 'LimitDate'])
/** Maximum length of a number that a service sends as text. */
const MOST_DIGITS = 100

/**
 * Canonical form of a value for the comparison (readings, Reconciling; accounting-sync, "Representation is not a difference"): numbers as
 * exact decimals, so that `14.00` equals `14` and `"14"`; dates with their precision; other texts unchanged.
 */
export function canonical(tree: JsonTree, node: number, field: string): CanonicalValue {
  const source = sourceOf(tree, node)
  switch (codeOf(tree, node)) {
    case NUMBER: {
      const decimal = parseDecimal(source)
      return { type: 'number', key: decimal ? formatDecimal(decimal) : source, source }
    }
    case STRING: {
      const text = stringOf(tree, node)
      const date = DATE_FIELDS.has(field) ? dateOf(text) : undefined
      if (date) return { type: 'date', key: '', source, date }
      const decimal = text.length <= MOST_DIGITS ? parseDecimal(text) : undefined
      return decimal
        ? { type: 'number', key: formatDecimal(decimal), source }
        : { type: 'text', key: text, source }
    }
    default:
      return { type: 'other', key: source, source }
  }
}

let latest: { readonly text: string; readonly date: WrittenDate | undefined } = { text: '', date: undefined }

/** Cached, since the item and its fingerprint both need the issue date, and parsing it takes a tenth of the whole work. */
export function dateOf(text: string): WrittenDate | undefined {
  if (text !== latest.text) latest = { text, date: readWrittenDate(text) }
  return latest.date
}

export const sameValue = (a: CanonicalValue, b: CanonicalValue, zone: string): boolean =>
  a.date && b.date ? sameDate(a.date, b.date, zone) : a.type === b.type && a.key === b.key

/** Fields of the accounting projection in catalogue order, the order of the parts of a fingerprint. */
export const FINGERPRINT_FIELDS: readonly string[] = [...ACCOUNTING_FIELDS.keys()]
/** Bytes per hash: two different values collide once in 2^48 cases. */
const HASH_BYTES = 6
/** Bytes per date, a tag and microseconds: dates are not hashed, so that two can be compared at the coarser precision. */
const DATE_BYTES = 8

export const PART_AT: readonly number[] = partsAt()
function partsAt(): number[] {
  const places = [0]
  for (const name of FINGERPRINT_FIELDS)
    places.push((places.at(-1) ?? 0) + (DATE_FIELDS.has(name) ? DATE_BYTES : HASH_BYTES))
  return places
}
const LENGTH = PART_AT.at(-1) ?? 0
const SLOTS: ReadonlyMap<string, number> = new Map(FINGERPRINT_FIELDS.map((name, slot) => [name, slot]))

const TYPES: Readonly<Record<CanonicalValue['type'], number>> = { number: 1, date: 2, text: 3, other: 4 }
/** Tag of a date's part: HASHED for a value that is not a date; else 1 + index of its unit, plus LOCAL without an offset. */
const [HASHED, LOCAL] = [0xff, 0x10]
const UNITS: readonly number[] = DATE_UNITS
/** Longer numbers go through parseDecimal; for shorter ones, cutting zeros gives the canonical form. */
const PLAIN_DIGITS = 60

/**
 * Encodes a projection: per field the hash of its canonical value, or the date itself; zeros when absent. So two projections can be
 * compared without reading a body.
 * @returns null without any documented field
 */
export function fingerprintOf(accounting: ReadonlyMap<string, CanonicalValue>): Uint8Array | null {
  const bytes = new Uint8Array(LENGTH)
  let found = false
  for (const [name, value] of accounting) {
    const slot = SLOTS.get(name)
    if (slot === undefined) continue
    putValue(bytes, slot, value)
    found = true
  }
  return found ? bytes : null
}

/** Like `fingerprintOf` for an event, without creating canonical values. @param nodes by field in catalogue order, -1 where missing */
export function fingerprintNodes(tree: JsonTree, nodes: readonly number[]): Uint8Array | null {
  const bytes = new Uint8Array(LENGTH)
  let found = false
  for (let slot = 0; slot < FINGERPRINT_FIELDS.length; slot++) {
    const node = nodes[slot] ?? -1
    if (node < 0) continue
    putNode(bytes, slot, tree, node)
    found = true
  }
  return found ? bytes : null
}

function putNode(bytes: Uint8Array, slot: number, tree: JsonTree, node: number): void {
  const code = codeOf(tree, node)
  const start = startOf(tree, node)
  const end = endOf(tree, node)
  if (code === NUMBER) {
    const cut = plainEnd(tree.text, start, end)
    if (cut > start) {
      put(bytes, slot, TYPES.number, tree.text, start, cut)
      return
    }
  } else if (code === STRING) {
    // Dates and numbers as text start with a digit or a minus sign.
    if (!isEscaped(tree, node) && !mayCount(tree.text.charCodeAt(start + 1))) {
      put(bytes, slot, TYPES.text, tree.text, start + 1, end - 1)
      return
    }
  } else {
    put(bytes, slot, TYPES.other, tree.text, start, end)
    return
  }
  putValue(bytes, slot, canonical(tree, node, FINGERPRINT_FIELDS[slot] ?? ''))
}

const mayCount = (unit: number): boolean => unit === 0x2d || (unit >= 0x30 && unit <= 0x39)

function putValue(bytes: Uint8Array, slot: number, { type, key, date }: CanonicalValue): void {
  if (date) putDate(bytes, PART_AT[slot] ?? 0, date)
  else put(bytes, slot, TYPES[type], key, 0, key.length)
}

const TWO_32 = 2 ** 32
const TWO_23 = 2 ** 23

function putDate(bytes: Uint8Array, at: number, { micros, local, unit }: WrittenDate): void {
  const high = Math.floor(micros / TWO_32)
  const view = new DataView(bytes.buffer)
  // The upper half needs three bytes only; its first byte is the tag.
  view.setUint32(at, high + TWO_23)
  view.setUint32(at + 4, micros - high * TWO_32)
  bytes[at] = 1 + UNITS.indexOf(unit) + (local ? LOCAL : 0)
}

function dateAt(bytes: Uint8Array, slot: number): WrittenDate | undefined {
  const at = PART_AT[slot] ?? 0
  const tag = bytes[at] ?? 0
  const unit = UNITS[(tag % LOCAL) - 1]
  if (tag === HASHED || unit === undefined) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const high = (view.getUint32(at) % 2 ** 24) - TWO_23
  return { micros: high * TWO_32 + view.getUint32(at + 4), local: tag >= LOCAL, unit }
}

/** End of a plain decimal without its trailing zeros; -1 for a number that parseDecimal must handle. */
function plainEnd(text: string, start: number, end: number): number {
  if (end - start > PLAIN_DIGITS) return -1
  let point = false
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x2e) point = true
    else if (unit > 0x39) return -1
  }
  let cut = end
  if (point) {
    while (text.charCodeAt(cut - 1) === 0x30) cut--
    if (text.charCodeAt(cut - 1) === 0x2e) cut--
  }
  // Minus zero equals zero.
  return text.charCodeAt(start) === 0x2d && cut - start === 2 && text.charCodeAt(start + 1) === 0x30
    ? -1
    : cut
}

function put(bytes: Uint8Array, slot: number, type: number, text: string, start: number, end: number): void {
  let a = 0x811c9dc5 ^ type
  let b = 0x9e3779b9 + type
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul((b << 5) ^ (b >>> 27) ^ unit, 0x85ebca6b)
  }
  a = mixed(a ^ (end - start))
  b = mixed(b ^ a)
  let place = PART_AT[slot] ?? 0
  if (DATE_SLOTS.has(slot)) bytes[place++] = HASHED
  bytes[place] = a
  bytes[place + 1] = a >>> 8
  bytes[place + 2] = a >>> 16
  bytes[place + 3] = a >>> 24
  bytes[place + 4] = b
  // Never all zero, which means that there is no value.
  bytes[place + 5] = a === 0 && (b & 0xff) === 0 ? 1 : b >>> 8
}

function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const DATE_SLOTS: ReadonlySet<number> = new Set([...DATE_FIELDS].flatMap((name) => SLOTS.get(name) ?? []))

/** Values that compare like the projection behind the fingerprint: keys are hashes, sources are empty. */
export function valuesOf(bytes: Uint8Array | null): ReadonlyMap<string, CanonicalValue> {
  const values = new Map<string, CanonicalValue>()
  if (!bytes) return values
  for (const [slot, name] of FINGERPRINT_FIELDS.entries()) {
    const date = DATE_SLOTS.has(slot) ? dateAt(bytes, slot) : undefined
    const key = partOf(bytes, slot)
    if (key === '') continue
    if (date) values.set(name, { type: 'date', key: '', source: '', date })
    else values.set(name, key === AWAITS ? YES : { type: 'other', key, source: '' })
  }
  return values
}

export type Likeness = 'none' | 'null' | 'alike' | 'unlike'

/** Compares one field of two fingerprints: `none` unless both have a value, `null` when both are null. */
export function likeness(a: Uint8Array, b: Uint8Array, slot: number, zone: string): Likeness {
  const [from = 0, to = 0] = [PART_AT[slot], PART_AT[slot + 1]]
  let unlike = false
  let [any, other] = [0, 0]
  for (let at = from; at < to; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    any |= x
    other |= y
    unlike ||= x !== y
  }
  if (any === 0 || other === 0) return 'none'
  if (!unlike) return partOf(a, slot).includes(NULL_PART) ? 'null' : 'alike'
  const [x, y] = DATE_SLOTS.has(slot) ? [dateAt(a, slot), dateAt(b, slot)] : []
  return x && y && sameDate(x, y, zone) ? 'alike' : 'unlike'
}

function partOf(bytes: Uint8Array, slot: number): string {
  let key = ''
  let any = 0
  for (let at = PART_AT[slot] ?? 0; at < (PART_AT[slot + 1] ?? 0); at++) {
    const byte = bytes[at] ?? 0
    any |= byte
    key += byte.toString(16).padStart(2, '0')
  }
  return any === 0 ? '' : key
}

/** `true` stays recognisable, since a rule needs AwaitsFiscalValidation. */
const YES: CanonicalValue = { type: 'other', key: 'true', source: 'true' }
const hashOf = (value: CanonicalValue) =>
  partOf(fingerprintOf(new Map([['DocumentTypeId', value]])) ?? new Uint8Array(LENGTH), 0)
const AWAITS = hashOf(YES)
const NULL_PART = hashOf({ type: 'other', key: 'null', source: 'null' })

/** Microseconds since the epoch; null when the value is not a date-time with offset. */
export function instantAt(tree: JsonTree, node: number): number | null {
  if (node < 0 || codeOf(tree, node) !== STRING) return null
  const date = dateOf(stringOf(tree, node))
  return date && !date.local ? date.micros : null
}

export function textAt(tree: JsonTree, node: number): string | null {
  if (node < 0) return null
  const code = codeOf(tree, node)
  const text = code === STRING ? stringOf(tree, node) : code === NUMBER ? sourceOf(tree, node) : ''
  return text === '' ? null : text
}
