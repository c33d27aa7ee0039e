import type { Group, Kind } from '#catalog/kinds.ts'
import type { Mark, Verdict } from '#contract/delivery.ts'

/** Facts that `is:` asks for. */
export const FACTS = [
  'duplicate',
  'late',
  'out-of-order',
  'replay',
  'synthetic',
  'pinned',
  'rejected',
  'malformed',
] as const satisfies readonly (Mark | 'rejected' | 'malformed')[]
export type Is = (typeof FACTS)[number]

/**
 * A filter as a tree. Text is parsed into it (parse.ts), rows are matched by it (matches.ts), storage compiles it to SQL.
 * Several values of one field are alternatives: `kind:factura.*,dgii.aprobado`.
 */
export type Filter =
  | { readonly type: 'and'; readonly all: readonly Filter[] }
  | { readonly type: 'or'; readonly any: readonly Filter[] }
  | { readonly type: 'not'; readonly not: Filter }
  /** Kinds are resolved against the catalogue while parsing, so `factura.*` is a list here. */
  | { readonly type: 'kind'; readonly kinds: readonly Kind[]; readonly source: string }
  | { readonly type: 'group'; readonly groups: readonly Group[] }
  /** `unjudged`: not analysed yet. */
  | {
      readonly type: 'verdict'
      readonly verdicts: readonly (Verdict | 'unjudged')[]
      readonly source: string
    }
  /** A document id (ignoring the case of a-z) or the beginning of one; the empty prefix asks for any id at all. */
  | { readonly type: 'doc'; readonly prefix: string }
  | { readonly type: 'endpoint'; readonly names: readonly string[] }
  | { readonly type: 'is'; readonly facts: readonly Is[] }
  /**
   * Text looked for in the index. Its words must follow each other; the last one may be the beginning of a word unless `exact`.
   * Only letters and digits count; text without any asks for nothing and so selects everything.
   */
  | { readonly type: 'text'; readonly text: string; readonly exact: boolean }

/** Selects everything. */
export const EVERYTHING: Filter = { type: 'and', all: [] }

/** Selects nothing. */
export const NOTHING: Filter = { type: 'or', any: [] }
