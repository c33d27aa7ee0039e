import {
  afterOf,
  codeOf,
  elementsOf,
  type JsonTree,
  membersOf,
  NUMBER,
  OBJECT,
  STRING,
  sourceOf,
  stringOf,
} from '../json/tree.ts'

export interface Pair {
  readonly left: Place | undefined
  readonly right: Place | undefined
}
interface Place {
  readonly node: number
  readonly index: number
}
export interface Paired {
  readonly pairs: readonly Pair[]
  readonly by: string | null
}

/** Members that identify an element, in order of preference (specification, Lines). */
const BUSINESS_KEYS = ['LineId', 'DocumentId', 'Id', 'Code', 'Number', 'Name'] as const

type Keys = ReadonlyMap<string, Place>

/**
 * Pairs list elements by `LineId`, else by the member that matches most of them, else by position between equal ends.
 * @returns pairs in the order of the right list; removed elements follow their left neighbour
 */
export function pairElements(
  left: JsonTree,
  leftList: number | undefined,
  right: JsonTree,
  rightList: number | undefined,
): Paired {
  const a = placesOf(left, leftList)
  const b = placesOf(right, rightList)
  const name = bestKey(left, a, right, b)
  if (name === undefined) return { pairs: byPosition(left, a, right, b), by: null }
  const ofLeft = keysBy(left, a, name) ?? new Map()
  const ofRight = keysBy(right, b, name) ?? new Map()
  return { pairs: byKey(ofLeft, ofRight), by: name }
}

export function keyOf(tree: JsonTree, element: number, name: string): string | undefined {
  for (const { key, value } of membersOf(tree, element))
    if (stringOf(tree, key) === name) return scalarKey(tree, value)
  return undefined
}

function scalarKey(tree: JsonTree, node: number): string | undefined {
  const code = codeOf(tree, node)
  if (code === STRING) return stringOf(tree, node)
  return code === NUMBER ? sourceOf(tree, node) : undefined
}

const placesOf = (tree: JsonTree, list: number | undefined): Place[] =>
  list === undefined ? [] : [...elementsOf(tree, list)].map((node, index) => ({ node, index }))

function keysBy(tree: JsonTree, places: readonly Place[], name: string): Keys | undefined {
  const keys = new Map<string, Place>()
  for (const place of places) {
    const key = keyOf(tree, place.node, name)
    if (key === undefined || keys.has(key)) return undefined
    keys.set(key, place)
  }
  return keys
}

function bestKey(left: JsonTree, a: readonly Place[], right: JsonTree, b: readonly Place[]) {
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

function byPosition(left: JsonTree, a: readonly Place[], right: JsonTree, b: readonly Place[]): Pair[] {
  const equal = (x: Place | undefined, y: Place | undefined): boolean =>
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
export function movedPairs(pairs: readonly Pair[]): ReadonlySet<number> {
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

export function sizeOf(tree: JsonTree, node: number): number {
  const object = codeOf(tree, node) === OBJECT
  let size = 0
  for (let at = node + 1; at < afterOf(tree, node); at = afterOf(tree, object ? at + 1 : at)) size++
  return size
}
