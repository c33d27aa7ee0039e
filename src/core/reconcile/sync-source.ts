import type { PluginEventType } from '#catalog/service.ts'
import type { PublishAnswer, SweepProblem, SyncRoute } from '#contract/reconcile.ts'
import type { SweepReason } from '#contract/values.ts'
import { decodeText } from '../json/decode.ts'
import { placeFinder, scanJson } from '../json/scan.ts'
import {
  ARRAY,
  codeOf,
  elementsOf,
  FALSE,
  type JsonTree,
  memberNamed,
  membersOf,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  shapeOf,
  sourceOf,
  stringOf,
  TRUE,
} from '../json/tree.ts'

export interface SyncQuery {
  readonly route: SyncRoute
  readonly from: string | null
  readonly afterDocumentId: string | null
  readonly to: string | null
  readonly documentTypeId: number | null
  readonly pageSize: number
}

export interface SyncPage {
  readonly tree: JsonTree
  readonly items: readonly number[]
  readonly hasMore: boolean
  /** Treasury's cursor, as received. */
  readonly nextFrom: string | null
  readonly nextAfterDocumentId: string | null
}

export interface SyncFailure {
  readonly problem: SweepProblem
  readonly passing: boolean
  readonly retryAfterMs: number | null
  readonly status: number | null
  /** Body of the answer without the credential; null when there was no answer. */
  readonly body: string | null
}

export type SyncAnswer =
  | { readonly page: SyncPage; readonly status: number }
  | { readonly failure: SyncFailure }
  | { readonly cancelled: true }

/** Sends one request per call. Never throws: errors are in the answer. */
export interface SyncSource {
  page(query: SyncQuery, signal: AbortSignal): Promise<SyncAnswer>
}

export interface RetryPolicy {
  readonly tries: number
  /** Initial delay in milliseconds, doubled for each retry. */
  readonly firstMs: number
  readonly mostMs: number
}
export const RETRIES: RetryPolicy = { tries: 8, firstMs: 500, mostMs: 30_000 }

/** Maximum Retry-After that a sweep obeys, since a user waits for it. */
const ASKED_MOST_MS = 300_000

/** Delay before the next try; null when a retry is useless or all are used up. @param tried number of requests so far */
export function waitBeforeRetry(failure: SyncFailure, tried: number, retries: RetryPolicy): number | null {
  if (!failure.passing || tried >= retries.tries) return null
  const own = Math.min(retries.mostMs, retries.firstMs * 2 ** (tried - 1))
  return Math.max(own, Math.min(ASKED_MOST_MS, failure.retryAfterMs ?? 0))
}

export interface PluginEvent {
  readonly eventType: PluginEventType
  /** JSON text of an object, sent character for character; null: none. */
  readonly data: string | null
}

/** Result of publishing, with the plugin's token masked in headers and body. */
export interface Published extends Omit<PublishAnswer, 'headers'> {
  /** Flat list of names and values. */
  readonly headers: readonly string[]
}

export interface PluginPublisher {
  publish(event: PluginEvent): Promise<Published>
}

/** Reads an answer of a sync route (Endpoints). Ignores `count`, whose meaning is not shown. Never throws. */
export function readPage(bytes: Uint8Array): SyncPage | SweepProblem {
  const decoded = decodeText(bytes)
  if (!('text' in decoded)) return notJson('not-utf8', 'it is not UTF-8 text')
  const tree = scanJson(decoded.text, decoded.bytes)
  if ('problem' in tree) {
    if (tree.problem === 'end') return TRUNCATED
    const { line, column } = placeFinder(decoded.text)(tree.offset)
    return tree.problem === 'empty'
      ? notJson('empty', 'it is empty')
      : notJson('syntax', `it is wrong from line ${line}, column ${column} on`, { line, column })
  }
  if (codeOf(tree, 0) !== OBJECT)
    return unknownPage('items', `it is ${article(tree, 0)} instead of an object`)
  const items = member(tree, 'items')
  if (items === undefined) return unknownPage('items', 'it has no items')
  if (codeOf(tree, items) !== ARRAY)
    return unknownPage('items', `its items are ${article(tree, items)} instead of a list`)
  const hasMore = member(tree, 'hasMore')
  if (hasMore === undefined)
    return unknownPage('hasMore', 'it has no hasMore, so whether more follows cannot be known')
  const more = codeOf(tree, hasMore)
  if (more !== TRUE && more !== FALSE)
    return unknownPage('hasMore', `its hasMore is ${article(tree, hasMore)} instead of true or false`)
  return {
    tree,
    items: [...elementsOf(tree, items)],
    hasMore: more === TRUE,
    nextFrom: cursor(tree, 'nextFrom'),
    nextAfterDocumentId: cursor(tree, 'nextAfterDocumentId'),
  }
}

/** Finds a member by its documented name, else by that name in another case. */
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

type Code = SweepProblem['code']
export const problem = (code: Code, message: string, params: SweepProblem['params'] = {}): SweepProblem => ({
  code,
  message,
  params,
})

const TRUNCATED = problem('truncated', 'The page ends in the middle of its JSON.')
const notJson = (why: SweepReason, said: string, params: SweepProblem['params'] = {}): SweepProblem =>
  problem('not-json', `The answer is not JSON: ${said}. Check that the base URL is the service's own.`, {
    why,
    ...params,
  })
const unknownPage = (member: 'items' | 'hasMore', said: string): SweepProblem =>
  problem(
    'unknown-page',
    `The answer is not a page of a sync route: ${said}. The specification shows an object with items, count and hasMore.`,
    { why: 'member', member },
  )
