import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import type { VirtualRows } from './use-virtual-rows.ts'

export interface VirtualWindowProps {
  readonly rows: VirtualRows
  /** Without it all rows are as wide as the scroller. */
  readonly className?: string
  readonly children: ReactNode
}

/** The rows that are drawn, where they stand among all that the scroller has room for. */
export function VirtualWindow({ rows, className, children }: VirtualWindowProps) {
  return (
    <div role="presentation" className={cx('relative', className)} style={{ height: rows.height }}>
      <div
        role="presentation"
        className={cx('will-change-transform', className === undefined && 'absolute inset-x-0 top-0')}
        style={{ transform: `translateY(${rows.top}px)` }}
      >
        {children}
      </div>
    </div>
  )
}
