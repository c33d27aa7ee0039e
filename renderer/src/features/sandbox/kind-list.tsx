import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { GroupDot } from '@/shared/components/tag.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { ChoiceList } from './choice-list.tsx'
import { kindsFound } from './kinds-found.ts'

export interface KindListProps {
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
}

/** The 28 kinds by group, with the group's mark. */
export function KindList({ value, onChange }: KindListProps) {
  const { t } = useTranslation('sandbox')
  const language = useLanguage()
  const [sought, setSought] = useState('')
  return (
    <ChoiceList
      label={t('emit.kinds', { count: KINDS.length })}
      value={value}
      onChange={onChange}
      groups={kindsFound(sought, language).map(({ slug, name, kinds }) => ({
        id: slug,
        name,
        choices: kinds.map((kind) => ({ value: kind, mark: <GroupDot group={slug} /> })),
      }))}
      sought={sought}
      onSeek={setSought}
      searchLabel={t('emit.search')}
      none={t('emit.noKind')}
    />
  )
}
