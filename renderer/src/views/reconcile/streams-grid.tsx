// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncRoute } from '#contract/reconcile.ts'
import { cx } from '@/components/cx.ts'
import { useVirtualRows } from '@/components/use-virtual-rows.ts'
import { DocumentCells } from './document-cells.tsx'
import styles from './streams-grid.module.css'
import type { Rows } from './use-rows.ts'

const ROW = 28
const HEAD = 28

export interface StreamsGridProps {
  readonly rows: Rows
  readonly route: SyncRoute
  /** IANA name: whose days are shown. */
  readonly zone: string
  /** Whether something keeps documents from being shown. */
  readonly filtered: boolean
  /** Key of the document that is open. */
  readonly open: string | null
  readonly chosen: ReadonlySet<string>
  readonly onOpen: (key: string | null) => void
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  /** Enter on the document that is open already. */
  readonly onEnter: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

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

/** Both streams beside each other, one document a row: what was captured, what the service has, and why they are not the same. */
export function StreamsGrid(props: StreamsGridProps) {
  const { rows, route, zone, filtered, open, chosen, onOpen, onChoose, onEnter, ref } = props
  const { t } = useTranslation('reconcile')
  const [at, setAt] = useState(-1)
  const total = rows.total ?? 0
  const virtual = useVirtualRows({ count: total, rowPx: ROW, headerPx: HEAD })
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
  const go = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index))
    setAt(next)
    virtual.reveal(next)
    const row = rows.row(next)
    if (open !== null && row) onOpen(row.key)
  }
  const toggle = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose(next)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows.row(at)
    if (event.key === 'Enter') {
      if (!row) return
      if (open === row.key) onEnter()
      else onOpen(row.key)
    } else if (event.key === 'Escape') {
      if (open !== null) onOpen(null)
      else if (chosen.size > 0) onChoose(new Set())
      else return
    } else if (event.key === 'x' || event.key === ' ') {
      if (row) toggle(row.key)
    } else {
      const target = targetOf(event.key, at, virtual.pageRows, total)
      if (target === undefined || total === 0) return
      go(target)
    }
    event.preventDefault()
  }
  const click = (event: MouseEvent, index: number, key: string) => {
    setAt(index)
    if (event.ctrlKey || event.metaKey) toggle(key)
    else onOpen(key)
  }
  const rowId = (index: number) => `reconcile-row-${index}`
  const shown = Array.from({ length: Math.max(0, past - first) }, (_, i) => first + i)
  return (
    <div
      ref={held}
      role="grid"
      tabIndex={0}
      aria-label={t('grid.label')}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      aria-activedescendant={at >= first && at < past ? rowId(at) : undefined}
      className={styles.scroller}
      onKeyDown={press}
    >
      <div role="row" aria-rowindex={1} className={cx(styles.row, styles.head)}>
        <span role="columnheader">{t('grid.captured')}</span>
        <span role="columnheader">
          <span className={styles.hidden}>{t('grid.status')}</span>
        </span>
        <span role="columnheader">
          <span className={styles.hidden}>{t('grid.state')}</span>
        </span>
        <span role="columnheader">{t(`form.routes.${route}`)}</span>
        <span role="columnheader">{t('grid.issued')}</span>
        <span role="columnheader" className={styles.end}>
          {t('grid.total')}
        </span>
        <span role="columnheader">{t('grid.why')}</span>
      </div>
      {total === 0 && rows.total !== null ? (
        <div role="row">
          <span role="gridcell" className={styles.none}>
            {t(filtered ? 'grid.none' : 'grid.noneAtAll')}
          </span>
        </div>
      ) : null}
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
                key={row?.key ?? index}
                id={rowId(index)}
                role="row"
                data-key={row?.key}
                aria-rowindex={index + 2}
                aria-selected={row ? chosen.has(row.key) || row.key === open : false}
                className={cx(
                  styles.row,
                  row && chosen.has(row.key) && styles.chosen,
                  row && row.key === open && styles.open,
                  index === at && styles.current,
                )}
                onClick={row ? (event) => click(event, index, row.key) : undefined}
              >
                <DocumentCells row={row} route={route} zone={zone} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
