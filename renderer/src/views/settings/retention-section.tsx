import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { Button } from '@/components/button.tsx'
import { cx } from '@/components/cx.ts'
import { NumberField } from '@/components/number-field.tsx'
import { Progress } from '@/components/progress.tsx'
import { Refused } from '@/components/refused.tsx'
import { useAction } from '@/components/use-action.ts'
import { useFormat } from '@/i18n/format.ts'
import { useSettings } from '@/stores/settings.ts'
import { Cleanup } from './cleanup.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { TrashPart } from './trash-part.tsx'

const GB = 1_000_000_000
/** How many rejected deliveries are kept (issue A, section 3). */
const REJECTED_RING = 10_000

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
      <div className={styles.usage}>
        <p className={cx(styles.used, over && styles.over)}>
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
      <Budget budget={budget} />
      <Cleanup stored={counts.stored} />
      <TrashPart trashed={counts.trashed} bytes={disk.trashBytes} />
      <p className={styles.note}>
        {t('retention.rejected', { count: counts.rejected, most: format.number(REJECTED_RING) })}{' '}
        {t('retention.evicted', { count: counts.rejectedEvicted })}
      </p>
    </Section>
  )
}

function Budget({ budget }: { readonly budget: number }) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const [value, setValue] = useState<number | null>(budget / GB)
  useEffect(() => setValue(budget / GB), [budget])
  const bytes = value === null ? null : Math.round(value * GB)
  const wrong = bytes === null || bytes < 10_000_000
  const save = () => {
    if (!wrong && bytes !== null) void action.run(() => update({ retention: { budgetBytes: bytes } }))
  }
  const path = action.refusal?.details?.path
  return (
    <form
      noValidate
      className={styles.inline}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <NumberField
        label={t('retention.budget')}
        unit="GB"
        decimals={3}
        value={value}
        onChange={setValue}
        error={wrong || path === 'retention.budgetBytes' ? t('retention.budgetError') : null}
        hint={t('retention.budgetHint')}
      />
      {bytes === budget ? null : (
        <div className={styles.besideField}>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('save')}
          </Button>
          <Button variant="quiet" onClick={() => setValue(budget / GB)}>
            {t('discard')}
          </Button>
        </div>
      )}
      {path === 'retention.budgetBytes' ? null : <Refused refusal={action.refusal} />}
    </form>
  )
}
