import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import type { Annotated } from '@/shared/live/annotating.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { annotate } from './annotate.ts'
import styles from './annotations.module.css'
import { TagChips } from './tag-chips.tsx'
import { TagInput } from './tag-input.tsx'

/** More are told by the host's own count of the filter that shows them. */
const MOST_ASKED = 500

/** How many of those that are meant have each tag. */
async function tagsOf({ ids, everything }: Annotated): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (everything) {
    const answer = await api.call('filter.counts', { field: 'tag', filter: everything.filter })
    for (const { value, count } of answer.counts) counts.set(value, count)
    return counts
  }
  for (const id of ids.slice(0, MOST_ASKED))
    for (const tag of (await api.call('deliveries.get', { id })).tags)
      counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

/** Tags of one delivery or of several; every change takes effect at once. */
export function TagSheet({ about }: { readonly about: Annotated }) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const refusalText = useRefusalText()
  const [tags, setTags] = useState<ReadonlyMap<string, number> | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const total = about.everything?.total ?? about.ids.length
  const look = useCallback(() => {
    tagsOf(about).then(setTags, (error: unknown) => setRefusal(refusalOf(error)))
  }, [about])
  useEffect(look, [look])
  const change = (what: { addTags?: string[]; removeTags?: string[] }) => {
    setRefusal(null)
    annotate(about, what).then(look, (error: unknown) => setRefusal(refusalOf(error)))
  }
  const chips = [...(tags ?? [])].map(([tag, n]) =>
    n < total
      ? { tag, part: t('annotations.part', { n: format.number(n), of: format.number(total) }) }
      : { tag },
  )
  return (
    <div className={styles.sheet}>
      <TagInput refused={refusal && refusalText(refusal)} onAdd={(tag) => change({ addTags: [tag] })} />
      <div className={styles.chips} role="status">
        {tags?.size === 0 ? <p className={styles.none}>{t('annotations.noTags')}</p> : null}
        <TagChips
          chips={chips}
          onAll={(tag) => change({ addTags: [tag] })}
          onRemove={(tag) => change({ removeTags: [tag] })}
        />
      </div>
    </div>
  )
}
