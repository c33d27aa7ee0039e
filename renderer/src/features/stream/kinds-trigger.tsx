import { ChevronDown } from 'lucide-react'
import { type ComponentPropsWithRef, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { chosenKinds } from '@/shared/live/filter-edit.ts'
import styles from './kinds-trigger.module.css'

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
