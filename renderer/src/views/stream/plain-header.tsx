// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/components/cx.ts'
import { type ColumnId, isEnd } from './columns.ts'
import styles from './grid-header.module.css'

/** The list is sorted by time, and by nothing else. */
export function HeadingName({ id }: { readonly id: ColumnId }) {
  const { t } = useTranslation('stream')
  return (
    <>
      <span>{t(`column.${id}`)}</span>
      {id === 'time' ? <ArrowDown aria-hidden="true" /> : null}
    </>
  )
}

/** The headings of the first draw, pixel by pixel as those of grid-header.tsx, which come with menus and handles. */
export function PlainHeader({ visible }: { readonly visible: readonly ColumnId[] }) {
  const { t } = useTranslation('stream')
  return (
    <div role="rowgroup" className={styles.header}>
      <div role="row" aria-rowindex={1} style={{ display: 'contents' }}>
        {visible.map((id, i) => (
          <div
            key={id}
            role="columnheader"
            aria-label={t(`column.${id}`)}
            aria-colindex={i + 1}
            {...(id === 'time' ? { 'aria-sort': 'descending' as const } : {})}
            className={cx(styles.heading, isEnd(id) && styles.end)}
          >
            <span className={styles.name}>
              <HeadingName id={id} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
