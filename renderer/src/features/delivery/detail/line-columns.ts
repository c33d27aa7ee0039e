import { useEffect, useMemo, useState } from 'react'
import { SUMMED_LINE_FIELDS } from '#catalog/amounts.ts'
import { type FieldSpec, LINE_FIELDS } from '#catalog/fields.ts'
import type { LineTotals } from '@/shared/body/protocol.ts'

export interface LineColumn {
  readonly name: string
  /** undefined: not in the specification. */
  readonly spec: FieldSpec | undefined
  readonly summed: boolean
  /** Mostly numbers: the column is right-aligned. */
  readonly right: boolean
  readonly width: number
}

/** Maximum columns for undocumented fields; the full view of a line shows the rest. */
const UNKNOWN_SHOWN = 12
const WIDE = 128
const WIDTHS: Readonly<Record<string, number>> = {
  LineId: 60,
  Code: 96,
  Order: 60,
  Description: 184,
  IsService: 84,
  IsExempt: 84,
  Quantity: 88,
  UnitId: 72,
  UnitPrice: 104,
  Discount: 96,
  Recharge: 96,
  NetAmount: 112,
}

const RIGHT: ReadonlySet<string> = new Set(['LineId', 'Order', 'UnitPrice', 'DiscountPercentage'])
const SUMMED: ReadonlySet<string> = new Set(SUMMED_LINE_FIELDS)

/** Fields that identify a line come first, so that a narrow pane shows them; others follow the catalogue. */
const FIRST = ['LineId', 'Code', 'Description', 'Quantity', 'UnitPrice', 'NetAmount', 'TotalTax', 'Subtotal']

const SPECS: readonly FieldSpec[] = [
  ...FIRST.flatMap((name) => LINE_FIELDS.get(name) ?? []),
  ...[...LINE_FIELDS.values()].filter(({ name }) => !FIRST.includes(name)),
]

const DOCUMENTED: readonly LineColumn[] = SPECS.map((spec) => ({
  name: spec.name,
  spec,
  summed: SUMMED.has(spec.name),
  right: SUMMED.has(spec.name) || RIGHT.has(spec.name),
  width: WIDTHS[spec.name] ?? WIDE,
}))

export function columnsOf(totals: LineTotals | null): readonly LineColumn[] {
  const unknown = (totals?.unknown ?? [])
    .slice(0, UNKNOWN_SHOWN)
    .map(({ name }) => ({ name, spec: undefined, summed: false, right: false, width: WIDE }))
  return [...DOCUMENTED, ...unknown]
}

/** Overscan per side, px, so that a short horizontal scroll shows no gap. */
const BEYOND = 240

export interface ColumnWindow {
  readonly columns: readonly LineColumn[]
  /** Number of columns before them, and their width in px. */
  readonly before: number
  readonly left: number
  readonly width: number
}

/** Visible columns: a narrow pane shows five of twenty-two, and hidden cells would be most of a scroll's cost. */
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
