import { sameNumber } from '../json/decimal.ts'
import { decodeText } from '../json/decode.ts'
import { pointerToken } from '../json/pointer.ts'
import { scanJson } from '../json/scan.ts'
import {
  ARRAY,
  afterOf,
  codeOf,
  elementsOf,
  type JsonTree,
  membersOf,
  NUMBER,
  OBJECT,
  STRING,
  shapeOf,
  sourceOf,
  stringOf,
} from '../json/tree.ts'
import {
  type Change,
  DIFF_DEPTH,
  DIFF_VALUES,
  type Diff,
  type DiffNode,
  type DiffOptions,
  type NoDiff,
  type Side,
  SOURCE_KEPT,
} from './types.ts'

/**
 * Compares two JSON bodies: members by name in any order, list elements by business key, numbers by value and by digits. Never throws;
 * limited by DIFF_VALUES and DIFF_DEPTH.
 */
export function diffBodies(left: Uint8Array, right: Uint8Array, options: DiffOptions): Diff | NoDiff {
  const a = treeOf(left)
  const b = treeOf(right)
  if (!a || !b) return { reason: 'not-json', side: a ? 'right' : b ? 'left' : 'both' }
  if (a.count + b.count > DIFF_VALUES) return { reason: 'too-many', limit: DIFF_VALUES }
  if (Math.max(a.depth, b.depth) > DIFF_DEPTH) return { reason: 'too-deep', limit: DIFF_DEPTH }
  return new Comparing(a, b, options).diff()
}

function treeOf(body: Uint8Array): JsonTree | undefined {
  const decoded = decodeText(body)
  if ('problem' in decoded) return undefined
  const tree = scanJson(decoded.text, decoded.bytes)
  return 'problem' in tree ? undefined : tree
}

interface Place {
  readonly name: string
  readonly key: string | null
  readonly pointer: string
  readonly moved: DiffNode['moved']
}

/** Index of a node; undefined when the side lacks it. */
type TreeNode = number | undefined

class Comparing {
  readonly #left: JsonTree
  readonly #right: JsonTree
  readonly #ignores: (pointer: string) => boolean
  readonly #counts = { rewritten: 0, changed: 0, added: 0, removed: 0, moved: 0, ignored: 0 }
  readonly #pairedBy = new Map<string, string | null>()

  constructor(left: JsonTree, right: JsonTree, { ignored }: DiffOptions) {
    this.#left = left
    this.#right = right
    this.#ignores = ignoring(ignored)
  }

  diff(): Diff {
    const root = this.#node({ name: '', key: null, pointer: '', moved: null }, 0, 0, false)
    return { root, counts: this.#counts, pairedBy: this.#pairedBy }
  }

  /** @param silent true inside a value that is counted or ignored as a whole */
  #node(place: Place, left: TreeNode, right: TreeNode, silent: boolean): DiffNode {
    const ignored = this.#ignores(place.pointer)
    const own = left === undefined ? 'added' : right === undefined ? 'removed' : this.#verdict(left, right)
    const inside = own === 'inside'
    const children = this.#children(place.pointer, left, right, silent || ignored || !inside)
    const change: Change = inside
      ? children.some((child) => (child.change !== 'same' && !child.ignored) || child.moved)
        ? 'changed'
        : 'same'
      : own
    const differs = change !== 'same' || place.moved !== null
    if (differs && ignored && !silent) this.#counts.ignored++
    else if (!silent) {
      if (!inside && change !== 'same') this.#counts[change]++
      if (place.moved) this.#counts.moved++
    }
    return {
      ...place,
      change,
      ignored: ignored && differs,
      left: left === undefined ? null : sideOf(this.#left, left),
      right: right === undefined ? null : sideOf(this.#right, right),
      children,
    }
  }

  #verdict(left: number, right: number): Change | 'inside' {
    const code = codeOf(this.#left, left)
    if (code !== codeOf(this.#right, right)) return 'changed'
    if (code === OBJECT || code === ARRAY) return 'inside'
    const [a, b] = [sourceOf(this.#left, left), sourceOf(this.#right, right)]
    if (a === b) return 'same'
    if (code === NUMBER) return sameNumber(a, b) ? 'rewritten' : 'changed'
    if (code === STRING && stringOf(this.#left, left) === stringOf(this.#right, right)) return 'rewritten'
    return 'changed'
  }

  #children(pointer: string, left: TreeNode, right: TreeNode, silent: boolean): readonly DiffNode[] {
    const code = left === undefined ? -1 : codeOf(this.#left, left)
    const other = right === undefined ? -1 : codeOf(this.#right, right)
    const [a, b] = code === other || code < 0 || other < 0 ? [left, right] : [undefined, right]
    const shape = code === other || other < 0 ? code : other
    if (shape === OBJECT) return this.#members(pointer, a, b, silent)
    return shape === ARRAY ? this.#elements(pointer, a, b, silent) : []
  }

  #members(pointer: string, left: TreeNode, right: TreeNode, silent: boolean): readonly DiffNode[] {
    const ofLeft = lastByName(this.#left, left)
    const ofRight = lastByName(this.#right, right)
    return namesInOrder([...ofLeft.keys()], [...ofRight.keys()], (name) => ofLeft.has(name)).map((name) => {
      const place = { name, key: null, pointer: `${pointer}/${pointerToken(name)}`, moved: null }
      return this.#node(place, ofLeft.get(name), ofRight.get(name), silent)
    })
  }

  #elements(pointer: string, left: TreeNode, right: TreeNode, silent: boolean): readonly DiffNode[] {
    const { pairs, by } = pairElements(this.#left, left, this.#right, right)
    if (left !== undefined && right !== undefined) this.#pairedBy.set(pointer, by)
    const moved = by === null ? new Set<number>() : movedPairs(pairs)
    return pairs.map((pair, i) => {
      const at = pair.right ?? pair.left
      const index = at?.index ?? 0
      const value = by === null || !at ? undefined : keyOf(pair.right ? this.#right : this.#left, at.node, by)
      const place = {
        name: String(index),
        key: value === undefined ? null : `${by} ${value}`,
        pointer: `${pointer}/${index}`,
        moved:
          moved.has(i) && pair.left && pair.right ? { from: pair.left.index, to: pair.right.index } : null,
      }
      return this.#node(place, pair.left?.node, pair.right?.node, silent)
    })
  }
}

function lastByName(tree: JsonTree, object: TreeNode): ReadonlyMap<string, number> {
  const members = new Map<string, number>()
  if (object !== undefined)
    for (const { key, value } of membersOf(tree, object)) members.set(stringOf(tree, key), value)
  return members
}

/** Names in the order of the right side; names only on the left follow their left neighbour. */
function namesInOrder(left: readonly string[], right: readonly string[], inLeft: (name: string) => boolean) {
  const known = new Set(right)
  const followers = new Map<string | undefined, string[]>()
  let anchor: string | undefined
  for (const name of left) {
    if (known.has(name)) anchor = name
    else followers.set(anchor, [...(followers.get(anchor) ?? []), name])
  }
  const behind = (name: string | undefined): readonly string[] => followers.get(name) ?? []
  return [...behind(undefined), ...right.flatMap((name) => [name, ...(inLeft(name) ? behind(name) : [])])]
}

function sideOf(tree: JsonTree, node: number): Side {
  const source = sourceOf(tree, node)
  return {
    shape: shapeOf(tree, node),
    source: source.slice(0, SOURCE_KEPT),
    clipped: source.length > SOURCE_KEPT,
    size: sizeOf(tree, node),
  }
}

/** Builds a test for ignored pointers. A token `*` matches any one member or element. Descendants of an ignored value are ignored too. */
export function ignoring(patterns: readonly string[]): (pointer: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const wild = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('/'))
  return (pointer) => {
    if (exact.has(pointer)) return true
    if (wild.length === 0) return false
    const tokens = pointer.split('/')
    return wild.some(
      (pattern) =>
        pattern.length === tokens.length && pattern.every((token, i) => token === '*' || token === tokens[i]),
    )
  }
}

interface Pair {
  readonly left: ListElement | undefined
  readonly right: ListElement | undefined
}
interface ListElement {
  readonly node: number
  readonly index: number
}
interface Paired {
  readonly pairs: readonly Pair[]
  readonly by: string | null
}

/** Members that identify an element, in order of preference (specification, Lines). */
const BUSINESS_KEYS = ['LineId', 'DocumentId', 'Id', 'Code', 'Number', 'Name'] as const

type Keys = ReadonlyMap<string, ListElement>

/**
 * Pairs list elements by `LineId`, else by the member that matches most of them, else by position between equal ends.
 * @returns pairs in the order of the right list; removed elements follow their left neighbour
 */
function pairElements(
  left: JsonTree,
  leftList: number | undefined,
  right: JsonTree,
  rightList: number | undefined,
): Paired {
  const a = listElements(left, leftList)
  const b = listElements(right, rightList)
  const name = bestKey(left, a, right, b)
  if (name === undefined) return { pairs: byPosition(left, a, right, b), by: null }
  const ofLeft = keysBy(left, a, name) ?? new Map()
  const ofRight = keysBy(right, b, name) ?? new Map()
  return { pairs: byKey(ofLeft, ofRight), by: name }
}

function keyOf(tree: JsonTree, element: number, name: string): string | undefined {
  for (const { key, value } of membersOf(tree, element))
    if (stringOf(tree, key) === name) return scalarKey(tree, value)
  return undefined
}

function scalarKey(tree: JsonTree, node: number): string | undefined {
  const code = codeOf(tree, node)
  if (code === STRING) return stringOf(tree, node)
  return code === NUMBER ? sourceOf(tree, node) : undefined
}

const listElements = (tree: JsonTree, list: number | undefined): ListElement[] =>
  list === undefined ? [] : [...elementsOf(tree, list)].map((node, index) => ({ node, index }))

function keysBy(tree: JsonTree, places: readonly ListElement[], name: string): Keys | undefined {
  const keys = new Map<string, ListElement>()
  for (const place of places) {
    const key = keyOf(tree, place.node, name)
    if (key === undefined || keys.has(key)) return undefined
    keys.set(key, place)
  }
  return keys
}

function bestKey(left: JsonTree, a: readonly ListElement[], right: JsonTree, b: readonly ListElement[]) {
  const [first] = a
  if (!first || b.length === 0) return undefined
  if (codeOf(left, first.node) !== OBJECT) return undefined
  const own = [...membersOf(left, first.node)].map(({ key }) => stringOf(left, key))
  const candidates = [...BUSINESS_KEYS.filter((name) => own.includes(name)), ...own.slice(0, 40)]
  let best: { readonly name: string; readonly met: number } | undefined
  for (const name of new Set(candidates)) {
    const ofLeft = keysBy(left, a, name)
    const ofRight = ofLeft && keysBy(right, b, name)
    if (!ofLeft || !ofRight) continue
    const met = [...ofLeft.keys()].filter((key) => ofRight.has(key)).length
    if (name === 'LineId' && met > 0) return name
    // Values of any field may be distinct by chance; a real key also matches on the other side.
    const needed = BUSINESS_KEYS.some((known) => known === name) ? 0 : Math.min(a.length, b.length) / 2
    if (met > Math.max(needed, best?.met ?? 0)) best = { name, met }
  }
  return best?.name
}

function byKey(left: Keys, right: Keys): Pair[] {
  const pairs: Pair[] = []
  const rest = [...left].filter(([key]) => !right.has(key)).map(([, place]) => place)
  for (const [key, place] of right) {
    const other = left.get(key)
    while (other && rest[0] && rest[0].index < other.index)
      pairs.push({ left: rest.shift(), right: undefined })
    pairs.push({ left: other, right: place })
  }
  for (const place of rest) pairs.push({ left: place, right: undefined })
  return pairs
}

function byPosition(
  left: JsonTree,
  a: readonly ListElement[],
  right: JsonTree,
  b: readonly ListElement[],
): Pair[] {
  const equal = (x: ListElement | undefined, y: ListElement | undefined): boolean =>
    x !== undefined && y !== undefined && sourceOf(left, x.node) === sourceOf(right, y.node)
  const shorter = Math.min(a.length, b.length)
  let tail = 0
  // Pair the common end first, so that an inserted first element does not make all others differ.
  if (a.length !== b.length) while (tail < shorter && equal(a.at(-1 - tail), b.at(-1 - tail))) tail++
  let head = 0
  while (head < shorter - tail && equal(a[head], b[head])) head++
  const middle = Math.max(a.length, b.length) - tail
  const pairs: Pair[] = []
  for (let i = 0; i < middle; i++)
    pairs.push({
      left: i < a.length - tail ? a[i] : undefined,
      right: i < b.length - tail ? b[i] : undefined,
    })
  for (let i = tail; i > 0; i--) pairs.push({ left: a.at(-i), right: b.at(-i) })
  return pairs
}

/** Indexes of pairs whose elements were reordered: those outside the longest subsequence in the same order on both sides. */
function movedPairs(pairs: readonly Pair[]): ReadonlySet<number> {
  const both = pairs.flatMap(({ left, right }, at) => (left && right ? [{ at, index: left.index }] : []))
  // Patience sorting: tails[k] is the lowest end of an increasing run of length k + 1.
  const tails: number[] = []
  const before = new Array<number>(both.length).fill(-1)
  both.forEach(({ index }, i) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((both[tails[middle] ?? 0]?.index ?? 0) < index) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = i
  })
  const kept = new Set<number>()
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) kept.add(i)
  return new Set(both.filter((_, i) => !kept.has(i)).map(({ at }) => at))
}

function sizeOf(tree: JsonTree, node: number): number {
  const object = codeOf(tree, node) === OBJECT
  let size = 0
  for (let at = node + 1; at < afterOf(tree, node); at = afterOf(tree, object ? at + 1 : at)) size++
  return size
}
