import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from './cx.ts'
import { tip } from './tip.ts'

const BUTTON = cx(
  'inline-grid flex-none place-items-center p-0 border border-transparent rounded bg-transparent',
  'text-fg-2 cursor-default [transition:background-color_var(--ease),color_var(--ease)]',
  'hover:bg-hover hover:text-fg focus-visible:outline-offset-0 disabled:bg-transparent',
  'disabled:text-fg-3 disabled:opacity-55 aria-pressed:bg-accent-weak aria-pressed:text-accent-text',
  'data-[state=open]:bg-hover data-[state=open]:text-fg',
  'forced-colors:aria-pressed:border-[Highlight]',
)

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'aria-label' | 'children'> {
  readonly label: string
  readonly kbd?: string
  readonly icon: ReactNode
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
      className={cx(BUTTON, small ? 'size-22 [&_svg]:size-14' : 'size-28 [&_svg]:size-16', className)}
    >
      {icon}
    </button>
  )
}
