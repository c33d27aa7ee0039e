import { ListFilter, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Language } from '#catalog/text.ts'
import type { DriftProfile, ObservedField } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { documentedField } from '#core/drift/documented.ts'
import { shapeWord } from '#core/drift/report.ts'
import { folded } from '#core/filter/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { EventList } from './event-list.tsx'
import { FieldTable } from './field-table.tsx'
import { useDrift } from './use-drift.ts'

/** Fields whose name, label, types, formats or values contain all words, ignoring accents and case. */
function fieldsLike(
  { kind, fields }: DriftProfile,
  search: string,
  language: Language,
): readonly ObservedField[] {
  const words = folded(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return fields
  return fields.filter(({ place, shapes, values }) => {
    const label = documentedField(kind, place)?.label[language] ?? ''
    const text = folded(
      [
        place,
        label,
        ...shapes.flatMap((shape) => [shapeWord(shape, language), shape.type, shape.format ?? '']),
        ...values.map(({ value }) => value),
      ].join('\n'),
    )
    return words.every((word) => text.includes(word))
  })
}

export interface ProfilePaneProps {
  readonly kind: Kind
  /** Microseconds; drifts of later deliveries are new. */
  readonly since: number
}

export function ProfilePane({ kind, since }: ProfilePaneProps) {
  const { t } = useTranslation('drift')
  const language = useLanguage()
  const { data, refusal } = useDrift('drift.profile', { kind })
  const [view, setView] = useState<'fields' | 'events'>('fields')
  const [search, setSearch] = useState('')
  const counted = (key: 'deliveries' | 'fields' | 'undocumented' | 'unrecorded', count: number) =>
    t(key, { count })
  const strange = data?.fields.filter(({ documented }) => !documented).length ?? 0
  const found = data ? fieldsLike(data, search, language) : []
  const inStream = () => {
    useFilter.getState().set(`kind:${kind} is:drift`)
    useRoute.getState().go('stream')
  }
  return (
    <>
      <header className="grid flex-none gap-6 px-14 py-10 border-b border-line bg-panel">
        <h2 className="flex items-center gap-8 text-l font-semibold select-text">
          <GroupDot group={kindSpec(kind)?.group ?? null} />
          {kind}
        </h2>
        {data ? (
          <p className="flex flex-wrap gap-x-14 gap-y-2 text-fg-2 text-s tabular-nums">
            <span>{counted('deliveries', data.deliveries)}</span>
            {data.firstAt === null ? null : <span>{t('since', { when: data.firstAt })}</span>}
            {data.lastAt === null ? null : <span>{t('last', { when: data.lastAt })}</span>}
            <span>{counted('fields', data.fields.length)}</span>
            {strange > 0 ? (
              <span className="text-accent-text">{counted('undocumented', strange)}</span>
            ) : null}
          </p>
        ) : null}
        <div className="flex items-center gap-8">
          <SegmentedControl
            label={t('view')}
            value={view}
            onChange={setView}
            segments={[
              { value: 'fields', label: t('viewFields') },
              { value: 'events', label: t('viewEvents') },
            ]}
          />
          {view === 'fields' ? (
            <TextField
              label={t('find')}
              hideLabel
              type="search"
              className="flex-1 max-w-320 min-w-120!"
              leading={<Search aria-hidden="true" />}
              placeholder={t('findPlaceholder')}
              value={search}
              onChange={setSearch}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || search === '') return
                event.preventDefault()
                setSearch('')
              }}
            />
          ) : (
            <Button icon={<ListFilter />} onClick={inStream}>
              {t('inStream')}
            </Button>
          )}
          <span role="status" className="text-fg-3 text-s tabular-nums whitespace-nowrap">
            {view === 'fields' && search !== '' ? t('found', { count: found.length }) : ''}
          </span>
        </div>
        {data?.learning ? (
          <p className="text-fg-2 text-s">
            {t('learningNote', {
              need: LEARNING_DELIVERIES,
              missing: LEARNING_DELIVERIES - data.deliveries,
            })}
          </p>
        ) : null}
        {data && data.unrecorded > 0 ? (
          <p className="text-fg-2 text-s">{counted('unrecorded', data.unrecorded)}</p>
        ) : null}
        <Refused refusal={refusal} />
      </header>
      {!data ? (
        refusal ? null : (
          <Loading className="flex-1" />
        )
      ) : view === 'events' ? (
        <EventList kind={kind} since={since} learning={data.learning} />
      ) : found.length === 0 ? (
        <p className="m-14 text-fg-2 text-s">{t('notFound')}</p>
      ) : (
        <FieldTable kind={kind} fields={found} flat={search !== ''} />
      )}
    </>
  )
}
