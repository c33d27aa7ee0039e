import { type Problem, problem } from './problem.ts'

export const KEYWORDS = ['and', 'or', 'not'] as const
/**
 * A letter or digit, which the text index contains. SQLite's unicode61 also indexes symbols newer than its tables, including some emoji,
 * but a condition on such a symbol alone is refused like one on any other symbol.
 */
export const SEARCHABLE = /[\p{L}\p{N}\p{Co}]/u

interface Span {
  /** 0-based, in UTF-16 code units; `end` is exclusive. */
  readonly start: number
  readonly end: number
}
export interface Value extends Span {
  readonly text: string
  readonly quoted: boolean
}
export type Token =
  | (Span & { readonly type: 'regex'; readonly pattern: string; readonly flags: string })
  | (Span & { readonly type: 'open' | 'close' | 'minus' })
  | (Span & { readonly type: 'word'; readonly text: string })
  /** `"…"`, or `"…"*`, whose last word is a prefix. */
  | (Span & { readonly type: 'quoted'; readonly text: string; readonly open: boolean })
  /** `name:value,value`; a missing value is an empty unquoted one. */
  | (Span & { readonly type: 'field'; readonly name: string; readonly values: readonly Value[] })

/** A bare word extends to one of these characters; only values also end at a comma. */
const WORD = /[^\s()"]+/y
const VALUE = /[^\s(),"]*/y
/** A field name at the start of a word, so that `10:30` stays text; or a JSON path: `$.data.Lines[*]["odd name"]`. */
export const FIELD =
  /([A-Za-z][\w.-]*|\$(?:\.[\p{L}\p{N}_$-]+|\[(?:\d{1,9}|\*|"(?:[^"\\]|\\[\s\S])*")\])*):/uy
/** `/…/` followed by a space, a parenthesis or the end, so that `/hooks/dev` stays text. */
export const REGEX = /\/((?:[^/\\\n]|\\[^\n])+)\/([ims]{0,3})(?=[\s()]|$)/y
const SPACE = /\s+/y
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y

const plain = (inner: string): string => inner.replace(/\\(["\\])/g, '$1')

/** Splits a filter into tokens, in linear time. @returns the tokens, or a problem for an unclosed quotation mark */
export function tokenize(text: string): { ok: true; tokens: Token[] } | Problem {
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }

  while (at < text.length) {
    if (take(SPACE)) continue
    const start = at
    const char = text[at]
    if (char === '(' || char === ')' || char === '-') {
      at += 1
      tokens.push({ type: char === '(' ? 'open' : char === ')' ? 'close' : 'minus', start, end: at })
      continue
    }
    if (char === '"') {
      const found = take(QUOTED)
      if (!found) return problem('unclosed-quote', { start, end: start + 1 })
      const open = text[at] === '*'
      if (open) at += 1
      tokens.push({ type: 'quoted', text: plain(found[1] ?? ''), open, start, end: at })
      continue
    }
    const regex = char === '/' ? take(REGEX) : null
    if (regex) {
      tokens.push({ type: 'regex', pattern: regex[1] ?? '', flags: regex[2] ?? '', start, end: at })
      continue
    }
    const name = take(FIELD)?.[1]
    if (name !== undefined) {
      const values: Value[] = []
      do {
        if (values.length > 0) at += 1
        const from = at
        if (text[at] === '"') {
          const found = take(QUOTED)
          if (!found) return problem('unclosed-quote', { start: from, end: from + 1 })
          values.push({ text: plain(found[1] ?? ''), quoted: true, start: from, end: at })
        } else values.push({ text: take(VALUE)?.[0] ?? '', quoted: false, start: from, end: at })
      } while (text[at] === ',')
      tokens.push({ type: 'field', name, values, start, end: at })
      continue
    }
    const word = take(WORD)?.[0]
    if (word === undefined) break
    tokens.push({ type: 'word', text: word, start, end: at })
  }
  return { ok: true, tokens }
}
