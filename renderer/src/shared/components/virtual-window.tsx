import type { ReactNode } from 'react'
import type { VirtualRows } from './use-virtual-rows.ts'

export interface VirtualWindowProps {
  readonly rows: VirtualRows
  /** From `rows.first` up to `rows.past`. */
  readonly children: ReactNode
}

/** The rows that are drawn, where they stand among all that the scroller has room for. */
export function VirtualWindow({ rows, children }: VirtualWindowProps) {
  return (
    <div role="presentation" className="relative" style={{ height: rows.height }}>
      <div
        role="presentation"
        className="absolute inset-x-0 top-0 will-change-transform"
        style={{ transform: `translateY(${rows.top}px)` }}
      >
        {children}
      </div>
    </div>
  )
}
