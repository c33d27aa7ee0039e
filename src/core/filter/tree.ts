import type { Group, Kind } from '#catalog/kinds.ts'
import type { Verdict } from '#contract/delivery.ts'
import { MARKS } from '#contract/values.ts'

export const FACTS = [...MARKS, 'replayed', 'missed', 'rejected', 'malformed'] as const
export type Is = (typeof FACTS)[number]

/** Outcomes of a delivery's latest attempt; `none`: never sent. */
export const ATTEMPTED = ['failed', 'ok', 'none'] as const
export type Attempted = (typeof ATTEMPTED)[number]

export const HAVINGS = ['attempt', 'note', 'tag'] as const
export type Having = (typeof HAVINGS)[number]

/** Numeric fields, all integers: bytes, microseconds, statuses, ids. */
export const AMOUNTS = ['id', 'status', 'answer', 'size', 'took'] as const
export type Amount = (typeof AMOUNTS)[number]

export interface Range {
  readonly from: number | null
  readonly to: number | null
}

/** Fields compared with patterns, in which `*` matches any text; ASCII case is ignored. */
export const WORDS = ['number', 'method', 'party'] as const
export type Word = (typeof WORDS)[number]

export type JsonStep = { readonly member: string } | { readonly index: number } | { readonly every: true }
export const COMPARISONS = ['>=', '<=', '>', '<'] as const
export type Comparison = (typeof COMPARISONS)[number] | '='
/** Whether the sign of an order satisfies a comparison. */
export const ORDERED: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
}

export type JsonTest =
  | { readonly test: 'present' }
  | { readonly test: 'literal'; readonly literal: 'true' | 'false' | 'null' }
  /** Compares a number by its exact value, however it is written. */
  | { readonly test: 'number'; readonly compare: Comparison; readonly number: string }
  /** Compares a text by its code units, case-sensitively. */
  | { readonly test: 'order'; readonly compare: Comparison; readonly text: string }
  | { readonly test: 'between'; readonly from: string; readonly to: string }
  /** Matches a text with a pattern, ignoring ASCII case. */
  | { readonly test: 'like'; readonly pattern: string }

/** Conditions that need the whole delivery: no column or index answers them. */
export type OpenedLeaf =
  | { readonly type: 'header'; readonly name: string; readonly patterns: readonly string[] }
  | { readonly type: 'json'; readonly path: readonly JsonStep[]; readonly tests: readonly JsonTest[] }
  /** RE2 syntax, matched against the decoded body's text and the request target. */
  | { readonly type: 'regex'; readonly pattern: string; readonly flags: string }
  /** The decoded body contains one of these texts, ignoring case. */
  | { readonly type: 'body'; readonly texts: readonly string[] }
  | { readonly type: 'finding'; readonly codes: readonly string[] }

/**
 * The tree of a filter: parse.ts creates it, matches.ts evaluates it on rows, storage compiles it to SQL. Several values of one field are
 * alternatives.
 */
export type Filter =
  | { readonly type: 'and'; readonly all: readonly Filter[] }
  | { readonly type: 'or'; readonly any: readonly Filter[] }
  | { readonly type: 'not'; readonly not: Filter }
  /** Parsing resolves kinds against the catalogue, so `factura.*` is a list here. */
  | { readonly type: 'kind'; readonly kinds: readonly Kind[] }
  | { readonly type: 'group'; readonly groups: readonly Group[] }
  /** `unjudged`: not analysed yet. */
  | { readonly type: 'verdict'; readonly verdicts: readonly (Verdict | 'unjudged')[] }
  /** A prefix of the document id, ignoring ASCII case; the empty prefix matches any document id. */
  | { readonly type: 'doc'; readonly prefix: string }
  | { readonly type: 'endpoint'; readonly names: readonly string[] }
  | { readonly type: 'is'; readonly facts: readonly Is[] }
  | { readonly type: 'has'; readonly what: readonly Having[] }
  /** Lower-case patterns, in which `*` matches any text; one tag must match one of them. */
  | { readonly type: 'tag'; readonly patterns: readonly string[] }
  /** Outcome or status of the latest attempt, or target of any attempt. */
  | {
      readonly type: 'attempt'
      readonly outcomes: readonly Attempted[]
      readonly statuses: readonly Range[]
      readonly targets: readonly string[]
    }
  /**
   * Words searched in the text index, in this order and adjacent; the last one is a prefix unless `exact`. Only letters and digits count,
   * so a text without any selects everything.
   */
  | { readonly type: 'text'; readonly text: string; readonly exact: boolean }
  /** `none` selects rows without this number. */
  | {
      readonly type: 'amount'
      readonly of: Amount
      readonly ranges: readonly Range[]
      readonly none: boolean
    }
  /** Microseconds since the epoch; parsing resolves relative times such as `today`. */
  | { readonly type: 'time'; readonly of: 'received' | 'timestamp'; readonly spans: readonly Range[] }
  | { readonly type: 'word'; readonly of: Word; readonly patterns: readonly string[] }
  | OpenedLeaf

const OPENED: ReadonlySet<string> = new Set(['header', 'json', 'regex', 'body', 'finding'])
export const isOpenedLeaf = (filter: Filter): filter is OpenedLeaf => OPENED.has(filter.type)

export function mentions(filter: Filter, test: (leaf: Filter) => boolean): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.some((part) => mentions(part, test))
    case 'or':
      return filter.any.some((part) => mentions(part, test))
    case 'not':
      return mentions(filter.not, test)
    default:
      return test(filter)
  }
}

export const EVERYTHING: Filter = { type: 'and', all: [] }
