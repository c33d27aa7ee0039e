// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { memo } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import { cx } from '@/shared/components/cx.ts'
import { COLUMNS, type ColumnId, isEnd } from '@/shared/deliveries/columns.ts'
import { type CellText, cellOf } from './cell.tsx'
import styles from './grid.module.css'

export interface GridRowProps {
  /** Undefined while its page is on its way. */
  readonly row: DeliveryRow | undefined
  /** 0 being the newest. */
  readonly index: number
  readonly elementId: string
  readonly columns: readonly ColumnId[]
  readonly selected: boolean
  /** One of several that are chosen together. */
  readonly chosen: boolean
  readonly current: boolean
  readonly text: CellText
}

/** Widths of the bars that stand for what is not loaded, so that they look like their column and never like a pattern. */
const BARS: Readonly<Partial<Record<ColumnId, number>>> = {
  time: 84,
  kind: 120,
  document: 86,
  verdict: 48,
  tags: 40,
  answer: 24,
  size: 38,
  attempts: 16,
  took: 40,
  endpoint: 52,
  method: 32,
  path: 90,
}

const CLASSES = Object.fromEntries(
  COLUMNS.map(({ id }) => [id, cx(styles.cell, styles[id], isEnd(id) && styles.end)]),
) as Readonly<Record<ColumnId, string>>

/** Redrawn only when the delivery itself changed: while the list follows, every arrival gives every row another index. */
const Cells = memo(function Cells(props: Pick<GridRowProps, 'row' | 'columns' | 'text'>) {
  const { row, columns, text } = props
  return columns.map((column, i) => {
    const { content, title, tone } = row
      ? cellOf(column, row, text)
      : {
          content: (
            <i className="inline-block h-7 rounded-4 bg-line opacity-70" style={{ width: BARS[column] }} />
          ),
        }
    return (
      <div
        key={column}
        role="gridcell"
        aria-colindex={i + 1}
        title={title}
        className={tone === undefined ? CLASSES[column] : `${CLASSES[column]} ${tone}`}
      >
        {content}
      </div>
    )
  })
})

/** One delivery. A scroll draws forty of these a frame. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, elementId, columns, selected, chosen, current, text } = props
  return (
    <div
      role="row"
      id={elementId}
      aria-rowindex={index + 2}
      aria-selected={selected || chosen}
      aria-busy={row === undefined || undefined}
      data-index={index}
      className={cx(
        styles.row,
        selected && styles.selected,
        chosen && styles.chosen,
        current && styles.current,
        row?.rejected && styles.rejected,
      )}
    >
      <Cells row={row} columns={columns} text={text} />
    </div>
  )
})
