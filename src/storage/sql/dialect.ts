import type { OpenedLeaf } from '#core/filter/tree.ts'
import { HOLDS, MATCHES_TEXT } from './columns.ts'

/** Keeps a value and gives the placeholder that stands for it. Values must be bound in the order in which they appear in the text. */
export type Bind = (value: string | number) => string

export interface Phrase {
  readonly text: string
  /** False: the last word may go on. */
  readonly exact: boolean
}

/** What the databases say differently. Everything else a compiled filter uses is plain SQL. */
export interface Dialect {
  /** @param position 1-based */
  placeholder(position: number): string
  /** Holds for texts, compared byte by byte, that begin with `prefix`; NULL for NULL. `prefix` is not empty. */
  startsWith(column: string, prefix: string, bind: Bind): string
  /** Holds for texts like the pattern, `*` standing for any text and A-Z being a-z; NULL for NULL. */
  isLike(column: string, pattern: string, bind: Bind): string
  /** Holds for deliveries that pass the condition once they are opened; never NULL. */
  holds(leaf: OpenedLeaf, bind: Bind): string
  /** Holds for deliveries in whose indexed text all (or any) of the phrases occur; never NULL. */
  findsText(join: 'all' | 'any', phrases: readonly Phrase[], bind: Bind): string
}

/**
 * The least text that is greater than every text with that beginning, in code point order, which is what BINARY compares.
 * @returns undefined when there is none (a prefix of nothing but U+10FFFF)
 */
function after(prefix: string): string | undefined {
  const points = Array.from(prefix.toWellFormed(), (char) => char.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  // U+D800 to U+DFFF are no characters and would be stored as something else.
  return last === undefined ? undefined : String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

/** One FTS5 string: nothing in it is syntax. It is read as C text, so a NUL would end it; for the tokenizer it is a separator anyway. */
const fts5 = ({ text, exact }: Phrase): string =>
  `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${exact ? '' : ' *'}`

export const SQLITE: Dialect = {
  placeholder: () => '?',
  startsWith(column, prefix, bind) {
    const from = `${column} >= ${bind(prefix)}`
    const end = after(prefix)
    return end === undefined ? from : `(${from} AND ${column} < ${bind(end)})`
  },
  isLike(column, pattern, bind) {
    return `${column} LIKE ${bind(pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'))} ESCAPE '\\'`
  },
  holds(leaf, bind) {
    bind(JSON.stringify(leaf))
    return HOLDS
  },
  findsText(join, phrases, bind) {
    bind(phrases.map(fts5).join(join === 'all' ? ' AND ' : ' OR '))
    return MATCHES_TEXT
  },
}
