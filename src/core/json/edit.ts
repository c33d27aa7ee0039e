import { resolvePointer } from './pointer.ts'
import { scanJson } from './scan.ts'
import { ARRAY, codeOf, endOf, OBJECT, startOf } from './tree.ts'

/**
 * Sets a value in a JSON text, which keeps every other byte: digits, spaces, order and duplicates.
 * @param pointer RFC 6901; a missing member is added to its object, and `-` appends to a list
 * @returns null when the text is not JSON, or the pointer leads nowhere
 */
export function withJsonAt(text: string, pointer: string, value: unknown): string | null {
  const tree = scanJson(text)
  if ('problem' in tree) return null
  const json = JSON.stringify(value)
  const node = resolvePointer(tree, pointer)
  if (node !== undefined) return text.slice(0, startOf(tree, node)) + json + text.slice(endOf(tree, node))
  const at = pointer.lastIndexOf('/')
  const parent = at < 0 ? undefined : resolvePointer(tree, pointer.slice(0, at))
  if (parent === undefined) return null
  const name = pointer
    .slice(at + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const shape = codeOf(tree, parent)
  if (shape !== OBJECT && !(shape === ARRAY && name === '-')) return null
  const end = endOf(tree, parent) - 1
  const inside = text.slice(startOf(tree, parent) + 1, end)
  const added = shape === OBJECT ? `${JSON.stringify(name)}:${json}` : json
  return `${text.slice(0, end)}${inside.trim() === '' ? '' : ','}${added}${text.slice(end)}`
}
