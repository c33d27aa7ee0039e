import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './screen.module.css'

export interface ScreenProps {
  readonly title: string
  /** Beside the title. */
  readonly bar: ReactNode
  /** Of the bar. */
  readonly className?: string | undefined
  /** One element, which takes the room that is left. */
  readonly children: ReactNode
}

/** A screen: its name and what can be done with the whole of it, above all else. */
export function Screen({ title, bar, className, children }: ScreenProps) {
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 h-full min-w-0 min-h-0 bg-bg">
      <header className={cx(styles.bar, className)}>
        <h1>{title}</h1>
        {bar}
      </header>
      {children}
    </div>
  )
}
