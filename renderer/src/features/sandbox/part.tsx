import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/screen.tsx'

export const LIST_AND_PANE = cx(
  'grid grid-rows-[minmax(0,1fr)] grid-cols-[248px_minmax(0,1fr)] h-full min-h-0',
  'max-[1000px]:grid-cols-[216px_minmax(0,1fr)]',
  'max-[680px]:grid-rows-[minmax(120px,26%)_minmax(0,1fr)] max-[680px]:grid-cols-1',
)

/** Width of a field for a short number; wider with an error. */
export const SHORT = 'w-92 has-[[role=alert]]:w-150'

interface PartProps {
  readonly name: 'scenarios' | 'traffic' | 'subscriptions' | 'laboratory' | 'keys'
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the screen: heading, purpose, cards. */
export function Part({ name, actions, children }: PartProps) {
  const { t } = useTranslation('sandbox')
  const title = t(`${name}.title`)
  return (
    <ScrollRegion
      className="h-full overflow-y-auto focus-visible:-outline-offset-2"
      label={`${t('title')}: ${title}`}
    >
      <div
        className={cx(
          'grid grid-cols-1 content-start gap-12 max-w-860 px-24 pt-16 pb-48',
          'max-[820px]:px-12 max-[820px]:pt-12 max-[820px]:pb-32',
        )}
      >
        <div className="flex flex-wrap items-center gap-x-12 gap-y-6 min-h-28">
          <h2 className="flex-1 heading-l">{title}</h2>
          {actions}
        </div>
        <p className="max-w-[72ch] -mt-6 text-fg-2 text-s leading-[1.5] text-pretty">{t(`${name}.lead`)}</p>
        {children}
      </div>
    </ScrollRegion>
  )
}

/** A coloured dot beside a text that states the same. */
export function Lamp({ on = null }: { readonly on?: 'valid' | 'warning' | null }) {
  const colour = on === 'valid' ? 'bg-valid' : on === 'warning' ? 'bg-warning' : 'bg-line-strong'
  return <span className={cx('rounded-[50%] forced-color-adjust-none size-8', colour)} aria-hidden="true" />
}
