import { KINDS, type Kind } from '#catalog/kinds.ts'
import { type Token, tokenize } from '#core/filter/tokens.ts'
import { groupOf, kindsOf } from '#core/filter/values.ts'

type FieldToken = Extract<Token, { type: 'field' }>

/** The conditions `name:…` alone at the top: in parentheses, behind a minus or beside an `or` a change would alter what they mean. */
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

/** The filter with one top-level condition of a field that lists these values; none of them removes it. */
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
