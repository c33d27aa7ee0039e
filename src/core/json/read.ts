import {
  ARRAY,
  afterOf,
  codeOf,
  endOf,
  isEscaped,
  type JsonTree,
  KEY,
  NUMBER,
  OBJECT,
  STRING,
  startOf,
  TRUE,
} from './tree.ts'

/** The node's source exactly as sent: quotes, escapes and digits included. */
export const sourceOf = (tree: JsonTree, node: number): string =>
  tree.text.slice(startOf(tree, node), endOf(tree, node))

/** Value of a string or key node, escapes undone. A lone surrogate stays one, as in JSON.parse. */
export function stringOf(tree: JsonTree, node: number): string {
  // The scanner has accepted the source, so that JSON.parse of one string literal can neither fail nor nest.
  if (isEscaped(tree, node)) return JSON.parse(sourceOf(tree, node)) as string
  return tree.text.slice(startOf(tree, node) + 1, endOf(tree, node) - 1)
}

/** Whether a string or key node has this value. */
export function stringIs(tree: JsonTree, node: number, value: string): boolean {
  if (isEscaped(tree, node)) return stringOf(tree, node) === value
  const start = startOf(tree, node) + 1
  return endOf(tree, node) - 1 - start === value.length && tree.text.startsWith(value, start)
}

export interface Member {
  readonly key: number
  readonly value: number
}

/** Members of an object node in the order sent, duplicates included; nothing for any other node. */
export function* membersOf(tree: JsonTree, object: number): Generator<Member> {
  if (codeOf(tree, object) !== OBJECT) return
  const end = afterOf(tree, object)
  for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) yield { key, value: key + 1 }
}

/** Nodes of an array's elements in order; nothing for any other node. */
export function* elementsOf(tree: JsonTree, array: number): Generator<number> {
  if (codeOf(tree, array) !== ARRAY) return
  const end = afterOf(tree, array)
  for (let element = array + 1; element < end; element = afterOf(tree, element)) yield element
}

/** Value node of the member of that exact name; of duplicates the last, as in JSON.parse. */
export function memberNamed(tree: JsonTree, object: number, name: string): number | undefined {
  let found: number | undefined
  for (const { key, value } of membersOf(tree, object)) if (stringIs(tree, key, name)) found = value
  return found
}

function scalarOf(tree: JsonTree, node: number): unknown {
  switch (codeOf(tree, node)) {
    case STRING:
    case KEY:
      return stringOf(tree, node)
    case NUMBER:
      return Number(sourceOf(tree, node))
    default:
      // Only true, false and null are left.
      return codeOf(tree, node) === TRUE ? true : sourceOf(tree, node) === 'false' ? false : null
  }
}

/** The same plain value that JSON.parse gives, without recursion; numbers become doubles, so never use it for money. */
export function plainValue(tree: JsonTree, root = 0): unknown {
  const open: { readonly end: number; readonly into: unknown[] | Record<string, unknown> }[] = []
  let result: unknown
  let name: string | undefined
  const end = afterOf(tree, root)
  for (let node = root; node < end; node++) {
    let inner = open.at(-1)
    while (inner && node >= inner.end) {
      open.pop()
      inner = open.at(-1)
    }
    const code = codeOf(tree, node)
    if (code === KEY && node !== root) {
      name = stringOf(tree, node)
      continue
    }
    const value = code === OBJECT ? {} : code === ARRAY ? [] : scalarOf(tree, node)
    if (!inner) result = value
    else if (Array.isArray(inner.into)) inner.into.push(value)
    // Assigning `__proto__` would change the prototype instead of adding a member.
    else
      Object.defineProperty(inner.into, name ?? '', {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    if (code === OBJECT || code === ARRAY)
      open.push({ end: afterOf(tree, node), into: value as unknown[] | Record<string, unknown> })
  }
  return result
}
