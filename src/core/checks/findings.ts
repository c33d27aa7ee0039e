import type { Finding, Verdict } from '#contract/delivery.ts'
import { FINDINGS_KEPT, LEVELS, VERDICTS } from '#contract/values.ts'
import { lastName, pointerToken, pointerWalk } from '../json/pointer.ts'
import { placeFinder } from '../json/scan.ts'
import { codeOf, type JsonTree, KEY, sourceOf, startOf, stringOf } from '../json/tree.ts'
import { CODES, type Code } from './codes.ts'

type Params = Readonly<Record<string, string | number>>

/** A finding before rendering: pointer and position are computed only for findings that are kept. */
interface Raw {
  readonly code: Code
  readonly weight: number
  readonly offset: number
  readonly order: number
  /** The key or value concerned; for an absent member, the enclosing object; -1 for the delivery as a whole. */
  readonly node: number
  readonly member: string | undefined
  readonly params: Params | undefined
}

const WEIGHTS = Object.fromEntries(
  Object.entries(CODES).map(([code, { level }]) => [code, LEVELS.indexOf(level)]),
) as Record<Code, number>

const worstFirst = (a: Raw, b: Raw): number => b.weight - a.weight || a.offset - b.offset || a.order - b.order

/** Collects the findings of one delivery in bounded memory: counts all, keeps the first FINDINGS_KEPT of each level. */
export interface Findings {
  delivery(code: Code, params?: Params, offset?: number): void
  at(code: Code, node: number, params?: Params): void
  absent(code: Code, object: number, member: string): void
  finish(text: string, tree: JsonTree | undefined): { count: number; verdict: Verdict; kept: Finding[] }
}

/** @param treeOf returns the tree once there is one; it has the offsets of the nodes */
export function createFindings(treeOf: () => JsonTree | undefined): Findings {
  const levels: Raw[][] = LEVELS.map(() => [])
  const bounds: number[] = LEVELS.map(() => Number.POSITIVE_INFINITY)
  let count = 0
  let worst = -1

  const add = (code: Code, node: number, offset: number, member?: string, params?: Params): void => {
    const weight = WEIGHTS[code]
    const order = count++
    if (weight > worst) worst = weight
    if (offset >= (bounds[weight] ?? 0)) return
    const level = levels[weight] as Raw[]
    level.push({ code, weight, offset, order, node, member, params })
    if (level.length < FINDINGS_KEPT * 2) return
    level.sort(worstFirst)
    level.length = FINDINGS_KEPT
    // Later findings at or behind the last kept offset cannot get in any more.
    bounds[weight] = level.at(-1)?.offset ?? 0
  }
  const offsetOf = (node: number): number => {
    const tree = treeOf()
    return tree ? startOf(tree, node) : -1
  }

  return {
    delivery: (code, params, offset = -1) => add(code, -1, offset, undefined, params),
    at: (code, node, params) => add(code, node, offsetOf(node), undefined, params),
    absent: (code, object, member) => add(code, object, offsetOf(object), member, undefined),
    finish: (text, tree) => {
      if (count === 0) return { count, verdict: 'valid', kept: [] }
      const kept = levels.flat().sort(worstFirst).slice(0, FINDINGS_KEPT)
      return {
        count,
        verdict: VERDICTS[worst + VERDICTS.indexOf('noted')] ?? 'valid',
        kept: render(kept, text, tree),
      }
    },
  }
}

function render(kept: readonly Raw[], text: string, tree: JsonTree | undefined): Finding[] {
  const placeOf = placeFinder(text)
  const pointerOf = tree ? pointerWalk(tree) : undefined
  const done = new Map<Raw, Finding>()
  // Both walks are linear only in ascending order, while findings are sorted by level.
  for (const raw of [...kept].sort((a, b) => a.offset - b.offset || a.node - b.node)) {
    const { level, rule } = CODES[raw.code]
    const enclosing = raw.node >= 0 && pointerOf ? pointerOf(raw.node) : ''
    done.set(raw, {
      level,
      code: raw.code,
      pointer: raw.member === undefined ? enclosing : `${enclosing}/${pointerToken(raw.member)}`,
      params: { ...paramsOf(raw, enclosing, tree), ...raw.params },
      rule,
      ...(raw.offset >= 0 ? placeOf(raw.offset) : {}),
    })
  }
  return kept.map((raw) => done.get(raw)).filter((finding) => finding !== undefined)
}

function paramsOf(raw: Raw, pointer: string, tree: JsonTree | undefined): Params {
  if (raw.member !== undefined) return { name: raw.member }
  if (raw.node < 0 || !tree) return {}
  if (codeOf(tree, raw.node) === KEY) return { name: shorten(stringOf(tree, raw.node)) }
  const found = shorten(sourceOf(tree, raw.node))
  return pointer === '' ? { found } : { name: shorten(lastName(pointer)), found }
}

const LONGEST = 80

/** Makes a text storable: well-formed, and without NUL, which ends a text in SQLite. Nearly every text is so already. */
export const storable = (text: string): string =>
  text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', ' ')

/** Shortens a captured value, which may be megabytes long, to one well-formed line of at most 80 characters for database and terminal. */
export function shorten(value: string, longest = LONGEST): string {
  const cut = value.length > longest ? `${value.slice(0, longest - 1)}…` : value
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return cut.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ')
}
