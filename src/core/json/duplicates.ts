import { afterOf, codeOf, endOf, isEscaped, type JsonTree, OBJECT, startOf, stringOf } from './tree.ts'

/**
 * Maximum members of an object whose keys go through the small hash table; larger objects and escaped keys go through a Set. So keys chosen
 * to collide cost at most SMALL² comparisons.
 */
const SMALL = 64
const SLOTS = 256
/**
 * Hash table of pairs (round that wrote the slot, key node), kept between calls: clearing it per object would cost more than the look-ups.
 * Rounds are doubles, so they do not overflow.
 */
const table = new Float64Array(SLOTS * 2)
let round = 0

/** Calls `found` for every key that occurs earlier in the same object, at any depth, in ascending order. Linear in the number of keys. */
export function eachDuplicateKey(tree: JsonTree, found: (key: number) => void): void {
  const repeated: number[] = []
  for (let node = 0; node < tree.count; node++) {
    if (codeOf(tree, node) !== OBJECT) continue
    if (!tableFinds(tree, node, repeated)) setFinds(tree, node, repeated)
  }
  // Members of an object can precede and follow those of nested objects.
  if (repeated.length > 1) repeated.sort((a, b) => a - b)
  for (const key of repeated) found(key)
}

function tableFinds(tree: JsonTree, object: number, repeated: number[]): boolean {
  const mark = ++round
  const before = repeated.length
  const end = afterOf(tree, object)
  const { text } = tree
  let left = SMALL
  for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) {
    if (left-- === 0 || isEscaped(tree, key)) {
      repeated.length = before
      return false
    }
    const start = startOf(tree, key)
    const length = endOf(tree, key) - start
    const middle = text.charCodeAt(start + (length >> 1))
    let slot =
      (length * 31 +
        text.charCodeAt(start + 1) * 7 +
        middle * 131 +
        text.charCodeAt(start + length - 2) * 17) %
      SLOTS
    while (table[slot * 2] === mark) {
      const other = table[slot * 2 + 1] as number
      const otherStart = startOf(tree, other)
      if (endOf(tree, other) - otherStart === length && sameText(text, start, otherStart, length)) {
        repeated.push(key)
        break
      }
      slot = (slot + 1) % SLOTS
    }
    table[slot * 2] = mark
    table[slot * 2 + 1] = key
  }
  return true
}

function sameText(text: string, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (text.charCodeAt(a + i) !== text.charCodeAt(b + i)) return false
  return true
}

/** Larger objects are checked in rounds, each on a share of the names: a Set of a million would take 100 MB. */
const NODES_A_ROUND = 131_072
/** Odd and random, so that a sender cannot choose names that all fall into one round. */
const FACTOR = Math.floor(Math.random() * 2 ** 31) * 2 + 1

function setFinds(tree: JsonTree, object: number, repeated: number[]): void {
  const end = afterOf(tree, object)
  const rounds = Math.ceil((end - object) / NODES_A_ROUND)
  for (let round = 0; round < rounds; round++) {
    const names = new Set<string>()
    for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) {
      if (rounds > 1 && roundOf(tree, key, rounds) !== round) continue
      const name = stringOf(tree, key)
      if (names.has(name)) repeated.push(key)
      else names.add(name)
    }
  }
}

function roundOf(tree: JsonTree, key: number, rounds: number): number {
  const escaped = isEscaped(tree, key) ? stringOf(tree, key) : undefined
  const text = escaped ?? tree.text
  const end = escaped?.length ?? endOf(tree, key) - 1
  let sum = 0
  for (let at = escaped === undefined ? startOf(tree, key) + 1 : 0; at < end; at++)
    sum = Math.imul(sum, FACTOR) + text.charCodeAt(at)
  return ((sum ^ (sum >>> 15)) >>> 0) % rounds
}
