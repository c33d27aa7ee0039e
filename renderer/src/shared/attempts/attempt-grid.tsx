// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { type ReactNode, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { Tag } from '@/shared/components/tag.tsx'
import { VirtualGrid } from '@/shared/components/virtual-grid.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { AttemptMark } from './attempt-mark.tsx'
import { useOriginText } from './attempt-words.ts'
import styles from './attempts.module.css'

/** Two lines where the pane is narrow, one in a list of many. */
const ROW_PX = { delivery: 46, many: 28 } as const

export interface AttemptGridProps {
  readonly label: string
  /** `delivery`: all of one delivery, told apart by target and origin; `many`: told apart by delivery. */
  readonly kind: keyof typeof ROW_PX
  readonly rows: readonly AttemptRow[]
  /** The one that was open last: keys begin there. */
  readonly last: number | null
  readonly onOpen: (attempt: AttemptRow) => void
  readonly onMore: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** Attempts, newest first; arrows point, Enter opens. What is pointed at stays so while others come in. */
export function AttemptGrid({ label, kind, rows, last, onOpen, onMore, ref }: AttemptGridProps) {
  const [pointed, setPointed] = useState<number | null>(last)
  const at = rows.findIndex((row) => row.id === pointed)
  const press = (key: string): boolean => {
    if (key !== 'Enter') return false
    const row = rows[at]
    if (row) onOpen(row)
    return true
  }
  return (
    <VirtualGrid
      ref={ref}
      label={label}
      className={cx(styles.grid, styles[kind])}
      count={rows.length}
      rowPx={ROW_PX[kind]}
      at={at}
      onPoint={(index) => setPointed(rows[index]?.id ?? null)}
      onKey={press}
      onMore={onMore}
      row={(index) => {
        const row = rows[index]
        if (!row) return null
        return {
          key: row.id,
          selected: row.id === pointed,
          onClick: () => {
            setPointed(row.id)
            onOpen(row)
          },
          cells: kind === 'many' ? <ManyCells row={row} /> : <DeliveryCells row={row} />,
        }
      }}
    />
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
