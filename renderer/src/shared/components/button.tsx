import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Kbd } from './action-keys.tsx'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

const BUTTON = cx(
  'inline-flex items-center justify-center gap-6 border rounded whitespace-nowrap cursor-default',
  'select-none [transition:background-color_var(--ease),border-color_var(--ease),color_var(--ease)]',
  '[&_svg]:flex-none [&_svg]:size-14',
  'forced-colors:disabled:border-[GrayText] forced-colors:disabled:text-[GrayText]',
)
const DISABLED = 'disabled:border-line disabled:bg-sunken disabled:text-fg-3'
const VARIANTS = {
  default: cx('border-line-strong bg-panel text-fg hover:bg-hover active:bg-sunken', DISABLED),
  primary: cx(
    'border-transparent bg-accent text-on-accent',
    'hover:bg-[color-mix(in_srgb,var(--accent)_90%,var(--text))]',
    'active:bg-[color-mix(in_srgb,var(--accent)_80%,var(--text))]',
    '[&_kbd]:border-[color-mix(in_srgb,currentColor_45%,transparent)] [&_kbd]:text-inherit',
    'forced-colors:border-[ButtonText]',
    DISABLED,
  ),
  quiet: cx(
    'border-transparent bg-transparent text-fg-2 hover:bg-hover hover:text-fg active:bg-sunken',
    'disabled:bg-transparent disabled:text-fg-3',
  ),
  danger: cx(
    'border-line-strong bg-panel text-invalid',
    'hover:border-[color-mix(in_srgb,var(--invalid)_45%,var(--line-strong))]',
    'hover:bg-[color-mix(in_srgb,var(--invalid)_9%,var(--panel))]',
    DISABLED,
  ),
} as const
export type ButtonVariant = keyof typeof VARIANTS

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  readonly variant?: ButtonVariant
  readonly icon?: ReactNode
  /** Key hint only; the screen handles the shortcut. */
  readonly kbd?: string
  /** Shows a spinner and ignores clicks, but keeps the focus. */
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
      className={cx(
        BUTTON,
        small ? 'h-22 px-7 py-0 chip-xs' : 'h-control px-10 py-0 chip-s',
        VARIANTS[variant],
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
      {kbd === undefined ? null : <Kbd>{kbd}</Kbd>}
    </button>
  )
}
