import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { money } from '#core/json/money.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import type { Cell, Column } from '@/shared/components/table.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { numberOf } from '@/shared/deliveries/columns.ts'
import { deliveryActions } from '@/shared/deliveries/value-actions.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { AttemptMark, ImportedTag } from './attempt-mark.tsx'
import { useAttemptErrorText, useOriginText } from './attempt-words.ts'

export function AttemptTags({ row }: { readonly row: AttemptRow }) {
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

const FAINT = 'text-fg-3 tabular-nums'

const CODE = 'font-code tabular-nums'

/** Rows per request. */
const MOST = 500

/** The sent deliveries by id, as far as they are loaded. Deleted ones stay absent; a delivery that waits for analysis is read again. */
function useDeliveries(ids: readonly number[]): ReadonlyMap<number, DeliveryRow> {
  const [known, setKnown] = useState<ReadonlyMap<number, DeliveryRow | null>>(new Map())
  useEffect(() => {
    const wanted = [...new Set(ids)].filter((id) => known.get(id) === undefined).slice(0, MOST)
    if (wanted.length === 0) return
    let left = false
    api
      .call('deliveries.rows', { ids: wanted })
      .then(({ rows }) => {
        if (left) return
        const found = new Map(rows.map((row) => [row.id, row]))
        setKnown(
          (before) => new Map([...before, ...wanted.map((id) => [id, found.get(id) ?? null] as const)]),
        )
      })
      // The list already shows a refusal; its rows then lack the details of their delivery.
      .catch(() => undefined)
    return () => {
      left = true
    }
  }, [ids, known])
  return new Map([...known].flatMap(([id, row]) => (row ? [[id, row]] : [])))
}

/** Columns for attempts of many deliveries, one line each: the delivery and the outcome. */
function useLines(rows: readonly AttemptRow[], ofOne: boolean): readonly Column<AttemptRow>[] {
  const format = useFormat()
  const errorText = useAttemptErrorText()
  const deliveries = useDeliveries(
    useMemo(() => (ofOne ? [] : rows.map((row) => row.deliveryId)), [rows, ofOne]),
  )
  const column = (id: string, track: string, cell: Column<AttemptRow>['cell']) => ({ id, track, cell })
  const about = (show: (delivery: DeliveryRow) => Cell): Column<AttemptRow>['cell'] => {
    return ({ deliveryId }) => {
      const delivery = deliveries.get(deliveryId)
      return delivery ? show(delivery) : ''
    }
  }
  const [first] = rows
  return [
    column('time', '92px', ({ startedAt }) => ({
      content: format.clock(startedAt),
      className: `${FAINT} font-code`,
    })),
    column('delivery', 'minmax(48px, max-content)', ({ deliveryId }) => ({
      content: `#${deliveryId}`,
      className: `${FAINT} font-code`,
    })),
    column(
      'kind',
      'minmax(124px, min(16%, 164px))',
      about(({ group, event }) => ({
        content: (
          <span className="flex items-center gap-7 min-w-0">
            <GroupDot group={group} />
            <span className="truncate">{event ?? '–'}</span>
          </span>
        ),
        title: event ?? undefined,
      })),
    ),
    column(
      'number',
      'minmax(96px, 110px)',
      about((row) => ({ content: numberOf(row) ?? '–', title: numberOf(row) ?? undefined, className: CODE })),
    ),
    column(
      'party',
      'minmax(90px, min(15%, 240px))',
      about(({ document }) => ({
        content: document?.party ? <Captured text={document.party} most={120} cut /> : '–',
        title: document?.party ?? undefined,
        className: 'text-fg-2',
      })),
    ),
    column(
      'total',
      '112px',
      about(({ document }) => ({
        content: document?.total ? money(document.total, document.currency, format.language) : '–',
        className: `${CODE} text-end`,
      })),
    ),
    column('outcome', 'minmax(136px, 1fr)', (row) => {
      const line = row.answerLine ?? (row.error ? errorText(row.error) : null)
      const { content, className } = outcomeOf(row)
      return {
        // Without room for some words of it, the line wraps out of sight.
        className: `${className} flex-wrap max-h-18 overflow-hidden`,
        title: line ?? undefined,
        content: (
          <>
            {content}
            {line === null ? null : (
              <span className="flex-[1_1_60px] min-w-0 truncate text-fg-3">
                <Captured text={line} />
              </span>
            )}
          </>
        ),
      }
    }),
    ...(rows.some(({ target }) => target !== first?.target)
      ? [
          column('target', 'minmax(80px, 0.6fr)', ({ target }) => ({
            content: target,
            className: 'text-fg-2',
          })),
        ]
      : []),
    // A column of its own: beside the outcome it would take the place of the error.
    ...(rows.some(({ imported }) => imported)
      ? [column('imported', 'max-content', (row) => ({ content: <ImportedTag of={row} /> }))]
      : []),
    column('took', '64px', ({ tookUs }) => ({
      content: tookUs === null ? '' : format.duration(tookUs),
      className: `${FAINT} font-code text-end`,
    })),
  ]
}

const outcomeOf = (row: AttemptRow): Cell => ({
  className: 'flex items-center gap-8',
  content: (
    <>
      <AttemptMark attempt={row} />
      <AttemptTags row={row} />
    </>
  ),
})

/** Columns for attempts of one delivery, two lines each because the pane is narrow. */
function useTwoLines(): readonly Column<AttemptRow>[] {
  const format = useFormat()
  const originText = useOriginText()
  const two = (above: ReactNode, below: ReactNode) => (
    <>
      {above}
      <span className={cx(FAINT, 'block truncate')}>{below}</span>
    </>
  )
  return [
    {
      id: 'outcome',
      track: 'minmax(0, 1fr)',
      cell: (row) => ({
        content: two(
          <span className="flex items-center gap-8">
            {outcomeOf(row).content}
            <ImportedTag of={row} />
          </span>,
          <>
            <span title={format.instant(row.startedAt)}>{format.clock(row.startedAt)}</span> ·{' '}
            {originText(row.origin)}
          </>,
        ),
      }),
    },
    {
      id: 'target',
      track: 'minmax(0, auto)',
      cell: ({ target, tookUs }) => ({
        className: 'text-end',
        content: two(
          <span className="block max-w-220 text-fg-2 truncate">{target}</span>,
          <span className="font-code">{tookUs === null ? '' : format.duration(tookUs)}</span>,
        ),
      }),
    },
  ]
}

export interface AttemptGridProps {
  readonly label: string
  /** Whether all attempts are of one delivery: then target and origin distinguish them, otherwise the delivery does. */
  readonly ofOne: boolean
  readonly rows: readonly AttemptRow[]
  readonly last: number | null
  readonly onOpen: (attempt: number) => void
  readonly onMore: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** List of attempts, newest first; arrow keys move the cursor, Enter opens. */
export function AttemptGrid({ ofOne, rows, last, onOpen, onMore, ...grid }: AttemptGridProps) {
  const [lines, twoLines] = [useLines(rows, ofOne), useTwoLines()]
  return (
    <DataGrid
      {...grid}
      className="[--gap:0_10px] border-t border-line bg-transparent! text-s"
      columns={ofOne ? twoLines : lines}
      rowPx={ofOne ? 46 : 28}
      rows={useHeldRows(rows, rows.length, onMore)}
      keyOf={({ id }) => id}
      begin={last}
      open={null}
      onOpen={onOpen}
      menu={({ deliveryId }) => [deliveryActions(deliveryId, !ofOne)]}
    />
  )
}
