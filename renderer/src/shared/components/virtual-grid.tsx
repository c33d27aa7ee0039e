// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
} from 'react'
import { cx } from './cx.ts'
import { rowFor, useListSteps } from './list-steps.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import styles from './virtual-grid.module.css'
import { VirtualWindow } from './virtual-window.tsx'

/** More is read before one has reached the end of what is there. */
const AHEAD = 60

export interface VirtualGridRow {
  /** Stays with what the row shows while others come in before it; its place, where nothing is known of it yet. */
  readonly key: string | number
  readonly selected: boolean
  readonly className?: string | undefined
  /** Absent while there is nothing to open. */
  readonly onClick?: ((event: MouseEvent) => void) | undefined
  /** One `gridcell` a column. */
  readonly cells: ReactNode
}

export interface VirtualGridProps {
  readonly label: string
  /** Sets `--columns`, `--gap` and `--least` of every row. */
  readonly className: string | undefined
  /** `--columns`, where the class does not set it. */
  readonly tracks?: string
  /** Rows that can be gone to. */
  readonly count: number
  /** Rows there are, where more than `count` are still to be read. */
  readonly total?: number
  readonly rowPx: number
  /** Height of the heading, 0 without one. */
  readonly headPx?: number
  /** One `columnheader` a column. */
  readonly head?: ReactNode
  /** Stands in for the rows when there are none. */
  readonly none?: ReactNode
  readonly columns?: number
  readonly multiselectable?: boolean
  /** The row pointed at, which keys go on from; -1: none yet. */
  readonly at: number
  readonly onPoint: (index: number) => void
  /** Any key without a modifier, before it goes anywhere. @returns whether it meant something */
  readonly onKey: (key: string) => boolean
  /** What is drawn: the first row, and the one past the last. */
  readonly onDrawn?: (first: number, past: number) => void
  /** The end of `count` is near. */
  readonly onMore?: () => void
  readonly row: (index: number) => VirtualGridRow | null
  readonly ref?: RefObject<HTMLDivElement | null> | undefined
}

/** Any number of rows of one height, of which only those in view exist; one tab stop, gone through by arrows, j and k, pages and ends. */
export function VirtualGrid(props: VirtualGridProps) {
  const {
    label,
    className,
    tracks,
    count,
    total = count,
    rowPx,
    headPx = 0,
    head,
    none,
    columns,
    multiselectable,
  } = props
  const { at, onPoint, onKey, onDrawn, onMore, row: rowAt, ref } = props
  const id = useId()
  const rows = useVirtualRows({ count, rowPx, headerPx: headPx })
  const { scroller, first, past } = rows
  const held = useCallback(
    (element: HTMLDivElement) => {
      if (ref) ref.current = element
      const release = scroller(element)
      return () => {
        if (ref) ref.current = null
        release()
      }
    },
    [ref, scroller],
  )
  useEffect(() => onDrawn?.(first, past), [onDrawn, first, past])
  useEffect(() => {
    if (past + AHEAD >= count) onMore?.()
  }, [onMore, past, count])
  const take = (key: string): boolean => {
    if (onKey(key)) return true
    const next = rowFor(key, at, rows.pageRows, count)
    if (next === undefined) return false
    onPoint(next)
    rows.reveal(next)
    return true
  }
  const press = (event: KeyboardEvent) => {
    // A button in the heading has keys of its own.
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    if (take(event.key)) event.preventDefault()
  }
  const steps = useListSteps(take)
  const heads = head === undefined ? 0 : 1
  const current = at >= first && at < past ? rowAt(at) : null
  const drawn = Array.from({ length: Math.max(0, past - first) }, (_, i) => first + i)
  return (
    <div
      ref={held}
      role="grid"
      data-steps={steps}
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + heads}
      aria-colcount={columns}
      aria-multiselectable={multiselectable}
      aria-activedescendant={current ? `${id}-${current.key}` : undefined}
      className={cx(styles.scroller, className)}
      style={tracks === undefined ? undefined : { ['--columns' as string]: tracks }}
      onKeyDown={press}
    >
      {heads === 0 ? null : (
        <div role="row" aria-rowindex={1} className={cx(styles.row, styles.head)} style={{ height: headPx }}>
          {head}
        </div>
      )}
      {none}
      <VirtualWindow rows={rows}>
        {drawn.map((index) => {
          const row = rowAt(index)
          if (!row) return null
          const { key, selected, className: look, onClick, cells } = row
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the grid's
            <div
              key={key}
              id={`${id}-${key}`}
              role="row"
              data-key={key}
              aria-rowindex={index + 1 + heads}
              aria-selected={selected}
              className={cx(styles.row, selected && styles.selected, index === at && styles.current, look)}
              style={{ height: rowPx }}
              onClick={onClick}
            >
              {cells}
            </div>
          )
        })}
      </VirtualWindow>
    </div>
  )
}
