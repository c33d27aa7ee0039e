// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentSort } from '#contract/documents.ts'
import { cx } from '@/components/cx.ts'
import { useVirtualRows } from '@/components/use-virtual-rows.ts'
import { DocumentCells } from './document-cells.tsx'
import styles from './documents.module.css'
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

/** The row that a key goes to from the one pointed at (-1: none yet); undefined for keys that go nowhere. */
function targetOf(key: string, at: number, page: number, total: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: total - 1,
  }
  return steps[key]
}

export interface DocumentsGridProps {
  readonly rows: DocumentRows
  readonly sort: DocumentsQuery['sort']
  readonly onSort: (sort: DocumentsQuery['sort']) => void
  /** Key of the document that is open. */
  readonly open: string | null
  readonly onOpen: (key: string | null) => void
  /** Enter on the document that is open already. */
  readonly onEnter: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** One document a row, in the order of a column. */
export function DocumentsGrid({ rows, sort, onSort, open, onOpen, onEnter, ref }: DocumentsGridProps) {
  const { t } = useTranslation('documents')
  const [at, setAt] = useState(-1)
  const total = rows.total ?? 0
  const virtual = useVirtualRows({ count: total, rowPx: ROW, headerPx: ROW })
  const { scroller, first, past } = virtual
  const held = useCallback(
    (element: HTMLDivElement | null) => {
      ref.current = element
      scroller(element)
    },
    [ref, scroller],
  )
  const { want } = rows
  useEffect(() => want(first, past), [want, first, past])
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const row = rows.row(at)
    if (event.key === 'Enter') {
      if (!row) return
      if (open === row.key) onEnter()
      else onOpen(row.key)
    } else if (event.key === 'Escape') {
      if (open === null) return
      onOpen(null)
    } else {
      const target = targetOf(event.key, at, virtual.pageRows, total)
      if (target === undefined || total === 0) return
      const next = Math.max(0, Math.min(total - 1, target))
      setAt(next)
      virtual.reveal(next)
      const found = rows.row(next)
      if (open !== null && found) onOpen(found.key)
    }
    event.preventDefault()
  }
  const rowId = (index: number) => `document-row-${index}`
  const shown = Array.from({ length: Math.max(0, past - first) }, (_, i) => first + i)
  return (
    <div
      ref={held}
      role="grid"
      tabIndex={0}
      aria-label={t('grid')}
      aria-rowcount={total + 1}
      aria-activedescendant={at >= first && at < past ? rowId(at) : undefined}
      className={styles.scroller}
      onKeyDown={press}
    >
      <div role="row" aria-rowindex={1} className={cx(styles.row, styles.head)}>
        {COLUMNS.map((column) => {
          const on = sort.by === column
          return (
            <span
              key={column}
              role="columnheader"
              aria-sort={on ? (sort.descending ? 'descending' : 'ascending') : 'none'}
              className={cx(AT_END.has(column) && styles.end)}
            >
              <button
                type="button"
                onClick={() =>
                  onSort({ by: column, descending: on ? !sort.descending : DESCENDING_FIRST.has(column) })
                }
              >
                {t(`column.${column}`)}
                {on ? (
                  sort.descending ? (
                    <ArrowDown aria-hidden="true" />
                  ) : (
                    <ArrowUp aria-hidden="true" />
                  )
                ) : null}
              </button>
            </span>
          )
        })}
      </div>
      <div className={styles.rows} role="presentation" style={{ height: virtual.height }}>
        <div
          className={styles.window}
          role="presentation"
          style={{ transform: `translateY(${virtual.top}px)` }}
        >
          {shown.map((index) => {
            const row = rows.row(index)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the grid's
              <div
                key={index}
                id={rowId(index)}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={row !== undefined && row.key === open}
                className={cx(
                  styles.row,
                  row && row.key === open && styles.open,
                  index === at && styles.current,
                )}
                onClick={
                  row
                    ? () => {
                        setAt(index)
                        onOpen(row.key)
                      }
                    : undefined
                }
              >
                <DocumentCells entry={row} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
