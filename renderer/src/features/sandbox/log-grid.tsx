// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { cx } from '@/shared/components/cx.ts'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { VirtualGrid } from '@/shared/components/virtual-grid.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './log-grid.module.css'
import type { LogView } from './log-source.ts'
import { OutcomeMark } from './run-result.tsx'

const ROW = 28
const HEAD = 26
const COLUMNS = ['time', 'kind', 'subject', 'target', 'outcome', 'status', 'took'] as const
const ENDS: readonly string[] = ['status', 'took']
/** Left out where there is little room: the open entry has them. */
const SPARE: readonly string[] = ['subject', 'status', 'took']

export interface LogGridProps {
  readonly log: LogView
  /** Id of the entry whose details are shown. */
  readonly open: number | null
  readonly onOpen: (id: number | null) => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** The log as rows, newest first; arrows point, Enter opens, Esc closes. What is pointed at stays so while others come in. */
export function LogGrid({ log, open, onOpen, ref }: LogGridProps) {
  const { t } = useTranslation('sandbox')
  const { entries, total, more } = log
  const [pointed, setPointed] = useState<number | null>(open)
  const at = entries.findIndex(({ id }) => id === pointed)
  const point = (index: number) => {
    const entry = entries[index]
    if (!entry) return
    setPointed(entry.id)
    if (open !== null) onOpen(entry.id)
  }
  const press = (key: string): boolean => {
    if (key !== 'Enter' && key !== 'Escape') return false
    onOpen(key === 'Enter' ? pointed : null)
    return true
  }
  return (
    <VirtualGrid
      ref={ref}
      label={t('log.grid')}
      className={styles.grid}
      count={entries.length}
      total={total}
      columns={COLUMNS.length}
      rowPx={ROW}
      headPx={HEAD}
      head={<Head />}
      at={at}
      onPoint={point}
      onKey={press}
      onMore={more}
      row={(index) => {
        const entry = entries[index]
        if (!entry) return null
        const isOpen = entry.id === open
        return {
          key: entry.id,
          selected: isOpen,
          className: cx(isOpen && styles.selected),
          onClick: () => {
            setPointed(entry.id)
            onOpen(entry.id)
          },
          cells: <Cells entry={entry} />,
        }
      }}
    />
  )
}

function Head() {
  const { t } = useTranslation('sandbox')
  return COLUMNS.map((column) => (
    <span
      key={column}
      role="columnheader"
      className={cx(
        'flex items-center gap-6',
        ENDS.includes(column) && 'justify-end',
        SPARE.includes(column) && styles.spare,
      )}
    >
      {t(`log.column.${column}`)}
    </span>
  ))
}

function Cells({ entry }: { readonly entry: SandboxLogBrief }) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const {
    at,
    type,
    kind,
    subject,
    subscription,
    outcome,
    lost,
    supersededBy,
    laboratory,
    status,
    durationMs,
  } = entry
  const known = subject !== null && subject !== kind
  return (
    <>
      <span role="gridcell" className={cx(styles.cell, styles.time)}>
        {format.clock(Date.parse(at) * 1_000)}
      </span>
      <span role="gridcell" className={cx(styles.cell, styles.kind)}>
        <GroupDot group={kindSpec(kind)?.group ?? null} />
        <span>{kind}</span>
        {type === 'event' ? null : <Tag>{t(`log.typeTag.${type}`)}</Tag>}
      </span>
      <span
        role="gridcell"
        className={cx(styles.cell, styles.subject, styles.spare)}
        title={known ? subject : undefined}
      >
        <span>{known ? subject : '–'}</span>
      </span>
      <span role="gridcell" className={styles.cell}>
        <span>{subscription.name}</span>
      </span>
      <span role="gridcell" className={styles.cell}>
        <OutcomeMark outcome={outcome} />
        {lost && outcome !== 'lost' && outcome !== 'not-dispatched' ? (
          <Tag tone="warning">{t('outcome.lost')}</Tag>
        ) : null}
        {supersededBy === null ? null : <Tag title={t('log.supersededHint')}>{t('log.superseded')}</Tag>}
        {laboratory.length > 0 && outcome !== 'lost' ? (
          <Tag tone="synthetic" title={laboratory.join(', ')}>
            {t('log.laboratory')}
          </Tag>
        ) : null}
      </span>
      <span role="gridcell" className={cx(styles.cell, 'justify-end font-code tabular-nums', styles.spare)}>
        {status ?? ''}
      </span>
      <span role="gridcell" className={cx(styles.cell, 'justify-end font-code tabular-nums', styles.spare)}>
        {durationMs === null ? '' : format.duration(durationMs * 1_000)}
      </span>
    </>
  )
}
