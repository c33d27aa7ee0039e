import type { ReactNode } from 'react'
import styles from './kbd.module.css'

/** A key as drawn on a keyboard. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return <kbd className={styles.kbd}>{children}</kbd>
}
