import { useEffect, useMemo, useState } from 'react'
import type { LineColumn } from './line-columns.ts'

/** px drawn beyond each edge, so that a short move sideways shows no gap. */
const BEYOND = 240

export interface ColumnWindow {
  /** Columns to draw in each row. */
  readonly columns: readonly LineColumn[]
  /** Number of columns before them, and their width in px. */
  readonly before: number
  readonly left: number
  /** Of all columns, px. */
  readonly width: number
}

/** Which columns are in sight: a narrow pane shows five of twenty-two, and hidden cells are most of the work of a scroll. */
export function useColumnWindow(scroller: HTMLElement | null, columns: readonly LineColumn[]): ColumnWindow {
  const [range, setRange] = useState({ from: 0, past: columns.length })
  useEffect(() => {
    if (!scroller) return
    const measure = () => {
      const start = scroller.scrollLeft - BEYOND
      const end = scroller.scrollLeft + scroller.clientWidth + BEYOND
      let left = 0
      let from = columns.length
      let past = 0
      columns.forEach(({ width }, index) => {
        if (left + width > start && left < end) {
          from = Math.min(from, index)
          past = index + 1
        }
        left += width
      })
      setRange((was) => (was.from === from && was.past === past ? was : { from, past }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    scroller.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', measure)
    }
  }, [scroller, columns])
  return useMemo(() => {
    const widthOf = (list: readonly LineColumn[]) => list.reduce((sum, { width }) => sum + width, 0)
    return {
      columns: columns.slice(range.from, range.past),
      before: range.from,
      left: widthOf(columns.slice(0, range.from)),
      width: widthOf(columns),
    }
  }, [columns, range])
}
