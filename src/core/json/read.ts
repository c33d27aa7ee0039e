import { ARRAY, afterOf, codeOf, endOf, isEscaped, type JsonTree, OBJECT, startOf } from './tree.ts'

/** The node's source exactly as sent: quotes, escapes and digits included. */
export const sourceOf = (tree: JsonTree, node: number): string =>
  tree.text.slice(startOf(tree, node), endOf(tree, node))

/** Value of a string or key node, escapes undone. A lone surrogate stays one, as in JSON.parse. */
export function stringOf(tree: JsonTree, node: number): string {
  // The scanner has accepted the source, so that JSON.parse of one string literal can neither fail nor nest.
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

/** Members of an object node in the order sent, duplicates included; nothing for any other node. */
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

/** Value node of the member of that exact name; of duplicates the last, as in JSON.parse. */
export function memberNamed(tree: JsonTree, object: number, name: string): number | undefined {
  let found: number | undefined
  for (const { key, value } of membersOf(tree, object)) if (stringIs(tree, key, name)) found = value
  return found
}
