// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { cx } from '@/components/cx.ts'
import { GroupDot } from '@/components/group-dot.tsx'
import { Tag } from '@/components/tag.tsx'
import { useVirtualRows } from '@/components/use-virtual-rows.ts'
import { useFormat } from '@/i18n/format.ts'
import styles from './log-grid.module.css'
import type { LogView } from './log-source.ts'
import { OutcomeMark } from './outcome.tsx'

const ROW = 28
const HEAD = 26
/** Older entries are read before one has reached the end of those that are there. */
const AHEAD = 60
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

/** The row that a key goes to from the one pointed at (-1: none yet); undefined for keys that go nowhere. */
function targetOf(key: string, at: number, page: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return at + 1
    case 'ArrowUp':
    case 'k':
      return Math.max(0, at - 1)
    case 'PageDown':
      return at + page
    case 'PageUp':
      return at - page
    case 'Home':
      return 0
    case 'End':
      return Number.POSITIVE_INFINITY
    default:
      return undefined
  }
}

/** The log as rows, newest first; arrows point, Enter opens, Esc closes. What is pointed at stays so while others come in. */
export function LogGrid({ log, open, onOpen, ref }: LogGridProps) {
  const { t } = useTranslation('sandbox')
  const { entries, total, more } = log
  const [pointed, setPointed] = useState<number | null>(open)
  const rows = useVirtualRows({ count: entries.length, rowPx: ROW, headerPx: HEAD })
  const { scroller } = rows
  const held = useCallback(
    (element: HTMLDivElement | null) => {
      ref.current = element
      scroller(element)
    },
    [ref, scroller],
  )
  useEffect(() => {
    if (rows.past + AHEAD >= entries.length) more()
  }, [rows.past, entries.length, more])
  const at = entries.findIndex(({ id }) => id === pointed)
  const go = (index: number) => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))]
    if (!entry) return
    setPointed(entry.id)
    if (open !== null) onOpen(entry.id)
    rows.reveal(entries.indexOf(entry))
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') onOpen(pointed)
    else if (event.key === 'Escape') onOpen(null)
    else {
      const target = targetOf(event.key, at, rows.pageRows)
      if (target === undefined) return
      go(target)
    }
    event.preventDefault()
  }
  const rowId = (id: number) => `sandbox-log-${id}`
  return (
    <div
      ref={held}
      role="grid"
      tabIndex={0}
      className={styles.scroller}
      aria-label={t('log.grid')}
      aria-rowcount={total + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={
        at >= rows.first && at < rows.past && pointed !== null ? rowId(pointed) : undefined
      }
      onKeyDown={press}
    >
      <div role="row" aria-rowindex={1} className={cx(styles.row, styles.head)}>
        {COLUMNS.map((column) => (
          <span
            key={column}
            role="columnheader"
            className={cx(
              styles.cell,
              ENDS.includes(column) && styles.end,
              SPARE.includes(column) && styles.spare,
            )}
          >
            {t(`log.column.${column}`)}
          </span>
        ))}
      </div>
      <div className={styles.rows} role="presentation" style={{ height: rows.height }}>
        <div className={styles.window} role="presentation" style={{ transform: `translateY(${rows.top}px)` }}>
          {entries.slice(rows.first, rows.past).map((entry, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the grid's
            <div
              key={entry.id}
              id={rowId(entry.id)}
              role="row"
              aria-rowindex={rows.first + i + 2}
              aria-selected={entry.id === open}
              className={cx(
                styles.row,
                entry.id === open && styles.selected,
                entry.id === pointed && styles.current,
              )}
              onClick={() => {
                setPointed(entry.id)
                onOpen(entry.id)
              }}
            >
              <Cells entry={entry} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
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
        {known ? `${subject.slice(0, 8)}…` : '–'}
      </span>
      <span role="gridcell" className={styles.cell}>
        <span>{subscription.name}</span>
      </span>
      <span role="gridcell" className={cx(styles.cell, styles.outcome)}>
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
      <span role="gridcell" className={cx(styles.cell, styles.end, styles.number, styles.spare)}>
        {status ?? ''}
      </span>
      <span role="gridcell" className={cx(styles.cell, styles.end, styles.number, styles.spare)}>
        {durationMs === null ? '' : format.duration(durationMs * 1_000)}
      </span>
    </>
  )
}
