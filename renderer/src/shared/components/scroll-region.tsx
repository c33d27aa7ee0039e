import type { ReactNode } from 'react'

export interface ScrollRegionProps {
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
