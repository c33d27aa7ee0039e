import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { cx } from '@/shared/components/cx.ts'
import { Progress } from '@/shared/components/progress.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { Budget } from './budget.tsx'
import { Cleanup } from './cleanup.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { TrashPart } from './trash-part.tsx'

export interface RetentionSectionProps {
  readonly settings: Settings
  readonly status: HostStatus
}

export function RetentionSection({ settings, status }: RetentionSectionProps) {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const { disk, counts } = status
  const budget = settings.retention.budgetBytes
  const over = disk.usedBytes >= budget
  return (
    <Section name="retention" title={t('retention.title')} text={t('retention.text')}>
      <div className="grid gap-6">
        <p className={cx('tabular-nums font-medium', over && 'text-warning')}>
          {t('retention.used', { used: format.bytes(disk.usedBytes), budget: format.bytes(budget) })}
        </p>
        <Progress label={t('retention.usedLabel')} value={disk.usedBytes} max={budget} />
        <p className={styles.facts}>
          <span>{t('retention.stored', { count: counts.stored })}</span>
          {counts.trashed === 0 ? null : (
            <span>{t('retention.inTrash', { bytes: format.bytes(disk.trashBytes) })}</span>
          )}
          {disk.freeBytes === null ? null : (
            <span>{t('retention.free', { free: format.bytes(disk.freeBytes) })}</span>
          )}
        </p>
      </div>
      <Budget settings={settings} status={status} />
      <Cleanup stored={counts.stored} />
      <TrashPart trashed={counts.trashed} bytes={disk.trashBytes} />
      {(['rejected', 'malformed'] as const).map((ring) => (
        <p key={ring} className={styles.note}>
          {t(`retention.${ring}`, {
            count: counts[ring],
            bytes: format.bytes(disk[`${ring}Bytes`]),
            most: format.number(settings.retention[`${ring}Deliveries`]),
            mostBytes: format.bytes(settings.retention[`${ring}Bytes`]),
          })}{' '}
          {t('retention.evicted', { count: counts[`${ring}Evicted`] })}
        </p>
      ))}
      {counts.budgetDeleted === 0 ? null : (
        <p className={styles.note}>{t('retention.budgetDeleted', { count: counts.budgetDeleted })}</p>
      )}
    </Section>
  )
}
