import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Millis } from './fault-row.tsx'
import styles from './laboratory.module.css'
import { isRetryAfter } from './laboratory-draft.ts'
import { ShareField } from './share-field.tsx'

type Sync = SandboxLaboratory['sync']

const FAULTS = ['none', 'error-500', 'error-429', 'slow', 'truncated'] as const
const CASINGS = ['documented', 'camel', 'lower', 'upper', 'snake'] as const
const NESTINGS = ['documented', 'data', 'accounting'] as const
const ORDERS = ['documented', 'descending', 'shuffled'] as const
const REDUCES = ['none', 'id-accounting', 'number-accounting'] as const

export interface SyncCardProps {
  readonly sync: Sync
  readonly onChange: (members: Partial<Sync>) => void
}

/** How the sync routes answer: faults of the calls, and another shape of their items. */
export function SyncCard({ sync, onChange }: SyncCardProps) {
  const { t } = useTranslation('sandbox')
  const [retryAfter, setRetryAfter] = useState<number | null>(sync.retryAfterSeconds)
  return (
    <SectionCard level={3} title={t('laboratory.sync')}>
      <div className={styles.sync}>
        <Select
          label={t('laboratory.fault')}
          value={sync.fault}
          onChange={(fault) => onChange({ fault })}
          options={FAULTS.map((value) => ({ value, label: t(`laboratory.faults.${value}`) }))}
        />
        {sync.fault === 'none' ? null : (
          <div className={styles.share}>
            <span className={styles.label} aria-hidden="true">
              {t('laboratory.faultShare')}
            </span>
            <ShareField
              label={t('laboratory.faultShare')}
              value={sync.share}
              onChange={(share) => onChange({ share })}
            />
          </div>
        )}
        {sync.fault === 'error-429' ? (
          <NumberField
            label={t('laboratory.retryAfter')}
            unit="s"
            max={3_600}
            value={retryAfter}
            error={isRetryAfter(retryAfter) ? null : t('laboratory.retryError')}
            onChange={(next) => {
              setRetryAfter(next)
              if (isRetryAfter(next)) onChange({ retryAfterSeconds: next })
            }}
          />
        ) : null}
        {sync.fault === 'slow' ? (
          <Millis
            label={t('laboratory.slow')}
            value={sync.slowMs}
            onChange={(slowMs) => onChange({ slowMs })}
          />
        ) : null}
        <Select
          label={t('laboratory.casing')}
          value={sync.casing}
          onChange={(casing) => onChange({ casing })}
          options={CASINGS.map((value) => ({ value, label: t(`laboratory.casings.${value}`) }))}
        />
        <Select
          label={t('laboratory.nesting')}
          value={sync.nesting}
          onChange={(nesting) => onChange({ nesting })}
          options={NESTINGS.map((value) => ({ value, label: t(`laboratory.nestings.${value}`) }))}
        />
        <Select
          label={t('laboratory.itemOrder')}
          value={sync.order}
          onChange={(order) => onChange({ order })}
          options={ORDERS.map((value) => ({ value, label: t(`laboratory.orders.${value}`) }))}
        />
        <Select
          label={t('laboratory.reduce')}
          value={sync.reduce}
          onChange={(reduce) => onChange({ reduce })}
          options={REDUCES.map((value) => ({ value, label: t(`laboratory.reduces.${value}`) }))}
        />
      </div>
    </SectionCard>
  )
}
