import { Bookmark, ChevronDown, Columns3 } from 'lucide-react'
import { type ComponentPropsWithRef, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { PopupButton } from '@/shared/components/late-popup.tsx'
import { savedAs } from '@/shared/deliveries/columns.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { chosenKinds } from '@/shared/live/filter-edit.ts'
import { useSettings } from '@/shared/live/settings.ts'

type Props = ComponentPropsWithRef<'button'>

export function ColumnsTrigger(props: Props) {
  const label = useTranslation('stream').t('columns.button')
  return (
    <PopupButton
      popup="menu"
      {...props}
      className={cx(
        'grid place-items-center w-22 h-20 p-0 border-0 rounded-4 bg-transparent text-fg-3 cursor-default',
        'hover:bg-hover hover:text-fg data-[state=open]:bg-hover data-[state=open]:text-fg',
        '[&_svg]:size-14',
      )}
      aria-label={label}
      title={label}
    >
      <Columns3 aria-hidden="true" />
    </PopupButton>
  )
}

const BAR = cx(
  'inline-flex items-center flex-none gap-4 h-control pr-7 pl-10 border rounded chip-s',
  'whitespace-nowrap cursor-default [transition:background-color_var(--ease)]',
  '[&_svg]:size-13 [&_svg]:text-fg-3',
)
const PLAIN = 'border-line-strong bg-panel text-fg hover:bg-hover data-[state=open]:bg-hover'

export function SavedTrigger(props: Props) {
  const { t } = useTranslation('stream')
  const text = useFilter((s) => s.text.trim())
  const saved = useSettings((s) => s.settings?.savedFilters)
  const name = savedAs(saved ?? [], text)
  const label = t('filter.saved')
  return (
    <PopupButton
      {...props}
      title={label}
      aria-label={name === null ? label : `${label}: ${name}`}
      className={cx(BAR, name === null ? PLAIN : 'border-transparent bg-accent-weak text-accent-text')}
    >
      <Bookmark aria-hidden="true" />
      <span className="max-w-140 truncate max-[1180px]:hidden">{name ?? t('filter.savedShort')}</span>
    </PopupButton>
  )
}

export function KindsTrigger(props: Props) {
  const { t } = useTranslation('stream')
  const text = useFilter((s) => s.text)
  const count = useMemo(() => chosenKinds(text).size, [text])
  return (
    <PopupButton
      {...props}
      title={t('kinds.title')}
      className={cx(BAR, count > 0 ? 'border-transparent bg-accent-weak text-accent-text' : PLAIN)}
    >
      {count > 0 ? t('kinds.chosen', { count }) : t('kinds.button')}
      <ChevronDown aria-hidden="true" />
    </PopupButton>
  )
}
