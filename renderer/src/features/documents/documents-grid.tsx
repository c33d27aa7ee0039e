// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentSort } from '#contract/documents.ts'
import { cx } from '@/shared/components/cx.ts'
import { type Opening, useOpening, VirtualGrid } from '@/shared/components/virtual-grid.tsx'
import { DocumentCells } from './document-cells.tsx'
import styles from './documents-grid.module.css'
import type { DocumentRows, DocumentsQuery } from './use-documents.ts'

const ROW = 28
const COLUMNS = [
  'kind',
  'number',
  'party',
  'total',
  'status',
  'gaps',
  'events',
  'first',
  'last',
] as const satisfies readonly DocumentSort[]
const AT_END: ReadonlySet<DocumentSort> = new Set(['total', 'events'])
/** What one looks for at the top of these. */
const DESCENDING_FIRST: ReadonlySet<DocumentSort> = new Set(['total', 'events', 'gaps', 'first', 'last'])

interface Sorting {
  readonly sort: DocumentsQuery['sort']
  readonly onSort: (sort: DocumentsQuery['sort']) => void
}

/** A press sorts by a column, another one turns the order round. */
function Head({ sort, onSort }: Sorting) {
  const { t } = useTranslation('documents')
  return COLUMNS.map((column) => {
    const on = sort.by === column
    const Arrow = sort.descending ? ArrowDown : ArrowUp
    return (
      <span
        key={column}
        role="columnheader"
        aria-sort={on ? (sort.descending ? 'descending' : 'ascending') : 'none'}
        className={cx(AT_END.has(column) && 'text-end pe-6')}
      >
        <button
          type="button"
          className={styles.sort}
          onClick={() =>
            onSort({ by: column, descending: on ? !sort.descending : DESCENDING_FIRST.has(column) })
          }
        >
          {t(`column.${column}`)}
          {on ? <Arrow aria-hidden="true" /> : null}
        </button>
      </span>
    )
  })
}

export interface DocumentsGridProps extends Sorting, Opening {
  readonly rows: DocumentRows
  readonly ref: RefObject<HTMLDivElement | null>
}

/** One document a row, in the order of a column. */
export function DocumentsGrid(props: DocumentsGridProps) {
  const { rows, sort, onSort, open, onOpen, ref } = props
  const { t } = useTranslation('documents')
  const { at, setAt, point, enter } = useOpening(rows.row, props)
  const press = (key: string): boolean => {
    if (key === 'Enter') return enter()
    if (key !== 'Escape' || open === null) return false
    onOpen(null)
    return true
  }
  const click = (index: number, key: string) => {
    setAt(index)
    onOpen(key)
  }
  return (
    <VirtualGrid
      ref={ref}
      label={t('grid')}
      className={styles.grid}
      count={rows.total ?? 0}
      rowPx={ROW}
      headPx={ROW}
      head={<Head sort={sort} onSort={onSort} />}
      at={at}
      onPoint={point}
      onKey={press}
      onDrawn={rows.want}
      row={(index) => {
        const row = rows.row(index)
        const isOpen = row !== undefined && row.key === open
        return {
          key: index,
          selected: isOpen,
          className: cx(isOpen && styles.open),
          onClick: row && (() => click(index, row.key)),
          cells: <DocumentCells entry={row} />,
        }
      }}
    />
  )
}
