import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

export const CARD = 'grid grid-cols-1 gap-12 px-16 pt-14 pb-16 border border-line rounded-10 bg-panel'

export interface SectionCardProps {
  /** Id of the heading; it makes the heading focusable and a link target. */
  readonly id?: string
  readonly title: string
  /** Heading level: 3 below a heading of its part of the screen. */
  readonly level?: 2 | 3
  readonly text?: ReactNode | undefined
  readonly actions?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function SectionCard({ id, title, level = 2, text, actions, className, children }: SectionCardProps) {
  const own = useId()
  const heading = id ?? own
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={cx(CARD, className)} aria-labelledby={heading}>
      <div>
        <div className="flex items-center justify-between gap-12">
          <Heading
            id={heading}
            className={
              level === 2
                ? 'rounded-4 heading-l leading-28 scroll-mt-24 focus-visible:outline-offset-0'
                : 'heading-m'
            }
            {...(id === undefined ? {} : { tabIndex: -1 })}
          >
            {title}
          </Heading>
          {actions}
        </div>
        {text === undefined ? null : (
          <p className="max-w-[72ch] text-fg-2 text-s leading-[1.5] text-pretty">{text}</p>
        )}
      </div>
      {children}
    </section>
  )
}
