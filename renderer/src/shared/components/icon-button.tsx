import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './icon-button.module.css'
import { tip } from './tip.ts'

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label' | 'children'> {
  /** Accessible name, shown as the tooltip too. */
  readonly label: string
  readonly kbd?: string
  readonly icon: ReactNode
  /** Makes it a toggle button. */
  readonly pressed?: boolean
  readonly small?: boolean
}

export function IconButton(props: IconButtonProps) {
  const { label, kbd, icon, pressed, small, className, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      {...tip({ content: label, kbd })}
      aria-label={label}
      aria-pressed={pressed}
      className={cx(styles.button, small && styles.small, className)}
    >
      {icon}
    </button>
  )
}
