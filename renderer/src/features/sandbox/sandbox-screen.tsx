import { type ComponentType, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Spinner } from '@/shared/components/spinner.tsx'
import { EmitSection } from './emit-section.tsx'
import { Header } from './header.tsx'
import { KeysSection } from './keys-section.tsx'
import { LaboratorySection } from './laboratory-section.tsx'
import { LogSection } from './log-section.tsx'
import { Nav } from './nav.tsx'
import { OffState } from './off-state.tsx'
import { OperationsSection } from './operations-section.tsx'
import styles from './sandbox.module.css'
import { useSandbox, watchSandbox } from './sandbox.ts'
import { ScenariosSection } from './scenarios-section.tsx'
import { type PartName, partOf } from './sections.ts'
import { SubscriptionsSection } from './subscriptions-section.tsx'
import { TrafficSection } from './traffic-section.tsx'

const SECTIONS: Readonly<Record<PartName, ComponentType>> = {
  emit: EmitSection,
  scenarios: ScenariosSection,
  operations: OperationsSection,
  traffic: TrafficSection,
  log: LogSection,
  subscriptions: SubscriptionsSection,
  laboratory: LaboratorySection,
  keys: KeysSection,
}

export interface SandboxScreenProps {
  /** `emit`, `scenarios`, `log`…; null for the first. */
  readonly section: string | null
}

/** Our simulator of the service. Fills its parent; its parts scroll inside themselves. */
export function SandboxScreen({ section }: SandboxScreenProps) {
  const { t } = useTranslation('common')
  const { status, state } = useSandbox()
  useEffect(watchSandbox, [])
  const part = partOf(section)
  const Section = SECTIONS[part]
  return (
    <div className={styles.screen}>
      <Header />
      {state ? (
        <div className={styles.parts}>
          <Nav part={part} />
          <div className={styles.part}>
            <Section />
          </div>
        </div>
      ) : status?.running === false ? (
        <div className={styles.off}>
          <OffState />
        </div>
      ) : (
        <div className={styles.waiting}>
          <Spinner label={t('loading')} />
        </div>
      )}
    </div>
  )
}
