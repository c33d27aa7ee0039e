import type { TFunction } from 'i18next'
import { Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import { GroupDot } from '@/components/group-dot.tsx'
import { Tag } from '@/components/tag.tsx'
import { VerdictMark } from '@/components/verdict-mark.tsx'
import type { Format } from '@/i18n/format.ts'
import type { ColumnId } from './columns.ts'
import styles from './grid.module.css'

export interface CellText {
  readonly t: TFunction<['stream', 'common']>
  readonly format: Format
}

function Kind({ row, t }: { readonly row: DeliveryRow; readonly t: TFunction<['stream', 'common']> }) {
  const reason = row.malformed === null ? null : t(`common:malformed.${row.malformed}`)
  return (
    <>
      <GroupDot group={row.group} />
      <span className={row.event === null ? styles.absent : styles.event} title={row.event ?? ''}>
        {row.event ?? t('noEvent')}
      </span>
      {row.marks.includes('pinned') ? (
        <Pin className={styles.pin} aria-label={t('common:mark.pinned')} />
      ) : null}
      {row.rejected ? (
        <Tag tone="invalid" title={t('rejectedHint')}>
          {t('common:mark.rejected')}
        </Tag>
      ) : null}
      {reason === null ? null : (
        <Tag tone="warning" title={reason}>
          {t('common:mark.malformed')}
        </Tag>
      )}
      {row.marks.map((mark) => (mark === 'pinned' ? null : <Tag key={mark}>{t(`common:mark.${mark}`)}</Tag>))}
    </>
  )
}

function Document({ row }: { readonly row: DeliveryRow }) {
  if (row.number !== null)
    return (
      <span className={styles.number} title={row.documentId ?? undefined}>
        {row.number}
      </span>
    )
  if (row.documentId === null) return <span className={styles.absent}>–</span>
  return (
    <span className={styles.short} title={row.documentId}>
      {row.documentId.length > 9 ? `${row.documentId.slice(0, 8)}…` : row.documentId}
    </span>
  )
}

/** What stands in one cell. Everything that came with a delivery is text here, never markup. */
export function cellOf(column: ColumnId, row: DeliveryRow, { t, format }: CellText): ReactNode {
  switch (column) {
    case 'time':
      return <span title={format.instant(row.receivedAt)}>{format.clock(row.receivedAt)}</span>
    case 'kind':
      return <Kind row={row} t={t} />
    case 'document':
      return <Document row={row} />
    case 'verdict':
      return <VerdictMark verdict={row.verdict} />
    case 'answer':
      return row.answer === null ? (
        <span className={styles.absent}>–</span>
      ) : (
        <span className={row.answer >= 400 ? styles.refused : undefined}>{row.answer}</span>
      )
    case 'size':
      return format.bytes(row.size)
    case 'took':
      return row.tookUs === null ? '–' : format.duration(row.tookUs)
    case 'endpoint':
      return <span title={row.endpoint}>{row.endpoint}</span>
    case 'method':
      return row.method
    case 'path':
      return <span title={row.url}>{row.url}</span>
  }
}
