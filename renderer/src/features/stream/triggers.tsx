import { Bookmark, ChevronDown, Columns3 } from 'lucide-react'
import { type ComponentPropsWithRef, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { PopupButton } from '@/shared/components/late-popup.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { chosenKinds } from '@/shared/live/filter-edit.ts'

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
  const label = useTranslation('stream').t('filter.saved')
  return (
    <PopupButton {...props} title={label} aria-label={label} className={cx(BAR, PLAIN)}>
      <Bookmark aria-hidden="true" />
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
