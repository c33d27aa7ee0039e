import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

export interface BannerProps {
  readonly tone: keyof typeof TONES
  readonly title?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  readonly onDismiss?: () => void
  /** Inside a form or panel: rounded, with a border on all sides. Otherwise a full-width bar. */
  readonly inset?: boolean
}

const TONES = {
  done: { Sign: CircleCheck, ink: 'bg-valid-weak [&>svg]:text-valid' },
  info: { Sign: Info, ink: 'bg-noted-weak [&>svg]:text-noted [&_b]:text-noted' },
  warning: { Sign: TriangleAlert, ink: 'bg-warning-weak [&>svg]:text-warning [&_b]:text-warning' },
  error: { Sign: CircleAlert, ink: 'bg-invalid-weak [&>svg]:text-invalid [&_b]:text-invalid' },
} as const

/** A lasting condition that needs the user. Screen readers announce errors at once, other tones politely. */
export function Banner({ tone, title, children, actions, onDismiss, inset = false }: BannerProps) {
  const { t } = useTranslation()
  const { Sign, ink } = TONES[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cx(
        'flex flex-wrap items-center gap-x-10 gap-y-6 px-12 py-6 border-b border-line text-fg text-s leading-[1.45]',
        ink,
        inset && 'border rounded',
      )}
    >
      <Sign className="flex-none size-15" aria-hidden="true" />
      <div className="flex-[1_1_260px] min-w-0 tabular-nums wrap-anywhere [&_b]:font-semibold">
        {title ? <b>{title} </b> : null}
        {children}
      </div>
      {actions ? <div className="flex flex-wrap gap-6">{actions}</div> : null}
      {onDismiss ? <IconButton small label={t('close')} icon={<X />} onClick={onDismiss} /> : null}
    </div>
  )
}
