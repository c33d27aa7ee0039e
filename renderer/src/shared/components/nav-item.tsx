import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface NavItemProps {
  readonly label: string
  readonly on?: boolean
  readonly onClick: () => void
  readonly children?: ReactNode
}

export function NavItem({ label, on = false, onClick, children }: NavItemProps) {
  return (
    <button
      type="button"
      className={cx(
        'flex items-center gap-7 w-full h-28 px-8 py-0 border-0 rounded body-m leading-none text-left whitespace-nowrap cursor-default',
        on
          ? 'bg-accent-weak text-accent-text font-medium forced-colors:outline forced-colors:outline-[Highlight]'
          : 'bg-transparent text-fg-2 hover:bg-hover hover:text-fg',
      )}
      aria-current={on ? 'true' : undefined}
      onClick={onClick}
    >
      <span className="flex-1 overflow-hidden text-ellipsis leading-[1.3]">{label}</span>
      {children}
    </button>
  )
}
