import { useTranslation } from 'react-i18next'
import type { Kind } from '#catalog/kinds.ts'
import type { ObservedField } from '#contract/drift.ts'
import { documentedField } from '#core/drift/documented.ts'
import { shapeWord } from '#core/drift/report.ts'
import { lastName } from '#core/json/pointer.ts'
import { copyAction } from '@/shared/actions/made.ts'
import { alike } from '@/shared/body/event-fields.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { type Cell, type Column, Table } from '@/shared/components/table.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { deliveryActions, filterActions, filterSubmenus } from '@/shared/deliveries/value-actions.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { asValue, pathOf } from '@/shared/live/filter-edit.ts'
import styles from './field-table.module.css'

const TIMES = 'ml-4 text-fg-3 font-ui font-normal text-xs leading-[1.4] tabular-nums'
/** Values shown per field; the tooltip has the others. */
const VALUES_SHOWN = 4

/** Values that a field's menu offers as filters. */
const MENU_VALUES = 8

export interface FieldTableProps {
  readonly kind: Kind
  readonly fields: readonly ObservedField[]
  /** Shows full pointers instead of indented names, because rows are filtered out. */
  readonly flat: boolean
}

export function FieldTable({ kind, fields, flat }: FieldTableProps) {
  const { t } = useTranslation('drift')
  const format = useFormat()
  const language = useLanguage()
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
  const { t } = useTranslation('drift')
  const language = useLanguage()
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
  const { t } = useTranslation('drift')
  const format = useFormat()
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
