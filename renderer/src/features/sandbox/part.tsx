import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'

export const LIST_AND_PANE = cx(
  'grid grid-rows-[minmax(0,1fr)] grid-cols-[248px_minmax(0,1fr)] h-full min-h-0',
  'max-[1000px]:grid-cols-[200px_minmax(0,1fr)]',
  'max-[680px]:grid-rows-[minmax(90px,26%)_minmax(0,1fr)] max-[680px]:grid-cols-1',
)

/** A field for a short number; what is wrong with it has room. */
export const SHORT = 'w-92 has-[[role=alert]]:w-150'

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
      <div
        className={cx(
          'grid grid-cols-1 content-start gap-12 max-w-860 px-24 pt-16 pb-48',
          'max-[820px]:px-12 max-[820px]:pt-12 max-[820px]:pb-32',
        )}
      >
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
