import type { ReactNode } from 'react'
import type { VirtualRows } from './use-virtual-rows.ts'
import styles from './virtual-window.module.css'

export interface VirtualWindowProps {
  readonly rows: VirtualRows
  /** From `rows.first` up to `rows.past`. */
  readonly children: ReactNode
}

/** The rows that are drawn, where they stand among all that the scroller has room for. */
export function VirtualWindow({ rows, children }: VirtualWindowProps) {
  return (
    <div role="presentation" className={styles.all} style={{ height: rows.height }}>
      <div role="presentation" className={styles.drawn} style={{ transform: `translateY(${rows.top}px)` }}>
        {children}
      </div>
    </div>
  )
}
