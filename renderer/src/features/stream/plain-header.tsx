// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { type ColumnId, columnNamed } from '@/shared/deliveries/columns.ts'
import { useSort } from '@/shared/deliveries/list.ts'
import { directionOf, sortKeyOf } from './column-sort.ts'
import styles from './grid-header.module.css'

export function HeadingName({ id, sorted }: { readonly id: ColumnId; readonly sorted: Direction }) {
  const { t } = useTranslation('stream')
  return (
    <>
      {/* In Spanish its name takes more room than what stands under it. */}
      <span>{t(id === 'endpoint' ? 'endpointHeading' : `column.${id}`)}</span>
      {sorted === 'descending' ? <ArrowDown aria-hidden="true" /> : null}
      {sorted === 'ascending' ? <ArrowUp aria-hidden="true" /> : null}
    </>
  )
}
type Direction = ReturnType<typeof directionOf>

/** The headings of the first draw, pixel by pixel as those of grid-header.tsx, which come with menus and handles. */
export function PlainHeader({ visible }: { readonly visible: readonly ColumnId[] }) {
  const { t } = useTranslation('stream')
  const sort = useSort()
  return (
    <div role="rowgroup" className={styles.header}>
      <div role="row" aria-rowindex={1} style={{ display: 'contents' }}>
        {visible.map((id, i) => (
          <div
            key={id}
            role="columnheader"
            aria-label={t(`column.${id}`)}
            aria-colindex={i + 1}
            aria-sort={directionOf(sort, sortKeyOf(id))}
            className={cx(
              styles.heading,
              'relative flex items-center min-w-0 h-full',
              columnNamed(id)?.end && styles.end,
            )}
          >
            <span className={styles.name}>
              <HeadingName id={id} sorted={directionOf(sort, sortKeyOf(id))} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
