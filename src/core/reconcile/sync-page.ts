import type { SweepProblem } from '#contract/reconcile.ts'
import { decodeText } from '../json/decode.ts'
import { placeFinder } from '../json/place.ts'
import { elementsOf, memberNamed, membersOf, sourceOf, stringOf } from '../json/read.ts'
import { scanJson } from '../json/scan.ts'
import {
  ARRAY,
  codeOf,
  FALSE,
  type JsonTree,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  shapeOf,
  TRUE,
} from '../json/tree.ts'
import type { SyncPage } from './sync-source.ts'

/**
 * Reads the answer of a sync route: an object with items, count, hasMore, and for treasury-sync nextFrom and nextAfterDocumentId
 * (Endpoints). What `count` counts is not shown, so nothing is concluded from it.
 * @param bytes decoded of any Content-Encoding
 * @returns the problem, with a sentence, when this is no such page; it never throws, whatever came
 */
export function readPage(bytes: Uint8Array): SyncPage | SweepProblem {
  const decoded = decodeText(bytes)
  if (!('text' in decoded)) return notJson('it is not UTF-8 text')
  const tree = scanJson(decoded.text, decoded.bytes)
  if ('problem' in tree) {
    if (tree.problem === 'end') return TRUNCATED
    const { line, column } = placeFinder(decoded.text)(tree.offset)
    return notJson(
      tree.problem === 'empty' ? 'it is empty' : `it is wrong from line ${line}, column ${column} on`,
    )
  }
  if (codeOf(tree, 0) !== OBJECT) return unknownPage(`it is ${article(tree, 0)} instead of an object`)
  const items = member(tree, 'items')
  if (items === undefined) return unknownPage('it has no items')
  if (codeOf(tree, items) !== ARRAY)
    return unknownPage(`its items are ${article(tree, items)} instead of a list`)
  const hasMore = member(tree, 'hasMore')
  if (hasMore === undefined) return unknownPage('it has no hasMore, so whether more follows cannot be known')
  const more = codeOf(tree, hasMore)
  if (more !== TRUE && more !== FALSE)
    return unknownPage(`its hasMore is ${article(tree, hasMore)} instead of true or false`)
  return {
    tree,
    items: [...elementsOf(tree, items)],
    hasMore: more === TRUE,
    nextFrom: cursor(tree, 'nextFrom'),
    nextAfterDocumentId: cursor(tree, 'nextAfterDocumentId'),
  }
}

/** By its documented name, else by that name in another case. */
function member(tree: JsonTree, name: string): number | undefined {
  const exact = memberNamed(tree, 0, name)
  if (exact !== undefined) return exact
  const lower = name.toLowerCase()
  for (const { key, value } of membersOf(tree, 0))
    if (stringOf(tree, key).toLowerCase() === lower) return value
  return undefined
}

function cursor(tree: JsonTree, name: string): string | null {
  const node = member(tree, name)
  if (node === undefined || codeOf(tree, node) === NULL) return null
  return codeOf(tree, node) === STRING ? stringOf(tree, node) : sourceOf(tree, node)
}

function article(tree: JsonTree, node: number): string {
  const shape = shapeOf(tree, node)
  if (shape === 'object' || shape === 'array') return shape === 'object' ? 'an object' : 'a list'
  return codeOf(tree, node) === STRING || codeOf(tree, node) === NUMBER
    ? `a ${shape === 'string' ? 'text' : shape}`
    : shape
}

const TRUNCATED: SweepProblem = {
  code: 'truncated',
  message: 'The page breaks off in the middle of its JSON.',
  params: {},
}

const notJson = (why: string): SweepProblem => ({
  code: 'not-json',
  message: `What came is no JSON: ${why}. Check that the base URL is the service's own.`,
  params: { why },
})

const unknownPage = (why: string): SweepProblem => ({
  code: 'unknown-page',
  message: `What came is no page of a sync route: ${why}. The specification shows an object with items, count and hasMore.`,
  params: { why },
})
