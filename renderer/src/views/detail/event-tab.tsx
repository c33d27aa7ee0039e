import { BookOpen } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { EmptyState } from '@/components/empty-state.tsx'
import { IconButton } from '@/components/icon-button.tsx'
import { useLanguage } from '@/i18n/format.ts'
import { remember, remembered } from '@/stores/remembered.ts'
import { EventField } from './event-field.tsx'
import { type EventRows, eventRows, type FieldRow, findingsUnder } from './event-fields.ts'
import styles from './event-tab.module.css'
import { FindingNote } from './finding-note.tsx'
import { LinesSection } from './lines-section.tsx'
import { isComplete, isOpen } from './open-body.ts'
import { PartialNotice } from './partial-notice.tsx'
import type { Whole } from './use-whole.ts'

export interface EventTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly onShow: (pointer: string) => void
}

const boolean = (value: unknown) => (typeof value === 'boolean' ? value : undefined)

export function EventTab({ detail, whole, onShow }: EventTabProps) {
  const { t } = useTranslation('detail')
  const language = useLanguage()
  const [documented, setDocumented] = useState(() => remembered('event-documentation', boolean, true))
  const { body } = whole
  const rows = useMemo<EventRows | null>(
    () => (isOpen(body) && body.event.root === 'object' ? eventRows(body.event, detail) : null),
    [body, detail],
  )
  if (!isOpen(body) || !rows) {
    const empty = isOpen(body) && body.total === 0
    return (
      <div className={styles.tab}>
        <div className={styles.general}>
          {detail.findingList.map((finding) => (
            <FindingNote key={`${finding.code}${finding.pointer}`} finding={finding} />
          ))}
        </div>
        <EmptyState title={t(empty ? 'event.emptyBody' : 'event.noEvent')}>
          {isOpen(body) ? t(empty ? 'event.emptyBodyText' : 'event.noEventText') : body.problem}
        </EmptyState>
      </div>
    )
  }
  const spec = detail.kind === null ? undefined : kindSpec(detail.kind)
  const field = (row: FieldRow) => {
    const lines = row.name === 'Lines' && row.spec ? body.event.lines : null
    const accounting = row.name === 'Accounting' && row.spec ? body.event.accounting : null
    const summary = lines
      ? t('event.items', { count: lines.count })
      : accounting
        ? t('event.fields', { count: accounting.total })
        : undefined
    return (
      <EventField
        key={row.pointer}
        {...{ row, documented, onShow }}
        partial={!isComplete(body)}
        {...(summary === undefined ? {} : { summary: <span className={styles.meaning}>{summary}</span> })}
      />
    )
  }
  const linesRow = rows.data.find((row) => row.name === 'Lines')
  const toggle = () => {
    remember('event-documentation', !documented)
    setDocumented(!documented)
  }
  return (
    <div className={styles.tab}>
      <PartialNotice whole={whole} />
      <div className={styles.lead}>
        <p>
          {spec
            ? t('event.emittedWhen', { when: spec.emittedWhen[language] })
            : t(detail.event === null ? 'event.noName' : 'event.unknownKind')}
        </p>
        <IconButton
          small
          label={t('event.documentation')}
          icon={<BookOpen />}
          pressed={documented}
          onClick={toggle}
        />
      </div>
      {rows.general.length > 0 ? (
        <div className={styles.general}>
          {rows.general.map((finding) => (
            <FindingNote
              key={`${finding.code}${finding.pointer}${finding.line}:${finding.column}`}
              finding={finding}
            />
          ))}
        </div>
      ) : null}
      <dl className={styles.fields}>
        {rows.envelope.map(field)}
        {rows.data.map(field)}
      </dl>
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
      {body.event.lines && linesRow ? (
        <LinesSection
          body={body}
          list={body.event.lines}
          pointer={linesRow.pointer}
          findings={findingsUnder(detail.findingList, linesRow.pointer)}
          partial={!isComplete(body)}
          {...{ documented, onShow }}
        />
      ) : null}
      {rows.accounting ? (
        <section>
          <h3 className={styles.heading}>Accounting</h3>
          <dl className={styles.fields}>
            {rows.accounting.rows.map(field)}
            {rows.accounting.unknown.map(field)}
          </dl>
        </section>
      ) : null}
    </div>
  )
}
