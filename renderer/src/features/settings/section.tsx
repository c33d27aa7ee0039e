import type { ReactNode } from 'react'
import { SectionCard } from '@/shared/components/section-card.tsx'
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
    <SectionCard
      id={`settings-${name}`}
      title={title}
      text={text}
      actions={actions}
      className={styles.section}
    >
      {children}
    </SectionCard>
  )
}
