import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

/** Where menus and tooltips are put: inside the main landmark, as everything on the page has to be inside one. */
export const floatingLayer = (): HTMLElement | null => document.querySelector('main')

export interface PopoverPanelProps {
  readonly label: string
  /** Sets `--wide` and `--tall`, which the panel never exceeds. */
  readonly className: string | undefined
  readonly container?: HTMLElement | null
  /** Esc closes the panel unless this prevents it. */
  readonly onEscape?: ((event: KeyboardEvent) => void) | undefined
  readonly children: ReactNode
}

export function PopoverPanel({ label, className, container, onEscape, children }: PopoverPanelProps) {
  return (
    <Popover.Portal container={container}>
      <Popover.Content
        className={cx(
          'z-float flex flex-col w-[min(var(--wide),calc(100vw_-_16px))]',
          'max-h-[min(var(--radix-popover-content-available-height),var(--tall))] border border-line-strong',
          'rounded-10 bg-panel shadow-float',
          className,
        )}
        align="end"
        sideOffset={6}
        collisionPadding={8}
        aria-label={label}
        onEscapeKeyDown={onEscape}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  )
}
