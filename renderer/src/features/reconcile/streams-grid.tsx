// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants

import type { MouseEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncRoute } from '#contract/reconcile.ts'
import { cx } from '@/shared/components/cx.ts'
import { type Opening, useOpening, VirtualGrid } from '@/shared/components/virtual-grid.tsx'
import { DocumentCells } from './document-cells.tsx'
import styles from './streams-grid.module.css'
import type { Rows } from './use-rows.ts'

const ROW = 28

export interface StreamsGridProps extends Opening {
  readonly rows: Rows
  readonly route: SyncRoute
  /** IANA name: whose days are shown. */
  readonly zone: string
  /** Whether something keeps documents from being shown. */
  readonly filtered: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** Both streams beside each other, one document a row: what was captured, what the service has, and why they are not the same. */
export function StreamsGrid(props: StreamsGridProps) {
  const { rows, route, zone, filtered, open, chosen, onOpen, onChoose, ref } = props
  const { t } = useTranslation('reconcile')
  const { at, setAt, point, enter } = useOpening(rows.row, props)
  const toggle = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose(next)
  }
  const letGo = (): boolean => {
    if (open !== null) onOpen(null)
    else if (chosen.size > 0) onChoose(new Set())
    else return false
    return true
  }
  const press = (key: string): boolean => {
    const row = rows.row(at)
    switch (key) {
      case 'Enter':
        return enter()
      case 'Escape':
        return letGo()
      case 'x':
      case ' ':
        if (row) toggle(row.key)
        return true
      default:
        return false
    }
  }
  const click = (event: MouseEvent, index: number, key: string) => {
    setAt(index)
    if (event.ctrlKey || event.metaKey) toggle(key)
    else onOpen(key)
  }
  return (
    <VirtualGrid
      ref={ref}
      label={t('grid.label')}
      className={styles.grid}
      count={rows.total ?? 0}
      rowPx={ROW}
      headPx={ROW}
      head={<Head route={route} />}
      none={rows.total === 0 ? <None filtered={filtered} /> : null}
      multiselectable
      at={at}
      onPoint={point}
      onKey={press}
      onDrawn={rows.want}
      row={(index) => {
        const row = rows.row(index)
        return {
          key: row?.key ?? index,
          selected: row !== undefined && (chosen.has(row.key) || row.key === open),
          onClick: row && ((event) => click(event, index, row.key)),
          cells: <DocumentCells row={row} route={route} zone={zone} />,
        }
      }}
    />
  )
}

function Head({ route }: { readonly route: SyncRoute }) {
  const { t } = useTranslation('reconcile')
  return (
    <>
      <span role="columnheader">{t('grid.captured')}</span>
      <span role="columnheader">
        <span className="visually-hidden">{t('grid.status')}</span>
      </span>
      <span role="columnheader">
        <span className="visually-hidden">{t('grid.state')}</span>
      </span>
      <span role="columnheader">{t(`form.routes.${route}`)}</span>
      <span role="columnheader">{t('grid.issued')}</span>
      <span role="columnheader" className="text-end">
        {t('grid.total')}
      </span>
      <span role="columnheader" className={cx(styles.why, 'ps-10 text-fg-2 text-s')}>
        {t('grid.why')}
      </span>
    </>
  )
}

function None({ filtered }: { readonly filtered: boolean }) {
  const { t } = useTranslation('reconcile')
  return (
    <div role="row">
      <span role="gridcell" className="block px-16 py-32 text-fg-2 text-center">
        {t(filtered ? 'grid.none' : 'grid.noneAtAll')}
      </span>
    </div>
  )
}
