import { KINDS, type Kind } from '#catalog/kinds.ts'
import { type Token, tokenize } from '#core/filter/tokens.ts'
import { groupOf, kindsOf } from '#core/filter/values.ts'

type FieldToken = Extract<Token, { type: 'field' }>

/** Top-level conditions `name:…`. Within parentheses, behind a minus or beside an `or`, a change would alter the filter's meaning. */
function plainConditions(text: string, name: string): FieldToken[] {
  const result = tokenize(text)
  if (!result.ok) return []
  let depth = 0
  return result.tokens.filter((token, i): token is FieldToken => {
    if (token.type === 'open') depth += 1
    if (token.type === 'close') depth -= 1
    if (token.type !== 'field' || depth !== 0 || token.name.toLowerCase() !== name) return false
    const around = [result.tokens[i - 1], result.tokens[i + 1]]
    return !around.some(
      (other, side) =>
        (side === 0 && other?.type === 'minus') || (other?.type === 'word' && /^(or|not)$/i.test(other.text)),
    )
  })
}

/** Values of the top-level conditions of a field, in lower case: `verdict:invalid,noted` gives two. */
export function valuesOf(text: string, name: string): string[] {
  return plainConditions(text, name).flatMap((token) => token.values.map((v) => v.text.toLowerCase()))
}

export function without(text: string, name: string): string {
  let rest = text
  for (const token of plainConditions(text, name).toReversed())
    rest = `${rest.slice(0, token.start)} ${rest.slice(token.end)}`
  return rest.replace(/\s+/g, ' ').trim()
}

/** Sets a field's single top-level condition to these values; an empty list removes it. */
export function withValues(text: string, name: string, values: readonly string[]): string {
  const rest = without(text, name)
  if (values.length === 0) return rest
  return `${name}:${values.join(',')}${rest === '' ? '' : ` ${rest}`}`
}

export function chosenKinds(text: string): ReadonlySet<Kind> {
  const chosen = new Set<Kind>()
  for (const value of valuesOf(text, 'kind')) for (const kind of kindsOf(value)) chosen.add(kind)
  for (const value of valuesOf(text, 'group'))
    for (const { kind, group } of KINDS) if (group === groupOf(value)) chosen.add(kind)
  return chosen
}

export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** A value in filter syntax: quoted where it would otherwise end early or change its meaning. */
export const asValue = (text: string): string =>
  /^[\p{L}\p{N}][\p{L}\p{N}._+:/-]*$/u.test(text) ? text : quoted(text)

/** The condition for a field's value; null when there is no value. */
export const condition = (name: string, value: string | number | null): string | null =>
  value === null || value === '' ? null : `${name}:${asValue(String(value))}`

/** Adds a condition to the filter, unless it is there already, and removes its opposite. */
export function narrowed(text: string, term: string): string {
  const result = tokenize(text)
  const opposite = term.startsWith('-') ? term.slice(1) : `-${term}`
  const parts = result.ok ? topLevel(text, result.tokens) : null
  // Beside an `or`, a condition would apply to one side only.
  if (!parts) return `(${text.trim()}) ${term}`
  return [...parts.filter((part) => part !== opposite && part !== term), term].join(' ')
}

/** The top-level conditions as written; null where `or`, `and` or a parenthesis joins them. */
function topLevel(text: string, tokens: readonly Token[]): readonly string[] | null {
  const parts: string[] = []
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'open' || token.type === 'close') return null
    if (token.type === 'word' && /^(?:or|and|not)$/i.test(token.text)) return null
    const minus = tokens[i - 1]?.type === 'minus'
    if (token.type !== 'minus') parts.push(`${minus ? '-' : ''}${text.slice(token.start, token.end)}`)
  }
  return parts
}

/** A JSON pointer, or a path with `*` for every list item, in filter syntax. */
export const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => {
      if (name === '*' || /^\d{1,9}$/.test(name)) return `${path}[${name}]`
      return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `${path}.${name}` : `${path}[${quoted(name)}]`
    }, '$')
