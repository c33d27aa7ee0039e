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
    <span
      className={cx(
        styles.tag,
        'inline-block px-4 py-1 border border-line-strong rounded-4 whitespace-nowrap',
        styles[tone],
      )}
      title={title}
    >
      {children}
    </span>
  )
}
