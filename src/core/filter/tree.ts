import type { Group, Kind } from '#catalog/kinds.ts'
import type { Verdict } from '#contract/delivery.ts'
import { MARKS } from '#contract/values.ts'

export const FACTS = [...MARKS, 'replayed', 'missed', 'rejected', 'malformed'] as const
export type Is = (typeof FACTS)[number]

/** Outcomes of a delivery's latest attempt; `none`: it was never sent. */
export const ATTEMPTED = ['failed', 'ok', 'none'] as const
export type Attempted = (typeof ATTEMPTED)[number]

export const HAVINGS = ['attempt', 'note', 'tag'] as const
export type Having = (typeof HAVINGS)[number]

/** All of them whole: bytes, microseconds, numbers of statuses. */
export const AMOUNTS = ['status', 'answer', 'size', 'took'] as const
export type Amount = (typeof AMOUNTS)[number]

export interface Range {
  readonly from: number | null
  readonly to: number | null
}

/** Words of a row that are compared with patterns, in which `*` stands for any text. A-Z and a-z are the same letters. */
export const WORDS = ['number', 'method', 'party'] as const
export type Word = (typeof WORDS)[number]

export type JsonStep = { readonly member: string } | { readonly index: number } | { readonly every: true }
export const COMPARISONS = ['>=', '<=', '>', '<'] as const
export type Comparison = (typeof COMPARISONS)[number] | '='
/** Whether an order, below, at or above zero, is the one that a comparison asks for. */
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
  /** A number by its exact value, whatever its digits. */
  | { readonly test: 'number'; readonly compare: Comparison; readonly number: string }
  /** A text by its characters; A-Z and a-z differ. */
  | { readonly test: 'order'; readonly compare: Comparison; readonly text: string }
  | { readonly test: 'between'; readonly from: string; readonly to: string }
  /** A text like this pattern; A-Z and a-z are the same letters. */
  | { readonly test: 'like'; readonly pattern: string }

/** The delivery has to be opened: neither columns nor indexes know. */
export type OpenedLeaf =
  | { readonly type: 'header'; readonly name: string; readonly patterns: readonly string[] }
  | { readonly type: 'json'; readonly path: readonly JsonStep[]; readonly tests: readonly JsonTest[] }
  /** RE2 syntax, looked for in the decoded body's text and in the request target. */
  | { readonly type: 'regex'; readonly pattern: string; readonly flags: string }
  /** One of these texts stands in the decoded body; upper and lower case are the same. */
  | { readonly type: 'body'; readonly texts: readonly string[] }
  | { readonly type: 'finding'; readonly codes: readonly string[] }

/**
 * Text is parsed into it (parse.ts), rows are matched by it (matches.ts), storage compiles it to SQL. Several values of one field are
 * alternatives.
 */
export type Filter =
  | { readonly type: 'and'; readonly all: readonly Filter[] }
  | { readonly type: 'or'; readonly any: readonly Filter[] }
  | { readonly type: 'not'; readonly not: Filter }
  /** Kinds are resolved against the catalogue while parsing, so `factura.*` is a list here. */
  | { readonly type: 'kind'; readonly kinds: readonly Kind[] }
  | { readonly type: 'group'; readonly groups: readonly Group[] }
  /** `unjudged`: not analysed yet. */
  | { readonly type: 'verdict'; readonly verdicts: readonly (Verdict | 'unjudged')[] }
  /** A document id (ignoring the case of a-z) or the beginning of one; the empty prefix asks for any id at all. */
  | { readonly type: 'doc'; readonly prefix: string }
  | { readonly type: 'endpoint'; readonly names: readonly string[] }
  | { readonly type: 'is'; readonly facts: readonly Is[] }
  | { readonly type: 'has'; readonly what: readonly Having[] }
  /** Some tag is like one of these patterns, in which `*` stands for any text; all in lower case. */
  | { readonly type: 'tag'; readonly patterns: readonly string[] }
  /** Outcome or status of the latest attempt, or a target that any attempt was made to. */
  | {
      readonly type: 'attempt'
      readonly outcomes: readonly Attempted[]
      readonly statuses: readonly Range[]
      readonly targets: readonly string[]
    }
  /**
   * Text looked for in the index. Its words must follow each other; the last one may be the beginning of a word unless `exact`.
   * Only letters and digits count; text without any asks for nothing and so selects everything.
   */
  | { readonly type: 'text'; readonly text: string; readonly exact: boolean }
  /** `none` asks for rows that have no such number. */
  | {
      readonly type: 'amount'
      readonly of: Amount
      readonly ranges: readonly Range[]
      readonly none: boolean
    }
  /** Microseconds since the epoch; what is relative (`today`) was resolved while parsing. */
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

export const NOTHING: Filter = { type: 'or', any: [] }
