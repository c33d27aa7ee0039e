import { codeOf, type JsonTree, NUMBER, STRING, sourceOf, stringOf } from '../json/tree.ts'
import type { FieldTable, Matched } from './fields.ts'
import { storable } from './findings.ts'

const MOST_BYTES = 16 * 1024
/** Prevents one long description from displacing the other lines. */
const MOST_PER_VALUE = 1_000

export interface SearchText {
  /** @returns false when the index text is full */
  take(table: FieldTable, matched: Matched): boolean
  text(): string
}

export function createSearchText(tree: JsonTree): SearchText {
  let text = ''
  return {
    take(table, matched) {
      for (const slot of table.searched) {
        const node = matched[slot] ?? -1
        if (node < 0) continue
        const code = codeOf(tree, node)
        const value = code === STRING ? stringOf(tree, node) : code === NUMBER ? sourceOf(tree, node) : ''
        if (value === '') continue
        if (text.length > MOST_BYTES) return false
        text += text === '' ? value.slice(0, MOST_PER_VALUE) : `\n${value.slice(0, MOST_PER_VALUE)}`
      }
      return text.length <= MOST_BYTES
    },
    text: () => bounded(text),
  }
}

function bounded(text: string): string {
  const clean = storable(text)
  if (clean.length * 3 <= MOST_BYTES) return clean
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MOST_BYTES))
  return clean.slice(0, read)
}
