import { useTranslation } from 'react-i18next'
import type { Kind } from '#catalog/kinds.ts'
import type { ObservedField, Sighting } from '#contract/drift.ts'
import { documentedField } from '#core/drift/documented.ts'
import { shapeWord } from '#core/drift/words.ts'
import { lastName } from '#core/json/pointer.ts'
import { alike } from '@/shared/body/event-fields.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import styles from './field-table.module.css'

const COLUMNS = ['field', 'shapes', 'values', 'share', 'since', 'last'] as const
/** Values shown of a field; the others stand in the hint. */
const VALUES_SHOWN = 4

export interface FieldTableProps {
  readonly kind: Kind
  readonly fields: readonly ObservedField[]
  /** With whole pointers instead of indented names: some are left out. */
  readonly flat: boolean
}

/** One row for each place, with what ever stood there. */
export function FieldTable({ kind, fields, flat }: FieldTableProps) {
  const { t } = useTranslation('drift')
  return (
    <ScrollRegion
      className="flex-1 min-h-0 overflow-auto outline-none focus-visible:focus-inset"
      label={t('table', { kind })}
    >
      <table className="block min-w-820 [&_thead]:block [&_tbody]:block [&_th]:font-normal [&_th]:text-start [&_thead]:sticky [&_thead]:z-header [&_thead]:top-0">
        <thead>
          <tr
            className={cx(
              styles.row,
              'grid items-center gap-10 min-h-28 px-14 py-3 border-b border-line-soft text-fg-2 text-s',
              styles.titles,
            )}
          >
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <Row key={field.place} {...{ kind, field, flat }} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Row(props: { readonly kind: Kind; readonly field: ObservedField; readonly flat: boolean }) {
  const { kind, field, flat } = props
  const { t } = useTranslation('drift')
  const format = useFormat()
  const language = useLanguage()
  const { place, documented, n, of, shapes } = field
  const name = lastName(place)
  const label = documentedField(kind, place)?.label[language]
  const depth = flat ? 0 : Math.min(6, place.split('/').length - 2)
  return (
    <tr
      className={cx(
        styles.row,
        'grid items-center gap-10 min-h-28 px-14 py-3 border-b border-line-soft text-fg-2 text-s',
        !documented && styles.undocumented,
      )}
    >
      <th
        scope="row"
        className={cx(
          styles.name,
          'flex flex-wrap items-baseline gap-x-7 gap-y-0 text-fg wrap-anywhere [&_small]:text-fg-3 [&_small]:text-xs',
        )}
        style={{ paddingInlineStart: depth * 14 }}
        title={place}
      >
        <Captured text={flat ? place : name} mono most={120} />
        {label === undefined || alike(label, name) ? null : <small>{label}</small>}
        {documented ? null : <Tag tone="accent">{t('notDocumented')}</Tag>}
        {field.absentSince === null ? null : (
          <small>{t('absentSince', { when: format.day(field.absentSince) })}</small>
        )}
      </th>
      <td className="flex flex-wrap items-baseline gap-x-9 gap-y-1">
        {shapes.map((shape) => (
          <span
            key={`${shape.type}${shape.format}`}
            title={t('counted', { formatted: format.number(shape.n) })}
          >
            {shapeWord(shape, language)}
            {shapes.length > 1 ? <span className={styles.times}>{format.compact(shape.n)}</span> : null}
          </span>
        ))}
      </td>
      <Values field={field} />
      <td className="[&_small]:text-fg-3 [&_small]:text-xs tabular-nums whitespace-nowrap [&_small]:ml-6">
        {n === of ? '100 %' : `${percent(n, of)} %`}
        <small title={t('share', { n: format.number(n), of: format.number(of) })}>{format.compact(n)}</small>
      </td>
      <When at={field.firstAt} id={field.firstId} label={(id) => t('openFirst', { id })} />
      <When at={field.lastAt} id={field.lastId} label={(id) => t('openLast', { id })} />
    </tr>
  )
}

/** Never 100 for a field that was missing once, nor 0 for one that was present once. */
const percent = (n: number, of: number): number =>
  Math.min(99, Math.max(1, Math.round((100 * n) / Math.max(of, 1))))

function Values({ field }: { readonly field: ObservedField }) {
  const { t } = useTranslation('drift')
  const format = useFormat()
  const { values, manyValues } = field
  const counted = (value: Sighting & { readonly value: string }) =>
    `${value.value} (${format.number(value.n)}, ${t('since', { when: format.moment(value.firstAt) })})`
  const rest = values.slice(VALUES_SHOWN)
  return (
    <td
      className="[&_small]:text-fg-3 [&_small]:text-xs flex flex-wrap items-baseline gap-x-9 gap-y-1 [&_code]:text-fg [&_code]:code-xs"
      title={values.map(counted).join('\n')}
    >
      {manyValues ? <small>{t('manyValues')}</small> : null}
      {values.slice(0, VALUES_SHOWN).map(({ value, n }) => (
        <code key={value}>
          <Captured text={value} most={44} />
          <span className={styles.times}>{format.compact(n)}</span>
        </code>
      ))}
      {rest.length > 0 ? (
        <small>
          {t('moreValues', {
            formatted: format.number(rest.length),
            values: rest.map(({ value }) => value).join(', '),
          })}
        </small>
      ) : null}
    </td>
  )
}

/** A time that leads to its delivery, while that is stored. */
function When(props: {
  readonly at: number
  readonly id: number | null
  readonly label: (id: number) => string
}) {
  const { at, id, label } = props
  const { t } = useTranslation('drift')
  const format = useFormat()
  return (
    <td className={cx(styles.when, 'tabular-nums whitespace-nowrap text-fg-3')}>
      {id === null ? (
        <span title={`${format.instant(at)} · ${t('gone')}`}>{format.moment(at)}</span>
      ) : (
        <button
          type="button"
          title={format.instant(at)}
          aria-label={label(id)}
          onClick={() => void openDelivery(id, null)}
        >
          {format.moment(at)}
        </button>
      )}
    </td>
  )
}
