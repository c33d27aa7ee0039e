import { Bookmark, ChevronDown, Columns3 } from 'lucide-react'
import { type ComponentPropsWithRef, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { chosenKinds } from '@/shared/live/filter-edit.ts'
import styles from './kinds-trigger.module.css'

/** Stands over the end of the headings. */
export function ColumnsTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      className="grid place-items-center w-22 h-20 p-0 border-0 rounded-4 bg-transparent text-fg-3 cursor-default hover:bg-hover hover:text-fg data-[state=open]:bg-hover data-[state=open]:text-fg [&_svg]:size-14"
      aria-label={t('columns.button')}
      title={t('columns.button')}
    >
      <Columns3 aria-hidden="true" />
    </button>
  )
}

/** Opens the filters with names. */
export function SavedTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  const label = t('filter.saved')
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={false}
      {...props}
      title={label}
      aria-label={label}
      className={styles.trigger}
    >
      <Bookmark aria-hidden="true" />
    </button>
  )
}

/** Opens the kinds, and says how many of them the filter names. */
export function KindsTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  const text = useFilter((s) => s.text)
  const count = useMemo(() => chosenKinds(text).size, [text])
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={false}
      {...props}
      title={t('kinds.title')}
      className={cx(styles.trigger, count > 0 && styles.active)}
    >
      {count > 0 ? t('kinds.chosen', { count }) : t('kinds.button')}
      <ChevronDown aria-hidden="true" />
    </button>
  )
}
