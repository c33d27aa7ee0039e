// biome-ignore-all lint/a11y/useSemanticElements: cells of rows that cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { DocumentEntry } from '#contract/documents.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { statusText } from '@/shared/documents/step-facts.tsx'
import { grouped } from '@/shared/formats/money.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './documents-grid.module.css'

/** Hues by kind of document: those of the events that create them. */
export const FAMILY_GROUPS = {
  invoice: 'invoices',
  'credit-note': 'credit',
  'debit-note': 'debit',
  expense: 'expenses',
} as const

/** One document in a line. */
export function DocumentCells({ entry }: { readonly entry: DocumentEntry | undefined }) {
  const { t } = useTranslation('documents')
  const format = useFormat()
  if (!entry) return <span role="gridcell" className="col-span-full w-[40%] h-7 rounded-4 bg-line" />
  const { family, number, documentId, party, total, currency, events, recovered, gaps } = entry
  const when = (us: number) => (
    <span
      role="gridcell"
      className={cx(styles.time, 'text-fg-3 text-s tabular-nums')}
      title={format.instant(us)}
    >
      {format.brief(us)}
    </span>
  )
  return (
    <>
      <span role="gridcell" className={cx(styles.kind, 'flex items-center gap-7 text-fg')}>
        <GroupDot group={FAMILY_GROUPS[family]} />
        <span>{t(`family.${family}`)}</span>
        <VerdictMark verdict={entry.verdict} signOnly />
      </span>
      <span
        role="gridcell"
        className={cx(
          'code-s tabular-nums [font-variant-ligatures:none] text-fg [&_small]:ml-5 [&_small]:text-fg-3 [&_small]:text-xs',
          number === null && styles.faint,
        )}
        title={documentId}
      >
        <Captured text={number ?? documentId} most={80} />
      </span>
      <span role="gridcell" title={party ?? undefined}>
        {party === null ? <i className={styles.faint}>–</i> : <Captured text={party} most={120} />}
      </span>
      <span
        role="gridcell"
        className="code-s tabular-nums [font-variant-ligatures:none] text-fg [&_small]:ml-5 [&_small]:text-fg-3 [&_small]:text-xs text-end pe-6"
        title={total ?? undefined}
      >
        {total === null ? '' : grouped(total, format.locale)}
        {currency === null ? null : (
          <small>
            <Captured text={currency} most={12} />
          </small>
        )}
      </span>
      <span
        role="gridcell"
        className={cx(styles.status, 'flex items-center gap-7 text-s')}
        title={entry.statusId === null ? entry.lastKind : `${statusText(entry.statusId)} · ${entry.lastKind}`}
      >
        <GroupDot group={kindSpec(entry.lastKind)?.group ?? null} />
        <span>{entry.statusId === null ? entry.lastKind : statusText(entry.statusId)}</span>
      </span>
      <span role="gridcell" className={cx(styles.tags, 'flex items-center gap-7')}>
        {gaps
          .filter((gap) => gap !== 'no-created' || !gaps.includes('voided-without-created'))
          .map((gap) => (
            <Tag key={gap} tone="warning" title={t(`gapHint.${gap}`)}>
              {t(`gaps.${gap}`)}
            </Tag>
          ))}
        {recovered > 0 ? (
          <Tag tone="synthetic" title={t('recovered', { count: recovered })}>
            {t('recovered', { count: recovered })}
          </Tag>
        ) : null}
      </span>
      <span
        role="gridcell"
        className="code-s tabular-nums [font-variant-ligatures:none] text-fg [&_small]:ml-5 [&_small]:text-fg-3 [&_small]:text-xs text-end pe-6"
      >
        {format.number(events)}
      </span>
      {when(entry.firstAt)}
      {when(entry.lastAt)}
    </>
  )
}
