import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { accountingRows, type FieldRow, findingsUnder } from '@/shared/body/event-fields.ts'
import { isOpen, isReadWhole } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { Whole } from '@/shared/body/use-whole.ts'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { EventField } from './event-field.tsx'
import styles from './event-tab.module.css'
import { useDocumented } from './use-documented.tsx'

export interface AccountingTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly onShow: (pointer: string) => void
}

/** The header accounting breakdown, grouped by what its fields mean, digits as sent. */
export function AccountingTab({ detail, whole, onShow }: AccountingTabProps) {
  const { t } = useTranslation('detail')
  const language = useLanguage()
  const { documented, toggle } = useDocumented()
  const { body } = whole
  const rows = useMemo(() => (isOpen(body) ? accountingRows(body.event, detail) : null), [body, detail])
  if (!isOpen(body) || !rows) return null
  const field = (row: FieldRow) => (
    <EventField
      key={row.pointer}
      row={{ ...row, findings: row.member ? findingsUnder(detail.findingList, row.pointer) : row.findings }}
      {...{ documented, onShow }}
      drift={detail.drift}
      partial={!isReadWhole(body)}
    />
  )
  return (
    <div className={styles.tab}>
      <PartialNotice whole={whole} />
      <div className={styles.lead}>
        <p>{t('accounting.lead')}</p>
        {toggle}
      </div>
      {rows.general.length > 0 ? (
        <div className={styles.general}>
          {rows.general.map((finding) => (
            <FindingNote key={`${finding.code}${finding.line}:${finding.column}`} finding={finding} />
          ))}
        </div>
      ) : null}
      {rows.groups.map((group) => (
        <section key={group.label.en}>
          <h3 className={styles.heading}>{group.label[language]}</h3>
          <dl className={styles.fields}>{group.rows.map(field)}</dl>
        </section>
      ))}
      {rows.unknown.length > 0 ? (
        <section>
          <h3 className={styles.heading}>{t('event.undocumented')}</h3>
          <p className={styles.explain}>{t('event.undocumentedText')}</p>
          <dl className={styles.fields}>{rows.unknown.map(field)}</dl>
        </section>
      ) : null}
      {rows.unlisted > 0 ? (
        <p className={styles.explain}>{t('event.unlisted', { count: rows.unlisted })}</p>
      ) : null}
    </div>
  )
}
