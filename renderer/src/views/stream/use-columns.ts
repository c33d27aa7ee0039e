import { useEffect, useMemo, useState } from 'react'
import { remember, remembered } from '@/stores/remembered.ts'
import { type ColumnLayout, moved, readLayout, USUAL_LAYOUT } from './column-layout.ts'
import { type ColumnId, columnNamed, NARROWEST, WIDEST } from './columns.ts'

const KEY = 'columns'

/** Columns as they stand, with what changes them; every change is remembered. */
export function useColumns() {
  const [layout, setLayout] = useState(() => remembered(KEY, readLayout, USUAL_LAYOUT))
  useEffect(() => {
    if (layout !== USUAL_LAYOUT) remember(KEY, layout)
  }, [layout])
  const change = (part: Partial<ColumnLayout>) => setLayout((was) => ({ ...was, ...part }))
  const visible = useMemo(
    () => layout.order.filter((id) => !layout.hidden.includes(id)),
    [layout.order, layout.hidden],
  )
  const widthOf = (id: ColumnId): number => layout.widths[id] ?? columnNamed(id)?.width ?? 100
  const template = visible
    .map((id, i) => (i === visible.length - 1 ? `minmax(${widthOf(id)}px, 1fr)` : `${widthOf(id)}px`))
    .join(' ')
  return {
    layout,
    change,
    visible,
    hidden: layout.hidden,
    order: layout.order,
    /** For `grid-template-columns`. */
    template,
    setVisible: (id: ColumnId, shown: boolean) => {
      if (shown || visible.length > 1)
        change({ hidden: shown ? layout.hidden.filter((h) => h !== id) : [...layout.hidden, id] })
    },
    widen: (id: ColumnId, by: number) => {
      const width = Math.max(NARROWEST, Math.min(WIDEST, widthOf(id) + by))
      change({ widths: { ...layout.widths, [id]: width } })
    },
    widthOf,
    move: (id: ColumnId, target: ColumnId) => change({ order: moved(layout.order, id, target) }),
    /** Moves among the visible columns; @returns the new place from 1, or undefined at the edge */
    nudge: (id: ColumnId, by: -1 | 1): number | undefined => {
      const target = visible[visible.indexOf(id) + by]
      if (!target) return undefined
      change({ order: moved(layout.order, id, target) })
      return visible.indexOf(target) + 1
    },
    reset: () => setLayout({ ...USUAL_LAYOUT }),
  }
}
export type Columns = ReturnType<typeof useColumns>
