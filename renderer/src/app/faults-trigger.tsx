import { Zap } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { PopupButton } from '@/shared/components/late-popup.tsx'

export function FaultsTrigger({
  count,
  ...props
}: ComponentPropsWithRef<'button'> & { readonly count: number }) {
  const { t } = useTranslation('shell')
  return (
    <PopupButton
      {...props}
      className={cx(
        'inline-flex items-center gap-5 h-20 px-7 py-0 border',
        'border-[color-mix(in_srgb,var(--warning)_45%,transparent)] rounded-10 bg-warning-weak chip-xs',
        'font-semibold text-warning whitespace-nowrap cursor-default',
        '[&_svg]:size-12',
      )}
    >
      <Zap aria-hidden="true" />
      {t('faults', { count })}
    </PopupButton>
  )
}
