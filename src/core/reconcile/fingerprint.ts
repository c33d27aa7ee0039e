import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { readTimestamp } from '../checks/timestamp.ts'
import { sourceOf, stringOf } from '../json/read.ts'
import { codeOf, endOf, isEscaped, type JsonTree, NUMBER, STRING, startOf } from '../json/tree.ts'
import { canonical } from './canonical.ts'
import type { CanonicalValue } from './types.ts'

/** The accounting projection in catalogue order, which is the order of a fingerprint's parts. */
export const FINGERPRINT_FIELDS: readonly string[] = [...ACCOUNTING_FIELDS.keys()]
/** Bytes of one part: two unlike values look alike once in 2^48 times. */
export const PART_BYTES = 6

const LENGTH = FINGERPRINT_FIELDS.length * PART_BYTES
const SLOTS: ReadonlyMap<string, number> = new Map(FINGERPRINT_FIELDS.map((name, slot) => [name, slot]))

const TYPES: Readonly<Record<CanonicalValue['type'], number>> = { number: 1, instant: 2, text: 3, other: 4 }
/** Plain digits up to this length are brought into canonical form by cutting zeros off. */
const PLAIN_DIGITS = 60

/**
 * A projection as bytes: for each field the hash of its canonical value, zero where it has none. Parts that are equal mean equal values
 * and parts that are not mean other values, so that two projections are compared without opening a body.
 * @returns null when it has no documented field
 */
export function fingerprintOf(accounting: ReadonlyMap<string, CanonicalValue>): Uint8Array | null {
  const bytes = new Uint8Array(LENGTH)
  let found = false
  for (const [name, { type, key }] of accounting) {
    const slot = SLOTS.get(name)
    if (slot === undefined) continue
    put(bytes, slot, TYPES[type], key, 0, key.length)
    found = true
  }
  return found ? bytes : null
}

/**
 * The same of an event's projection, from its values' nodes: what `canonical` says of them, without making it.
 * @param nodes value node by field in catalogue order, -1 where there is none
 */
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
    if (!isEscaped(tree, node)) {
      const instant = looksLikeDateTime(tree.text, start + 1, end - 1)
        ? instantOf(tree.text.slice(start + 1, end - 1))
        : null
      if (instant === null) put(bytes, slot, TYPES.text, tree.text, start + 1, end - 1)
      else {
        const key = String(instant)
        put(bytes, slot, TYPES.instant, key, 0, key.length)
      }
      return
    }
  } else {
    put(bytes, slot, TYPES.other, tree.text, start, end)
    return
  }
  const { type, key } = canonical(tree, node)
  put(bytes, slot, TYPES[type], key, 0, key.length)
}

/** Where a plain decimal ends without the zeros that say nothing; -1 for one that has to be worked out. */
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
  // Minus zero is zero.
  return text.charCodeAt(start) === 0x2d && cut - start === 2 && text.charCodeAt(start + 1) === 0x30
    ? -1
    : cut
}

/** Every date-time that `readTimestamp` takes has its T in one of three places, behind a digit. */
function looksLikeDateTime(text: string, start: number, end: number): boolean {
  if (end - start < 10) return false
  const first = text.charCodeAt(start)
  if (first < 0x30 || first > 0x39) return false
  const T = 0x54
  return (
    text.charCodeAt(start + 10) === T || text.charCodeAt(start + 8) === T || text.charCodeAt(start + 7) === T
  )
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
  const place = slot * PART_BYTES
  bytes[place] = a
  bytes[place + 1] = a >>> 8
  bytes[place + 2] = a >>> 16
  bytes[place + 3] = a >>> 24
  bytes[place + 4] = b
  // Never all zero, which says that there is no value.
  bytes[place + 5] = a === 0 && (b & 0xff) === 0 ? 1 : b >>> 8
}

function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * A projection that compares as the one the bytes were made from does: keys stand for values, sources are empty.
 * @param bytes null: empty
 */
export function valuesOf(bytes: Uint8Array | null): ReadonlyMap<string, CanonicalValue> {
  const values = new Map<string, CanonicalValue>()
  if (!bytes) return values
  for (const [slot, name] of FINGERPRINT_FIELDS.entries()) {
    const key = partOf(bytes, slot)
    if (key === '') continue
    values.set(name, key === AWAITS ? YES : { type: 'other', key, source: '' })
  }
  return values
}

/** Hex of one part; empty where there is no value. */
function partOf(bytes: Uint8Array, slot: number): string {
  let key = ''
  let any = 0
  for (let at = slot * PART_BYTES; at < (slot + 1) * PART_BYTES; at++) {
    const byte = bytes[at] ?? 0
    any |= byte
    key += byte.toString(16).padStart(2, '0')
  }
  return any === 0 ? '' : key
}

/** `true` keeps its name: a rule asks whether a document awaits its fiscal validation. */
const YES: CanonicalValue = { type: 'other', key: 'true', source: 'true' }
const AWAITS = partOf(fingerprintOf(new Map([['DocumentTypeId', YES]])) ?? new Uint8Array(LENGTH), 0)

/** Date of one value node: microseconds since the epoch; null when it is no date-time with offset. */
export function instantAt(tree: JsonTree, node: number): number | null {
  return node < 0 || codeOf(tree, node) !== STRING ? null : instantOf(stringOf(tree, node))
}

let latest: { readonly text: string; readonly instant: number | null } = { text: '', instant: null }

/** The issue date is asked for twice, for itself and for the fingerprint; reading it costs a tenth of all the rest. */
function instantOf(text: string): number | null {
  if (text === latest.text) return latest.instant
  const reading = readTimestamp(text)
  latest = { text, instant: 'instant' in reading ? reading.instant : null }
  return latest.instant
}

/** Text, or a number's digits; null for anything else and for nothing. */
export function textAt(tree: JsonTree, node: number): string | null {
  if (node < 0) return null
  const code = codeOf(tree, node)
  const text = code === STRING ? stringOf(tree, node) : code === NUMBER ? sourceOf(tree, node) : ''
  return text === '' ? null : text
}
