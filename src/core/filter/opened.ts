import type { JsonTree } from '../json/tree.ts'
import { asciiLower, fits } from './glob.ts'
import { jsonHolds } from './json-holds.ts'
import { compileRegex } from './regex.ts'
import type { OpenedLeaf } from './tree.ts'

/** A delivery with what its row does not tell; each part is read when it is first asked for. */
export interface Opened {
  readonly url: string
  /** Flat list of names and values. */
  headers(): readonly string[]
  /** The decoded body as text; null when it is none. */
  text(): string | null
  /** The decoded body as JSON; null when it is none. */
  json(): JsonTree | null
  /** Codes of its findings. */
  findings(): readonly string[]
}

/** Bodies are looked through up to so many characters. */
const MOST_TEXT = 32 * 1024 * 1024

/**
 * Makes a condition a test of opened deliveries.
 * @returns a test that never throws by itself; an expression that cannot be used finds nothing
 */
export function compileOpened(leaf: OpenedLeaf): (opened: Opened) => boolean {
  switch (leaf.type) {
    case 'header':
      return (opened) => {
        const headers = opened.headers()
        for (let i = 0; i + 1 < headers.length; i += 2) {
          if (headers[i]?.toLowerCase() !== leaf.name) continue
          const value = asciiLower(headers[i + 1] ?? '')
          if (leaf.patterns.some((pattern) => fits(pattern, value))) return true
        }
        return false
      }
    case 'finding':
      return (opened) => opened.findings().some((code) => leaf.codes.some((pattern) => fits(pattern, code)))
    case 'body':
      return (opened) => {
        const text = opened.text()?.slice(0, MOST_TEXT).toLowerCase()
        return text !== undefined && leaf.texts.some((wanted) => text.includes(wanted))
      }
    case 'regex': {
      const regex = compileRegex(leaf.pattern, leaf.flags)
      if ('problem' in regex) return () => false
      return (opened) => regex.found(opened.url) || regex.found(opened.text() ?? '')
    }
    case 'json':
      return (opened) => {
        const tree = opened.json()
        return tree !== null && jsonHolds(tree, leaf.path, leaf.tests)
      }
  }
}
