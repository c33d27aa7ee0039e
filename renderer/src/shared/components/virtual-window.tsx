import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import type { VirtualRows } from './use-virtual-rows.ts'

export interface VirtualWindowProps {
  readonly rows: VirtualRows
  /** Without it rows are as wide as the scroller. */
  readonly className?: string
  readonly children: ReactNode
}

/** Places the drawn rows inside the full scroll height. */
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
