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
