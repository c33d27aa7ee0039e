import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Kbd } from './action-keys.tsx'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger'

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly variant?: ButtonVariant
  /** Drawn before the words, 14 px. */
  readonly icon?: ReactNode
  /** The key that does the same, as a hint; the shortcut itself is the screen's. */
  readonly kbd?: string
  /** Shows a spinner and takes no second press, but keeps the focus where it was. */
  readonly busy?: boolean
  readonly small?: boolean
}

export function Button(props: ButtonProps) {
  const { variant = 'default', icon, kbd, busy = false, small, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={cx(styles.button, styles[variant], small && styles.small, className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
      {kbd === undefined ? null : <Kbd>{kbd}</Kbd>}
    </button>
  )
}
