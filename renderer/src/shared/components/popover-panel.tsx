import { Popover } from 'radix-ui'
import { cx } from './cx.ts'

/** Container of menus and tooltips: inside the main landmark, because all content of the page must be inside a landmark. */
export const floatingLayer = (): HTMLElement | null => document.querySelector('main')

export interface PopoverPanelProps
  extends Pick<Popover.PopoverContentProps, 'children' | 'onEscapeKeyDown' | 'onOpenAutoFocus'> {
  readonly label: string
  /** Sets `--wide` and `--tall`, which the panel never exceeds. */
  readonly className: string
}

export function PopoverPanel({ label, className, ...content }: PopoverPanelProps) {
  return (
    <Popover.Portal container={floatingLayer()}>
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
        {...content}
      />
    </Popover.Portal>
  )
}
