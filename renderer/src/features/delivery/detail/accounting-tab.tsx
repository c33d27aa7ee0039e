import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { accountingRows, type FieldRow, findingsUnder } from '@/shared/body/event-fields.ts'
import { isOpen, isReadWhole } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { Whole } from '@/shared/body/use-whole.ts'
import { cx } from '@/shared/components/cx.ts'
import { FindingNote } from '@/shared/components/finding-note.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { EventField, useDocumented } from './event-field.tsx'
import styles from './event-tab.module.css'

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
    <div className="h-full overflow-y-auto overscroll-contain">
      <PartialNotice whole={whole} />
      <div className={cx(styles.lead, 'flex items-start justify-between gap-12 pt-8 pr-10 pb-2 pl-14')}>
        <p>{t('accounting.lead')}</p>
        {toggle}
      </div>
      {rows.general.length > 0 ? (
        <div className="px-14 pt-4">
          {rows.general.map((finding) => (
            <FindingNote key={`${finding.code}${finding.line}:${finding.column}`} finding={finding} />
          ))}
        </div>
      ) : null}
      {rows.groups.map((group) => (
        <section key={group.label.en}>
          <h3 className={styles.heading}>{group.label[language]}</h3>
          <dl className="px-14 pb-8">{group.rows.map(field)}</dl>
        </section>
      ))}
      {rows.unknown.length > 0 ? (
        <section>
          <h3 className={styles.heading}>{t('event.undocumented')}</h3>
          <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">{t('event.undocumentedText')}</p>
          <dl className="px-14 pb-8">{rows.unknown.map(field)}</dl>
        </section>
      ) : null}
      {rows.unlisted > 0 ? (
        <p className="mx-14 mb-2 text-fg-3 text-xs leading-[1.4]">
          {t('event.unlisted', { count: rows.unlisted })}
        </p>
      ) : null}
    </div>
  )
}
