import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './banner.module.css'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

export interface BannerProps {
  readonly tone: 'info' | 'warning' | 'error'
  readonly title?: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  readonly onDismiss?: () => void
  /** As part of a form or panel: rounded, with a border all around. Otherwise a bar across its container. */
  readonly inset?: boolean
}

const SIGNS = { info: Info, warning: TriangleAlert, error: CircleAlert } as const

/** Says something that stays true until it is dealt with. Errors interrupt a screen reader, the others wait. */
export function Banner({ tone, title, children, actions, onDismiss, inset = false }: BannerProps) {
  const { t } = useTranslation()
  const Sign = SIGNS[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cx(styles.banner, styles[tone], inset && styles.inset)}
    >
      <Sign className={styles.sign} aria-hidden="true" />
      <div className={styles.text}>
        {title ? <b>{title} </b> : null}
        {children}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
      {onDismiss ? <IconButton small label={t('close')} icon={<X />} onClick={onDismiss} /> : null}
    </div>
  )
}
