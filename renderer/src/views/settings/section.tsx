import type { ReactNode } from 'react'
import type { SectionName } from './sections.ts'
import styles from './settings.module.css'

export interface SectionProps {
  readonly name: SectionName
  readonly title: string
  readonly text?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the settings under a heading that can be gone to. */
export function Section({ name, title, text, actions, children }: SectionProps) {
  return (
    <section className={styles.section} aria-labelledby={`settings-${name}`}>
      <div className={styles.head}>
        <h2 id={`settings-${name}`} tabIndex={-1}>
          {title}
        </h2>
        {actions}
      </div>
      {text === undefined ? null : <p className={styles.text}>{text}</p>}
      {children}
    </section>
  )
}
