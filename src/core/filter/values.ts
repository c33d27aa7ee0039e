import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import { VERDICTS } from '#contract/values.ts'
import { fits } from './glob.ts'
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
