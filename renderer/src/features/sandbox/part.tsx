import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import styles from './sandbox.module.css'

/** A list at the left, and what is chosen of it. */
export const LIST_AND_PANE = cx(styles.listAndPane, 'h-full min-h-0')

export interface PartProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the screen that reads from top to bottom: heading, a sentence of what it is for, its cards. */
export function Part({ title, lead, actions, children }: PartProps) {
  const { t } = useTranslation('sandbox')
  return (
    <section
      className="h-full overflow-y-auto focus-visible:-outline-offset-2"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={`${t('title')}: ${title}`}
    >
      <div className={cx(styles.column, 'grid grid-cols-1 content-start gap-12')}>
        <div className="flex items-center justify-between gap-12 min-h-28 [&_h2]:heading-l">
          <h2>{title}</h2>
          {actions}
        </div>
        {lead === undefined ? null : (
          <div className="max-w-[72ch] -mt-6 text-fg-2 text-s leading-[1.5] text-pretty">{lead}</div>
        )}
        {children}
      </div>
    </section>
  )
}

/** Whether something is on, beside the words that say it. */
export function Lamp({ on = null }: { readonly on?: 'valid' | 'warning' | null }) {
  const colour = on === 'valid' ? 'bg-valid' : on === 'warning' ? 'bg-warning' : 'bg-line-strong'
  return <span className={cx('rounded-[50%] forced-color-adjust-none size-8', colour)} aria-hidden="true" />
}

/** A card whose rows reach from edge to edge. */
export const ROWS = 'p-0! gap-0!'
