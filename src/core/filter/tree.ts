import type { Group, Kind } from '#catalog/kinds.ts'
import type { Mark, Verdict } from '#contract/delivery.ts'

/** Facts that `is:` asks for. */
export type Is = Mark | 'rejected' | 'malformed'

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
  /** A document id (ignoring case) or the beginning of one. */
  | { readonly type: 'doc'; readonly prefix: string }
  | { readonly type: 'endpoint'; readonly names: readonly string[] }
  | { readonly type: 'is'; readonly facts: readonly Is[] }
  /** Words looked for in the indexed text; each word matches as a prefix, and all must occur. */
  | { readonly type: 'text'; readonly text: string }

/** Selects everything. */
export const EVERYTHING: Filter = { type: 'and', all: [] }
