import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './tag.module.css'

export interface TagProps {
  readonly tone?: 'neutral' | 'synthetic' | 'invalid' | 'warning' | 'accent'
  readonly title?: string
  readonly children: ReactNode
}

/** A small outlined word: duplicate, late, replayed ×2. */
export function Tag({ tone = 'neutral', title, children }: TagProps) {
  return (
    <span className={cx(styles.tag, styles[tone])} title={title}>
      {children}
    </span>
  )
}
