import type { ReactNode } from 'react'
import { cx } from '@/shared/components/cx.ts'
import styles from './kbd.module.css'

/** A key as drawn on a keyboard. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className={cx(styles.kbd, 'px-4 py-2 border border-line rounded-4 text-fg-3 whitespace-nowrap')}>
      {children}
    </kbd>
  )
}
