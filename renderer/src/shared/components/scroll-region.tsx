import type { ReactNode } from 'react'

export interface ScrollRegionProps {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A part that scrolls by itself: a stop of Tab, so that the keyboard reaches all of it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  )
}
