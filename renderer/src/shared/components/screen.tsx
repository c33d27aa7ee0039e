import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface ScreenProps {
  readonly title: string
  readonly bar: ReactNode
  readonly className?: string | undefined
  /** One element, which fills the remaining space. */
  readonly children: ReactNode
}

/** The top bar of a screen: its name and the actions for the whole screen. */
export function ScreenBar({ title, className, children }: Omit<ScreenProps, 'bar'>) {
  return (
    <header
      className={cx(
        'relative z-float flex flex-wrap items-center gap-x-10 gap-y-6 min-h-bar px-12 py-7 border-b border-line bg-panel',
        className,
      )}
    >
      <h1 className="mr-6 heading-l tracking-[-0.01em]">{title}</h1>
      {children}
    </header>
  )
}

export function Screen({ title, bar, className, children }: ScreenProps) {
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 h-full min-w-0 min-h-0 bg-bg">
      <ScreenBar {...{ title, className }}>{bar}</ScreenBar>
      {children}
    </div>
  )
}

interface ScrollRegionProps {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A scrolling region with a tab stop of its own, so that keyboard users can scroll it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  )
}
