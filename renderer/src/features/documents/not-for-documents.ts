import type { TFunction } from 'i18next'
import type { Refusal } from '#contract/errors.ts'

const OWN = ['is', 'received'] as const
const NAMED = ['regex', 'json', 'header'] as const

/** Why a valid filter does not apply to documents, in the window's language; null for another refusal. */
export function notForDocuments(t: TFunction<['documents', 'shell']>, refusal: Refusal): string | null {
  const { field, problem, fields, marks } = refusal.details ?? {}
  if (problem !== 'not-for-documents') return null
  const said = { fields: fields ?? '', marks: marks ?? '' }
  const own = OWN.find((known) => known === field)
  if (own) return t(`filter.refused.${own}`, said)
  const named = NAMED.find((known) => known === field)
  const name = named ? t(`filter.names.${named}`) : `${field}:`
  return t('filter.refused.single', { ...said, name })
}
