import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import styles from './section-card.module.css'

export interface SectionCardProps {
  /** Id of the heading; with it the heading can be gone to and takes the focus. */
  readonly id?: string
  readonly title: string
  /** 3 where the card stands under a heading of its own screen part. */
  readonly level?: 2 | 3
  /** What it is for, in a sentence or two. */
  readonly text?: ReactNode | undefined
  /** Beside the heading. */
  readonly actions?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A card with a heading: one subject of a screen. */
export function SectionCard({ id, title, level = 2, text, actions, className, children }: SectionCardProps) {
  const own = useId()
  const heading = id ?? own
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={cx(styles.card, className)} aria-labelledby={heading}>
      <div>
        <div className={cx(styles.head, 'flex items-center justify-between gap-12 [&_h3]:heading-m')}>
          <Heading id={heading} {...(id === undefined ? {} : { tabIndex: -1 })}>
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
