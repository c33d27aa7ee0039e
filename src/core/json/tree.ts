/**
 * A parsed JSON text as a flat table over its source. Nothing is copied, so member order, duplicate keys and digits stay as sent. Nodes are
 * numbered in document order, the root is 0; a member is a `key` node followed by its value. Each node has three cells: start and end in
 * `text`, and the number of the node after its subtree with the shape in the top byte. At twelve bytes a node, the worst 25 MB body (a
 * value every two bytes) takes 150 MB.
 */
export interface JsonTree {
  readonly text: string
  readonly cells: Uint32Array
  readonly count: number
  /** Depth of the deepest value; 0 for a lone scalar. */
  readonly depth: number
}

const SHAPES = ['object', 'array', 'string', 'number', 'true', 'false', 'null', 'key'] as const
export type Shape = (typeof SHAPES)[number]

export const OBJECT = 0
export const ARRAY = 1
export const STRING = 2
export const NUMBER = 3
export const TRUE = 4
export const FALSE = 5
export const NULL = 6
export const KEY = 7
/** Added to STRING or KEY when the source contains a backslash, so its value differs from its source. */
export const ESCAPED = 8

/** Maximum number of nodes: 24 bits, since the number shares a cell with the shape. */
export const MAX_NODES = 0xff_ffff
export const SHAPE_SHIFT = 24

// Node numbers come from the tree itself, so a missing cell is a bug in the scanner.
const cell = (tree: JsonTree, at: number): number => tree.cells[at] as number

export const startOf = (tree: JsonTree, node: number): number => cell(tree, node * 3)
export const endOf = (tree: JsonTree, node: number): number => cell(tree, node * 3 + 1)
/** The node after the subtree: the next sibling, or the node after the parent. */
export const afterOf = (tree: JsonTree, node: number): number => cell(tree, node * 3 + 2) & MAX_NODES
export const codeOf = (tree: JsonTree, node: number): number => (cell(tree, node * 3 + 2) >>> SHAPE_SHIFT) & 7
export const isEscaped = (tree: JsonTree, node: number): boolean =>
  ((cell(tree, node * 3 + 2) >>> SHAPE_SHIFT) & ESCAPED) !== 0
export const shapeOf = (tree: JsonTree, node: number): Shape => SHAPES[codeOf(tree, node)] ?? 'null'

/** Source of the node exactly as sent, with quotes, escapes and digits. */
export const sourceOf = (tree: JsonTree, node: number): string =>
  tree.text.slice(startOf(tree, node), endOf(tree, node))

/** Value of a string or key node, unescaped. A lone surrogate stays, as in JSON.parse. */
export function stringOf(tree: JsonTree, node: number): string {
  // The scanner accepted the source, so JSON.parse of this one literal cannot fail.
  if (isEscaped(tree, node)) return JSON.parse(sourceOf(tree, node)) as string
  return tree.text.slice(startOf(tree, node) + 1, endOf(tree, node) - 1)
}

export function stringIs(tree: JsonTree, node: number, value: string): boolean {
  if (isEscaped(tree, node)) return stringOf(tree, node) === value
  const start = startOf(tree, node) + 1
  return endOf(tree, node) - 1 - start === value.length && tree.text.startsWith(value, start)
}

export interface Member {
  readonly key: number
  readonly value: number
}

/** Members of an object node in the order sent, with duplicates; empty for any other node. */
export function* membersOf(tree: JsonTree, object: number): Generator<Member> {
  if (codeOf(tree, object) !== OBJECT) return
  const end = afterOf(tree, object)
  for (let key = object + 1; key < end; key = afterOf(tree, key + 1)) yield { key, value: key + 1 }
}

export function* elementsOf(tree: JsonTree, array: number): Generator<number> {
  if (codeOf(tree, array) !== ARRAY) return
  const end = afterOf(tree, array)
  for (let element = array + 1; element < end; element = afterOf(tree, element)) yield element
}

/** Value node of the member with this exact name; of duplicates the last, as in JSON.parse. */
export function memberNamed(tree: JsonTree, object: number, name: string): number | undefined {
  let found: number | undefined
  for (const { key, value } of membersOf(tree, object)) if (stringIs(tree, key, name)) found = value
  return found
}
