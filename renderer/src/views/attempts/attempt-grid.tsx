// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { cx } from '@/components/cx.ts'
import { Tag } from '@/components/tag.tsx'
import { useVirtualRows } from '@/components/use-virtual-rows.ts'
import { useFormat } from '@/i18n/format.ts'
import { AttemptMark } from './attempt-mark.tsx'
import { useOriginText } from './attempt-words.ts'
import styles from './attempts.module.css'

/** Two lines where the pane is narrow, one in a list of many. */
const ROW_PX = { delivery: 46, many: 28 } as const
/** Older ones are read before one has reached the end of those that are there. */
const AHEAD = 60

export interface AttemptGridProps {
  readonly label: string
  /** `delivery`: all of one delivery, told apart by target and origin; `many`: told apart by delivery. */
  readonly kind: keyof typeof ROW_PX
  readonly rows: readonly AttemptRow[]
  /** The one that was open last: keys begin there. */
  readonly last: number | null
  readonly onOpen: (attempt: AttemptRow) => void
  readonly onMore: () => void
}

function stepOf(key: string, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  return steps[key]
}

/** Attempts, newest first; arrows point, Enter opens. What is pointed at stays so while others come in. */
export function AttemptGrid({ label, kind, rows, last, onOpen, onMore }: AttemptGridProps) {
  const id = useId()
  const [pointed, setPointed] = useState<number | null>(last)
  const virtual = useVirtualRows({ count: rows.length, rowPx: ROW_PX[kind] })
  const { first, past } = virtual
  useEffect(() => {
    if (past + AHEAD >= rows.length) onMore()
  }, [past, rows.length, onMore])
  const at = rows.findIndex((row) => row.id === pointed)
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = stepOf(event.key, virtual.pageRows)
    if (event.key === 'Enter') {
      const row = rows[at]
      if (row) onOpen(row)
    } else if (step !== undefined) {
      const to = Math.max(0, Math.min(rows.length - 1, at < 0 && step === -1 ? 0 : at + step))
      setPointed(rows[to]?.id ?? null)
      virtual.reveal(to)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={virtual.scroller}
      role="grid"
      tabIndex={0}
      data-attempts=""
      className={styles.scroller}
      aria-label={label}
      aria-rowcount={rows.length}
      aria-activedescendant={at >= first && at < past ? `${id}-${pointed}` : undefined}
      onKeyDown={press}
    >
      <div role="presentation" className={styles.rows} style={{ height: virtual.height }}>
        <div
          role="presentation"
          className={styles.window}
          style={{ transform: `translateY(${virtual.top}px)` }}
        >
          {rows.slice(first, past).map((row, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the grid's
            <div
              key={row.id}
              id={`${id}-${row.id}`}
              role="row"
              aria-rowindex={first + i + 1}
              aria-selected={row.id === pointed}
              className={cx(styles.row, styles[kind], row.id === pointed && styles.current)}
              style={{ height: ROW_PX[kind] }}
              onClick={() => {
                setPointed(row.id)
                onOpen(row)
              }}
            >
              {kind === 'many' ? <ManyCells row={row} /> : <DeliveryCells row={row} />}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function Tags({ row }: { readonly row: AttemptRow }) {
  const { t } = useTranslation('replays')
  return (
    <>
      {row.edited ? <Tag tone="accent">{t('attempts.edited')}</Tag> : null}
      {row.again ? (
        <Tag tone="warning" title={t('attempts.againHint')}>
          {t('attempts.again')}
        </Tag>
      ) : null}
      {row.tryNumber > 1 ? <Tag>{t('attempts.try', { number: row.tryNumber })}</Tag> : null}
    </>
  )
}

const Cell = ({
  className,
  children,
}: {
  readonly className?: string | undefined
  readonly children: ReactNode
}) => (
  <span role="gridcell" className={className}>
    {children}
  </span>
)

function ManyCells({ row }: { readonly row: AttemptRow }) {
  const format = useFormat()
  return (
    <>
      <Cell className={styles.time}>{format.clock(row.startedAt)}</Cell>
      <Cell className={styles.number}>#{row.deliveryId}</Cell>
      <Cell className={styles.outcome}>
        <AttemptMark attempt={row} />
        <Tags row={row} />
      </Cell>
      <Cell className={styles.target}>{row.target}</Cell>
      <Cell className={styles.took}>{row.tookUs === null ? '' : format.duration(row.tookUs)}</Cell>
    </>
  )
}

function DeliveryCells({ row }: { readonly row: AttemptRow }) {
  const format = useFormat()
  const originText = useOriginText()
  return (
    <>
      <Cell className={styles.outcome}>
        <AttemptMark attempt={row} />
        <Tags row={row} />
      </Cell>
      <Cell className={styles.took}>{row.tookUs === null ? '' : format.duration(row.tookUs)}</Cell>
      <Cell className={styles.target}>{row.target}</Cell>
      <Cell className={styles.time}>
        <span title={format.instant(row.startedAt)}>{format.clock(row.startedAt)}</span> ·{' '}
        {originText(row.origin)}
      </Cell>
    </>
  )
}
