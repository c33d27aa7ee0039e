import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './nav-item.module.css'

export interface NavItemProps {
  readonly label: string
  /** Whether it is what is shown. */
  readonly on?: boolean
  readonly onClick: () => void
  /** What it has to say of itself: a count, a lamp. */
  readonly children?: ReactNode
}

/** One part of a screen, in the list of its parts. */
export function NavItem({ label, on = false, onClick, children }: NavItemProps) {
  return (
    <button
      type="button"
      className={cx(styles.item, on && styles.on)}
      aria-current={on ? 'true' : undefined}
      onClick={onClick}
    >
      <span className="flex-1 overflow-hidden text-ellipsis leading-[1.3]">{label}</span>
      {children}
    </button>
  )
}
