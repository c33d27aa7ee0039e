// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/format.ts'
import { list } from '@/live/list.ts'
import { useCursor } from '@/stores/cursor.ts'
import { useSelection } from '@/stores/selection.ts'
import { ColumnsButton } from './columns-button.tsx'
import styles from './grid.module.css'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import { NewPill } from './new-pill.tsx'
import { useColumns } from './use-columns.ts'
import type { ListView } from './use-list-view.ts'

const rowId = (position: number): string => `delivery-${position}`

/** The live table: every delivery of the set, of which only those in view exist as elements. */
export function DeliveryGrid({ view }: { readonly view: ListView }) {
  const { t } = useTranslation(['stream', 'common'])
  const format = useFormat()
  const columns = useColumns()
  const cursor = useCursor((s) => s.cursor)
  const selected = useSelection((s) => s.id)
  const { state, follow, shown, rows, open } = view
  const [said, setSaid] = useState('')
  const text = useMemo(() => ({ t, format }), [t, format])
  const drawn: number[] = []
  for (let index = rows.first; index <= rows.last; index++) drawn.push(index)
  const current = cursor && shown - 1 - cursor.position
  const inView = current !== null && current >= rows.first && current <= rows.last
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: use-stream-keys.ts has the keys, for the whole screen */}
      <div
        role="grid"
        aria-label={t('grid')}
        aria-rowcount={shown + 1}
        aria-colcount={columns.visible.length}
        aria-busy={state.loading !== null}
        aria-activedescendant={cursor && inView ? rowId(cursor.position) : undefined}
        tabIndex={0}
        data-grid=""
        ref={rows.scroller}
        className={styles.scroller}
        style={{ ['--columns' as string]: columns.template }}
        onClick={(event) => {
          const element = (event.target as Element).closest<HTMLElement>('[data-index]')
          const position = shown - 1 - Number(element?.dataset.index ?? Number.NaN)
          const row = list.row(position)
          if (row) open(row, position)
        }}
      >
        <GridHeader columns={columns} onSay={setSaid} />
        <div role="rowgroup" className={styles.rows} style={{ height: rows.height }}>
          <div
            role="presentation"
            className={styles.window}
            style={{ transform: `translateY(${rows.top}px)` }}
          >
            {drawn.map((index) => {
              const position = shown - 1 - index
              const row = list.row(position)
              return (
                <GridRow
                  key={position}
                  row={row}
                  index={index}
                  elementId={rowId(position)}
                  columns={columns.visible}
                  selected={row !== undefined && row.id === selected}
                  current={cursor?.position === position}
                  text={text}
                />
              )
            })}
          </div>
        </div>
      </div>
      <span role="status" className={styles.said}>
        {said}
      </span>
      <ColumnsButton columns={columns} />
      {state.loading === 'switching' ? <div className={styles.switching} /> : null}
      <NewPill count={state.total - shown} paused={follow.paused} onClick={view.toNewest} />
    </div>
  )
}
