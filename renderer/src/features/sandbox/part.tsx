import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sandbox.module.css'

export interface PartProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the screen that reads from top to bottom: heading, a sentence of what it is for, its cards. */
export function Part({ title, lead, actions, children }: PartProps) {
  const { t } = useTranslation('sandbox')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`${t('title')}: ${title}`}>
      <div className={styles.column}>
        <div className={styles.heading}>
          <h2>{title}</h2>
          {actions}
        </div>
        {lead === undefined ? null : <div className={styles.lead}>{lead}</div>}
        {children}
      </div>
    </section>
  )
}
