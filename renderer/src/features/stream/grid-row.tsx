// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants

import type { TFunction } from 'i18next'
import { Pin, StickyNote } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { DeliveryRow, Verdict } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import { amountText, signOf } from '#core/json/money.ts'
import { cx } from '@/shared/components/cx.ts'
import type { Cell } from '@/shared/components/table.tsx'
import { GroupDot, MarkTags, Tag, VERDICT_SIGNS } from '@/shared/components/tag.tsx'
import { COLUMNS, type ColumnId, numberOf } from '@/shared/deliveries/columns.ts'
import { spelled } from '@/shared/formats/visible.ts'
import { type Format, useTexts } from '@/shared/i18n/format.ts'
import styles from './grid.module.css'

export interface GridRowProps {
  /** Undefined while its page loads. */
  readonly row: DeliveryRow | undefined
  readonly index: number
  readonly elementId: string
  readonly columns: readonly ColumnId[]
  readonly selected: boolean
  readonly chosen: boolean
  readonly current: boolean
  readonly text: CellText
}

const BARS = Object.fromEntries(COLUMNS.map(({ id, bar }) => [id, bar]))
const CLASSES = Object.fromEntries(
  COLUMNS.map(({ id, end }) => [id, cx(styles.cell, styles[id], end && styles.end)]),
) as Readonly<Record<ColumnId, string>>

/** Memoized by the delivery: while the list follows, every arrival changes every row's index. */
const Cells = memo(function Cells(props: Pick<GridRowProps, 'row' | 'columns' | 'text'>) {
  const { row, columns, text } = props
  return columns.map((column, i) => {
    const { content, title, className } = row
      ? CELLS[column](row, text)
      : {
          content: (
            <i className="inline-block h-7 rounded-4 bg-line opacity-70" style={{ width: BARS[column] }} />
          ),
        }
    return (
      <div
        key={column}
        role="gridcell"
        aria-colindex={i + 1}
        title={title}
        className={className === undefined ? CLASSES[column] : `${CLASSES[column]} ${className}`}
      >
        {content}
      </div>
    )
  })
})

/** One delivery. A scroll renders forty per frame. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, elementId, columns, selected, chosen, current, text } = props
  return (
    <div
      role="row"
      id={elementId}
      aria-rowindex={index + 2}
      aria-selected={selected || chosen}
      aria-busy={row === undefined || undefined}
      data-index={index}
      className={cx(
        styles.row,
        selected && styles.selected,
        chosen && styles.chosen,
        current && styles.current,
        row?.rejected && styles.rejected,
      )}
    >
      <Cells row={row} columns={columns} text={text} />
    </div>
  )
})

/** Texts of the cells, looked up once for all rows: a burst renders five hundred rows per second. */
export interface CellText {
  readonly t: TFunction<['stream', 'common']>
  readonly format: Format
  readonly verdicts: Readonly<Record<Verdict | 'unjudged', string>>
}

export function useCellText(): CellText {
  const { t, format } = useTexts(['stream', 'common'])
  return useMemo(() => {
    const words = ([...VERDICTS, 'unjudged'] as const).map((v) => [v, t(`common:verdict.${v}`)])
    return { t, format, verdicts: Object.fromEntries(words) as CellText['verdicts'] }
  }, [t, format])
}

function kindOf(row: DeliveryRow, { t, verdicts }: CellText): Cell {
  const unnamed = row.verdict === null ? verdicts.unjudged : t('noEvent')
  const reason = row.malformed === null ? null : t(`common:malformed.${row.malformed}`)
  return {
    title: row.event ?? undefined,
    content: (
      <>
        <GroupDot group={row.group} />
        {row.event === null || row.verdict === 'test' ? (
          <span className={styles.absent}>{row.event === null ? unnamed : t('test')}</span>
        ) : (
          spelled(row.event)
        )}
        {row.marks.includes('pinned') ? (
          <Pin className="size-12 text-accent" aria-label={t('common:mark.pinned')} />
        ) : null}
        {row.note ? <StickyNote className="size-12 text-accent" aria-label={t('noted')} /> : null}
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
        <MarkTags marks={row.marks} />
      </>
    ),
  }
}

function documentOf(row: DeliveryRow): Cell {
  const [known, { documentId }] = [numberOf(row), row]
  if (known === null) return { content: '–' }
  return {
    content: spelled(known),
    title: documentId ?? undefined,
    className: cx(known !== documentId && styles.number),
  }
}

function totalOf({ document }: DeliveryRow, { format: { language } }: CellText): Cell {
  if (!document || document.total === null) return { content: '–' }
  const { total, currency } = document
  return {
    className: styles.number,
    content: (
      <>
        {currency === null ? null : <small>{signOf(currency, language)} </small>}
        {amountText(total, language)}
      </>
    ),
  }
}

/** Result of the latest attempt, and the number of attempts. */
function attemptsOf({ attempts, lastAttempt: last }: DeliveryRow, { t, format }: CellText): Cell {
  if (!last) return { content: '–' }
  const { state, status, ok } = last
  return {
    title: `${t('attempted.count', { count: attempts })} · ${t(`attempted.${state}`, { status })}`,
    className: ok ? styles.valid : cx(ok === false && styles.refused),
    content: (
      <>
        {status ?? (state === 'sending' ? '…' : state === 'uncertain' ? '?' : '✕')}
        {attempts > 1 ? <small> ×{format.number(attempts)}</small> : null}
      </>
    ),
  }
}

/** Captured values become text, never markup; characters that hide or reorder others are spelled out. */
type Draw = (row: DeliveryRow, text: CellText) => Cell

const OWN: Readonly<Partial<Record<ColumnId, Draw>>> = {
  time: ({ receivedAt }, { format }) => ({
    content: format.clock(receivedAt),
    title: format.instant(receivedAt),
  }),
  kind: kindOf,
  document: documentOf,
  verdict: ({ verdict }, { verdicts }) => ({
    className: verdict === null ? undefined : styles[verdict],
    title: verdicts[verdict ?? 'unjudged'],
    content: (
      <>
        <b aria-hidden="true">{verdict === null ? '…' : VERDICT_SIGNS[verdict]}</b>
        <span className="in-data-short:visually-hidden">{verdicts[verdict ?? 'unjudged']}</span>
      </>
    ),
  }),
  tags: ({ tags }) => ({
    title: tags.length === 0 ? undefined : tags.join(' '),
    content: tags.map((tag) => <Tag key={tag}>{tag}</Tag>),
  }),
  answer: ({ answer }) => ({
    content: answer ?? '–',
    className: answer !== null && answer >= 400 ? styles.refused : undefined,
  }),
  size: ({ size }, { format }) => ({ content: format.bytes(size) }),
  attempts: attemptsOf,
  total: totalOf,
  took: ({ tookUs }, { format }) => ({ content: tookUs === null ? '–' : format.duration(tookUs) }),
}
const CELLS = Object.fromEntries(
  COLUMNS.map(({ id, value }): [ColumnId, Draw] => {
    const plain: Draw = (row) => {
      const text = spelled(String(value(row) ?? '–'))
      return { content: text, title: text }
    }
    return [id, OWN[id] ?? plain]
  }),
) as Readonly<Record<ColumnId, Draw>>
