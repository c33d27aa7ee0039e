import { useTranslation } from 'react-i18next'
import { STATUSES } from '#catalog/service.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentStep as Told } from '#contract/documents.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { GroupDot } from '@/shared/components/group-dot.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { VerdictMark } from '@/shared/components/verdict-mark.tsx'
import { GapTag, StepChanges } from '@/shared/documents/step-facts.tsx'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import styles from './document-tab.module.css'

export interface DocumentStepProps {
  readonly row: DeliveryRow
  /** It is the one whose details are shown. */
  readonly present: boolean
  /** What it tells of its document; undefined for what has no life of events: contacts, products, quotations. */
  readonly told: Told | undefined
  readonly onOpen: () => void
}

/** One delivery in the life of its document. */
export function DocumentStep({ row, present, told, onOpen }: DocumentStepProps) {
  const { t } = useTranslation(['detail', 'common'])
  const format = useFormat()
  const language = useLanguage()
  const meaning = row.statusId === null ? undefined : STATUSES.get(row.statusId)?.[language]
  return (
    <li className={cx(styles.step, present && styles.present)}>
      <button
        type="button"
        aria-current={present ? 'step' : undefined}
        className={styles.open}
        onClick={onOpen}
      >
        <span className={styles.what}>
          <GroupDot group={row.group} />
          <span className={styles.kind}>
            <Captured text={row.kind ?? row.event ?? t('header.noEvent')} most={120} />
          </span>
          {present ? <Tag tone="accent">{t('document.this')}</Tag> : null}
          {row.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
          {row.malformed ? <Tag tone="invalid">{t('common:mark.malformed')}</Tag> : null}
          {row.marks.map((mark) => (
            <Tag key={mark} tone={mark === 'synthetic' ? 'synthetic' : 'neutral'}>
              {t(`common:mark.${mark}`)}
            </Tag>
          ))}
          <GapTag gap={told?.gap ?? null} />
        </span>
        <span className={styles.facts}>
          <VerdictMark verdict={row.verdict} />
          {row.statusId === null ? null : (
            <span>
              {t('document.status', { status: row.statusId })}
              {meaning === undefined ? '' : ` · ${meaning}`}
            </span>
          )}
          <span className={cx((row.answer === null || row.answer >= 400) && styles.failed)}>
            {row.answer === null ? t('header.noAnswer') : t('header.answered', { status: row.answer })}
          </span>
          {row.attempts > 0 ? <span>{t('document.attempts', { count: row.attempts })}</span> : null}
        </span>
        <span className={styles.time}>
          #{row.id} · {format.day(row.receivedAt)} {format.clock(row.receivedAt)}
        </span>
      </button>
      <StepChanges changed={told?.changed ?? []} />
    </li>
  )
}
