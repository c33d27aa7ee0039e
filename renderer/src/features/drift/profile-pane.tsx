import { ListFilter, Search } from 'lucide-react'
import { useState } from 'react'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Language } from '#catalog/text.ts'
import type { DriftProfile, ObservedField } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { documentedField } from '#core/drift/documented.ts'
import { shapeWord } from '#core/drift/report.ts'
import { folded } from '#core/filter/values.ts'
import { lastName } from '#core/json/pointer.ts'
import { copyAction } from '@/shared/actions/made.ts'
import { alike } from '@/shared/body/event-fields.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { type Cell, type Column, Table } from '@/shared/components/table.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { deliveryActions, filterActions, filterSubmenus } from '@/shared/deliveries/value-actions.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { asValue, pathOf } from '@/shared/live/filter-edit.ts'
import { useRoute } from '@/shared/live/route.ts'
import { EventList, useDrift } from './event-list.tsx'
import styles from './field-table.module.css'

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
  const { t, language } = useTexts('drift')
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

const TIMES = 'ml-4 text-fg-3 font-ui font-normal text-xs leading-[1.4] tabular-nums'
/** Values shown per field; the tooltip has the others. */
const VALUES_SHOWN = 4

/** Values that a field's menu offers as filters. */
const MENU_VALUES = 8

interface FieldTableProps {
  readonly kind: Kind
  readonly fields: readonly ObservedField[]
  /** Shows full pointers instead of indented names, because rows are filtered out. */
  readonly flat: boolean
}

function FieldTable({ kind, fields, flat }: FieldTableProps) {
  const { t, format, language } = useTexts('drift')
  const column = (
    id: 'field' | 'shapes' | 'values' | 'share' | 'since' | 'last',
    cell: Column<ObservedField>['cell'],
  ) => ({ id, title: t(`column.${id}`), names: id === 'field', cell })
  const when = (at: number, id: number | null, label: (id: number) => string): Cell => ({
    className: 'tabular-nums whitespace-nowrap text-fg-3',
    content:
      id === null ? (
        <span title={`${format.instant(at)} · ${t('gone')}`}>{format.moment(at)}</span>
      ) : (
        <button
          type="button"
          tabIndex={-1}
          className="-mx-3 my-0 px-3 py-1 border-0 rounded-3 bg-transparent text-fg-2 cursor-default hover:text-accent-text hover:underline"
          title={format.instant(at)}
          aria-label={label(id)}
          onClick={() => void openDelivery(id, null)}
        >
          {format.moment(at)}
        </button>
      ),
  })
  return (
    <ScrollRegion
      className="flex-1 min-h-0 overflow-auto outline-none focus-visible:focus-inset"
      label={t('table', { kind })}
    >
      <Table
        className={styles.fields}
        rows={fields}
        keyOf={({ place }) => place}
        menu={({ place, values, lastId }) => [
          filterActions(`kind:${kind} ${pathOf(place)}:*`).slice(0, 1),
          filterSubmenus(
            values.slice(0, MENU_VALUES).map(({ value }) => `${pathOf(place)}:${asValue(value)}`),
          ),
          lastId === null ? [] : deliveryActions(lastId, true),
          [copyAction('copy-pointer', 'on.copyPointer', place)],
        ]}
        rowClass={({ documented }) => (documented ? undefined : styles.undocumented)}
        columns={[
          column('field', (field) => ({
            title: field.place,
            content: <Name {...{ kind, field, flat }} />,
          })),
          column('shapes', ({ shapes }) => ({
            className: 'flex flex-wrap items-baseline gap-x-9 gap-y-1',
            content: shapes.map((shape) => (
              <span key={`${shape.type}${shape.format}`} title={t('counted', { formatted: shape.n })}>
                {shapeWord(shape, language)}
                {shapes.length > 1 ? <span className={TIMES}>{format.compact(shape.n)}</span> : null}
              </span>
            )),
          })),
          column('values', (field) => ({
            className: 'flex flex-wrap items-baseline gap-x-9 gap-y-1 [&_code]:text-fg [&_code]:code-xs',
            title: field.values
              .map(
                ({ value, n, firstAt }) => `${value} (${format.number(n)}, ${t('since', { when: firstAt })})`,
              )
              .join('\n'),
            content: <Values field={field} />,
          })),
          column('share', ({ n, of }) => ({
            className: 'tabular-nums whitespace-nowrap [&_small]:ml-6',
            content: (
              <>
                {n === of ? '100 %' : `${percent(n, of)} %`}
                <small title={t('share', { n, of })}>{format.compact(n)}</small>
              </>
            ),
          })),
          column('since', ({ firstAt, firstId }) => when(firstAt, firstId, (id) => t('openFirst', { id }))),
          column('last', ({ lastAt, lastId }) => when(lastAt, lastId, (id) => t('openLast', { id }))),
        ]}
      />
    </ScrollRegion>
  )
}

function Name({ kind, field, flat }: Omit<FieldTableProps, 'fields'> & { readonly field: ObservedField }) {
  const { t, language } = useTexts('drift')
  const { place, documented, absentSince } = field
  const name = lastName(place)
  const label = documentedField(kind, place)?.label[language]
  const depth = flat ? 0 : Math.min(6, place.split('/').length - 2)
  return (
    <span
      className="flex flex-wrap items-baseline gap-x-7 text-fg wrap-anywhere"
      style={{ paddingInlineStart: depth * 14 }}
    >
      <Captured text={flat ? place : name} mono most={120} />
      {label === undefined || alike(label, name) ? null : <small>{label}</small>}
      {documented ? null : <Tag tone="accent">{t('notDocumented')}</Tag>}
      {absentSince === null ? null : <small>{t('absentSince', { when: absentSince })}</small>}
    </span>
  )
}

/** Never 100 if the field was missing once, nor 0 if it was present once. */
const percent = (n: number, of: number): number =>
  Math.min(99, Math.max(1, Math.round((100 * n) / Math.max(of, 1))))

function Values({ field: { values, manyValues } }: { readonly field: ObservedField }) {
  const { t, format } = useTexts('drift')
  const rest = values.slice(VALUES_SHOWN)
  return (
    <>
      {manyValues ? <small>{t('manyValues')}</small> : null}
      {values.slice(0, VALUES_SHOWN).map(({ value, n }) => (
        <code key={value}>
          <Captured text={value} most={44} />
          <span className={TIMES}>{format.compact(n)}</span>
        </code>
      ))}
      {rest.length > 0 ? (
        <small>
          {t('moreValues', {
            formatted: rest.length,
            values: rest.map(({ value }) => value).join(', '),
          })}
        </small>
      ) : null}
    </>
  )
}
