import { GROUPS, KINDS, type Kind } from '#catalog/kinds.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { type Token, tokenize } from '#core/filter/tokens.ts'

type FieldToken = Extract<Token, { type: 'field' }>

/**
 * The conditions `name:…` that stand alone at the top of a filter. Inside parentheses, behind a minus or beside an `or` a button
 * must not touch them: it would change what they mean.
 */
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

/** The filter without its top-level conditions of a field. */
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

/** Kinds that the filter's own `kind:` and `group:` conditions select; none when it has neither. */
export function chosenKinds(text: string): ReadonlySet<Kind> {
  const chosen = new Set<Kind>()
  for (const name of ['kind', 'group'] as const)
    for (const value of valuesOf(text, name)) {
      const parsed = parseFilter(`${name}:"${value.replace(/["\\]/g, '\\$&')}"`)
      if (!parsed.ok) continue
      for (const { kind, group } of KINDS)
        if (
          (parsed.filter.type === 'kind' && parsed.filter.kinds.includes(kind)) ||
          (parsed.filter.type === 'group' && parsed.filter.groups.includes(group))
        )
          chosen.add(kind)
    }
  return chosen
}

/** The filter that selects these kinds, whole groups by their short name. All of them, or none, is no condition at all. */
export function withKinds(text: string, chosen: ReadonlySet<Kind>): string {
  const rest = without(without(text, 'kind'), 'group')
  if (chosen.size === 0 || chosen.size === KINDS.length) return rest
  const whole = GROUPS.filter(({ slug }) => KINDS.every((k) => k.group !== slug || chosen.has(k.kind)))
  const single = KINDS.filter((k) => chosen.has(k.kind) && !whole.some(({ slug }) => slug === k.group))
  if (whole.length > 0 && single.length === 0)
    return withValues(
      rest,
      'group',
      whole.map(({ slug }) => slug),
    )
  // One field holds alternatives; two fields would have to hold both at once.
  return withValues(
    rest,
    'kind',
    KINDS.filter((k) => chosen.has(k.kind)).map((k) => k.kind),
  )
}
