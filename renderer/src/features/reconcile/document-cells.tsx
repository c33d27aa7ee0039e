// biome-ignore-all lint/a11y/useSemanticElements: cells of rows that cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop
import { useTranslation } from 'react-i18next'
import type { DocumentRow, RowRule, SyncRoute } from '#contract/reconcile.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { grouped } from '@/shared/formats/money.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { CLASS_SIGNS } from './class-marks.ts'
import { inRuns, useDay, useWhy } from './row-words.ts'
import styles from './streams-grid.module.css'

/** Documents in their classes by these rules have no record in the service's answer. */
const UNLISTED: readonly RowRule[] = ['not-listed', 'no-issue-date', 'items-not-identified']

export interface DocumentCellsProps {
  /** Undefined while it is being read. */
  readonly row: DocumentRow | undefined
  readonly route: SyncRoute
  /** IANA name: whose days are shown. */
  readonly zone: string
}

/** One document: what was captured of it, the sign of its class, the service's record, and why. */
export function DocumentCells({ row, route, zone }: DocumentCellsProps) {
  const { t } = useTranslation('reconcile')
  const day = useDay(zone)
  const why = useWhy()
  const { locale } = useFormat()
  if (!row) return <span role="gridcell" className={styles.waiting} />
  const { number, documentId, events, differences } = row
  const name = number ?? documentId ?? row.key
  const identity = (
    <span
      className="code-s tabular-nums [font-variant-ligatures:none] flex-none max-w-[60%]"
      title={documentId ?? undefined}
    >
      <Captured text={name} most={80} />
    </span>
  )
  const listed = !row.rules.some((rule) => UNLISTED.includes(rule))
  const reason = why(row)
  const withCurrency = (sum: string) => (row.currency === null ? sum : `${sum} ${row.currency}`)
  const shown = row.total === null ? '' : grouped(row.total, locale)
  // As sent, in the tooltip.
  const total = row.total === null ? '' : withCurrency(row.total)
  return (
    <>
      {events.length === 0 ? (
        <span role="gridcell" className={cx(styles.absent, styles.missed, 'col-[span_2]')}>
          {t('grid.notCaptured')}
        </span>
      ) : (
        <>
          <span role="gridcell" className={cx(styles.stream, 'flex items-baseline gap-12')}>
            {identity}
            <span className="text-fg-2" title={events.join(' · ')}>
              {inRuns(events)}
            </span>
          </span>
          <span
            role="gridcell"
            className="code-s tabular-nums [font-variant-ligatures:none] text-end"
            title={listed ? undefined : total}
          >
            {listed || row.total === null ? (row.capturedStatus ?? '') : shown}
          </span>
        </>
      )}
      <span
        role="gridcell"
        className={cx('text-center', styles[row.class])}
        title={t(`classHint.${row.class}`)}
      >
        <b aria-hidden="true">{CLASS_SIGNS[row.class]}</b>
        <span className="visually-hidden">{t(`class.${row.class}`)}</span>
      </span>
      {listed ? (
        <>
          <span role="gridcell" className={cx(styles.stream, 'flex items-baseline gap-12')}>
            {identity}
            <span className="text-fg-2">
              {row.party === null ? null : <Captured text={row.party} most={80} />}
            </span>
          </span>
          <span
            role="gridcell"
            className="code-s tabular-nums [font-variant-ligatures:none] text-fg-2 font-ui"
          >
            {row.issuedAt === null ? '–' : day(row.issuedAt)}
          </span>
          <span
            role="gridcell"
            className={cx(
              'code-s tabular-nums [font-variant-ligatures:none] text-end',
              differences.includes('Total') && 'text-invalid',
            )}
            title={total}
          >
            <Captured text={row.total === null ? '' : withCurrency(shown)} most={60} />
          </span>
        </>
      ) : (
        <span role="gridcell" className={cx(styles.absent, 'col-[span_3]')}>
          {t('grid.notInService', { route: t(`form.routes.${route}`) })}
        </span>
      )}
      <span role="gridcell" className={cx(styles.why, 'ps-10 text-fg-2 text-s')} title={reason}>
        <Captured text={reason} most={300} />
      </span>
    </>
  )
}
