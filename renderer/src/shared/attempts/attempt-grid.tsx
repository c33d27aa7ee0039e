import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import type { Cell, Column } from '@/shared/components/table.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { deliveryActions } from '@/shared/deliveries/value-actions.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { AttemptMark } from './attempt-mark.tsx'
import { useOriginText } from './attempt-words.ts'

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

/** Of many deliveries, one line each. */
function useLines(): readonly Column<AttemptRow>[] {
  const format = useFormat()
  const column = (id: string, track: string, cell: Column<AttemptRow>['cell']) => ({ id, track, cell })
  return [
    column('time', '92px', ({ startedAt }) => ({
      content: format.clock(startedAt),
      className: `${FAINT} font-code`,
    })),
    column('delivery', '76px', ({ deliveryId }) => ({
      content: `#${deliveryId}`,
      className: 'font-code tabular-nums',
    })),
    column('outcome', 'minmax(110px, 1fr)', outcomeOf),
    column('target', 'minmax(80px, 1fr)', ({ target }) => ({ content: target, className: 'text-fg-2' })),
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

/** Of one delivery, two lines each: its pane is narrow. */
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
          <span className="flex items-center gap-8">{outcomeOf(row).content}</span>,
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
  /** Attempts of one delivery are told apart by target and origin, others by delivery. */
  readonly ofOne: boolean
  readonly rows: readonly AttemptRow[]
  readonly last: number | null
  readonly onOpen: (attempt: number) => void
  readonly onMore: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** Attempts, newest first; arrows point, Enter opens. */
export function AttemptGrid({ ofOne, rows, last, onOpen, onMore, ...grid }: AttemptGridProps) {
  const [lines, twoLines] = [useLines(), useTwoLines()]
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
