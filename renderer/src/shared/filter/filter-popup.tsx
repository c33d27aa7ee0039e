import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { showOption } from '@/shared/components/list-steps.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import type { Offered } from './completions.ts'

export interface FilterPopupProps {
  /** Of the field; those of the list and its options begin with it. */
  readonly id: string
  readonly items: readonly Offered[]
  readonly active: number
  readonly onTake: (item: Offered) => void
}

export function FilterPopup({ id, items, active, onTake }: FilterPopupProps) {
  const { t } = useTranslation('stream')
  const language = useLanguage()
  const format = useFormat()
  return (
    <div
      role="listbox"
      id={`${id}-list`}
      aria-label={t('filter.suggestions')}
      className={cx(
        'absolute z-float top-[calc(100%_+_5px)] left-0 border border-line-strong rounded-8 bg-panel',
        'shadow-float w-[min(460px,100%)] min-w-300 max-h-300 overflow-y-auto p-4',
      )}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus; options are its active descendants
        <div
          key={item.insert}
          role="option"
          id={`${id}-${i}`}
          aria-selected={i === active}
          className={cx(
            'flex items-baseline gap-12 px-8 py-4 rounded-5 cursor-default [&_code]:flex-none [&_code]:text-fg [&_code]:text-s',
            i === active
              ? 'bg-selected forced-colors:outline-2 forced-colors:outline-[Highlight]'
              : 'hover:bg-hover',
          )}
          ref={i === active ? showOption : null}
          // Before the field loses the focus, and with it the popup.
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(item)
          }}
        >
          <code>{item.insert}</code>
          <span className="min-w-0 text-fg-2 text-s truncate">{item.meaning[language]}</span>
          {item.count ? (
            <small className="ml-auto text-fg-3 text-xs tabular-nums">
              {format.number(item.count.n)}
              {item.count.exact ? '' : '+'}
            </small>
          ) : null}
        </div>
      ))}
    </div>
  )
}
