import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import { VERDICTS } from '#contract/values.ts'
import { COMPARISONS, ORDERED } from './tree.ts'

export const VERDICT_VALUES = [...VERDICTS, 'unjudged'] as const
export type VerdictValue = (typeof VERDICT_VALUES)[number]

export const KIND_NAMES: readonly Kind[] = KINDS.map(({ kind }) => kind)

/** `factura.*`, `nota_credito.*`, … and `*.created`, `*.updated`, … in the order of the catalogue. */
export const KIND_WILDCARDS: readonly string[] = [
  ...new Set([
    ...KIND_NAMES.map((kind) => `${kind.split('.')[0]}.*`),
    ...KIND_NAMES.filter((kind) => !kind.startsWith('dgii.')).map((kind) => `*.${kind.split('.')[1]}`),
  ]),
]

/** Kinds that match a name or wildcard, in the order of the catalogue; empty for none. */
export const kindsOf = (value: string): Kind[] => KIND_NAMES.filter((kind) => fits(value.toLowerCase(), kind))

export function groupOf(value: string): Group | undefined {
  const wanted = value.toLowerCase()
  return GROUPS.find(({ slug, name }) =>
    [slug, name.en.toLowerCase(), name.es.toLowerCase()].includes(wanted),
  )?.slug
}

/** Reads a verdict or a comparison; `test` and `unjudged` have no order. @returns `incomparable` for `>=unjudged` and the like */
export function verdictsOf(value: string): VerdictValue[] | 'incomparable' | undefined {
  const wanted = value.toLowerCase()
  const sign = COMPARISONS.find((one) => wanted.startsWith(one))
  if (sign === undefined) {
    const verdict = VERDICT_VALUES.find((v) => v === wanted)
    return verdict && [verdict]
  }
  const ordered = VERDICTS.filter((verdict) => verdict !== 'test')
  const limit = ordered.map(String).indexOf(wanted.slice(sign.length))
  if (limit < 0) return 'incomparable'
  return ordered.filter((_, rank) => ORDERED[sign](rank - limit))
}

/** Lower-cases ASCII letters only, as SQLite does. */
export const asciiLower = (value: string): string =>
  value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Removes accents and case, so that `perez` finds `PÉREZ`. Applied to stored texts and to patterns alike. */
export const folded = (value: string): string =>
  value
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** Matches a pattern in which `*` stands for any text, in at most pattern × text steps. */
export function fits(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return pattern === text
  if (!text.startsWith(head)) return false
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** Replaces NUL, which no stored text has. @param open where more text may follow: `end` for a prefix, `both` for a substring */
export function patternOf(value: string, open: 'none' | 'end' | 'both'): string {
  const clean = value.toWellFormed().replaceAll('\0', ' ')
  return `${open === 'both' ? '*' : ''}${clean}${open === 'none' ? '' : '*'}`.replace(/\*{2,}/g, '*')
}
