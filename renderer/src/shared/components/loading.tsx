import { useTranslation } from 'react-i18next'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

/** Placeholder while data loads. @param className reserves the height */
export function Loading({ className = 'min-h-80' }: { readonly className?: string }) {
  const { t } = useTranslation()
  return (
    <div className={cx('grid place-items-center text-fg-3', className)}>
      <Spinner label={t('loading')} />
    </div>
  )
}
