import { scanJson } from './scan.ts'
import {
  ARRAY,
  afterOf,
  codeOf,
  endOf,
  type JsonTree,
  memberNamed,
  OBJECT,
  startOf,
  stringOf,
} from './tree.ts'

/** Escapes one reference token (RFC 6901, section 3). */
export const pointerToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** Last token of a non-empty pointer, unescaped. */
export const lastName = (pointer: string): string => unescaped(pointer.slice(pointer.lastIndexOf('/') + 1))

/** Resolves a pointer below `root` to its value node; undefined when there is none. Of duplicate keys the last one counts. */
export function resolvePointer(tree: JsonTree, pointer: string, root = 0): number | undefined {
  if (pointer === '') return root
  if (!pointer.startsWith('/')) return undefined
  let node = root
  for (const token of pointer.slice(1).split('/')) {
    const name = unescaped(token)
    const next = codeOf(tree, node) === ARRAY ? elementAt(tree, node, name) : memberNamed(tree, node, name)
    if (next === undefined) return undefined
    node = next
  }
  return node
}

function elementAt(tree: JsonTree, array: number, token: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,8})$/.test(token)) return undefined
  const end = afterOf(tree, array)
  let element = array + 1
  for (let left = Number(token); left > 0 && element < end; left--) element = afterOf(tree, element)
  return element < end ? element : undefined
}

/** A longer pointer is cut at an enclosing member: keys may be megabytes long, but findings must stay small. */
export const POINTER_MAX = 4096

interface Frame {
  readonly container: number
  readonly pointer: string
  child: number
  index: number
}

/**
 * Gives the pointers of nodes; a key node gives that of its member. Queries in ascending order take linear time in total; any other order
 * restarts at the first sibling.
 */
export function pointerWalk(tree: JsonTree): (node: number) => string {
  const frames: Frame[] = [{ container: 0, pointer: '', child: 1, index: 0 }]
  const childEnd = (frame: Frame): number =>
    afterOf(tree, codeOf(tree, frame.container) === OBJECT ? frame.child + 1 : frame.child)

  return (node) => {
    let frame = frames.at(-1) as Frame
    while (frames.length > 1 && (node < frame.container || node >= afterOf(tree, frame.container))) {
      frames.pop()
      frame = frames.at(-1) as Frame
    }
    while (node !== frame.container) {
      if (node < frame.child) {
        frame.child = frame.container + 1
        frame.index = 0
      }
      for (let end = childEnd(frame); node >= end; end = childEnd(frame)) {
        frame.child = end
        frame.index++
      }
      const inObject = codeOf(tree, frame.container) === OBJECT
      const token = inObject ? pointerToken(stringOf(tree, frame.child)) : String(frame.index)
      if (frame.pointer.length + 1 + token.length > POINTER_MAX) return frame.pointer
      const pointer = `${frame.pointer}/${token}`
      const value = inObject ? frame.child + 1 : frame.child
      if (node <= value) return pointer
      frame = { container: value, pointer, child: value + 1, index: 0 }
      frames.push(frame)
    }
    return frame.pointer
  }
}

/**
 * Sets a value in a JSON text, which keeps every other byte: digits, spaces, order and duplicates.
 * @param pointer RFC 6901; a missing member is added to its object, and `-` appends to a list
 * @param json the value as JSON, which is written as it is
 * @returns null when the text is not JSON, or the pointer leads nowhere
 */
export function withJsonAt(text: string, pointer: string, json: string): string | null {
  const tree = scanJson(text)
  if ('problem' in tree) return null
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
