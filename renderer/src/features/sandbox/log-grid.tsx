import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { money } from '#core/json/money.ts'
import { onThis } from '@/shared/actions/made.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, type DataGridProps, useHeldRows } from '@/shared/components/data-grid.tsx'
import type { Column } from '@/shared/components/table.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { useWidth } from '@/shared/components/use-width.ts'
import { StatusMark } from '@/shared/documents/step-facts.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { OutcomeMark, useSandboxText } from './run-result.tsx'
import { changeFilter, type LogFilter, type LogView } from './sandbox.ts'

const CODE = 'font-code text-s tabular-nums'

/** Each with the grid's width in px from which on it is shown; below, only the open entry shows it. A target shows when it varies. */
const COLUMNS = [
  ['time', '92px', 0],
  ['kind', 'minmax(164px, 1fr)', 0],
  ['statusId', '118px', 800],
  ['document', 'minmax(98px, 0.7fr)', 0],
  ['party', 'minmax(96px, 2fr)', 1_020],
  ['total', '118px', 920],
  ['target', 'minmax(70px, 0.7fr)', 0],
  ['outcome', 'minmax(176px, 1fr)', 0],
  ['took', '62px', 1_120],
] as const
type ColumnId = (typeof COLUMNS)[number][0]
const FIGURES: readonly ColumnId[] = ['total', 'took']

function useColumns(rows: readonly SandboxLogBrief[], width: number): readonly Column<SandboxLogBrief>[] {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const said = useSandboxText()
  const cells: Readonly<Record<ColumnId, Column<SandboxLogBrief>['cell']>> = {
    time: ({ at }) => ({ content: format.clock(Date.parse(at) * 1_000), className: cx(CODE, 'text-fg-3') }),
    kind: ({ kind, type }) => ({
      className: 'flex items-center gap-6',
      content: (
        <>
          <GroupDot group={kindSpec(kind)?.group ?? null} />
          <span className="truncate">{kind}</span>
          {type === 'event' ? null : <Tag>{t(`log.typeTag.${type}`)}</Tag>}
        </>
      ),
    }),
    statusId: ({ statusId }) =>
      statusId === null ? '' : { content: <StatusMark id={statusId} as="short" />, className: 'text-s' },
    document: ({ document, subject, kind }) => {
      const name = document?.number ?? (subject === kind ? null : subject)
      return {
        content: name === null ? '–' : <Captured text={name} most={60} />,
        title: subject ?? undefined,
        className: cx(CODE, document?.number ? 'text-fg' : 'text-fg-3'),
      }
    },
    party: ({ document }) => ({
      content: document?.party ? <Captured text={document.party} most={120} /> : '',
      title: document?.party ?? undefined,
      className: 'text-fg-2 text-s',
    }),
    total: ({ document }) => ({
      content: document?.total ? money(document.total, document.currency, format.language) : '',
      className: CODE,
    }),
    target: ({ subscription: { name } }) => ({ content: name, title: name, className: 'text-fg-2 text-s' }),
    outcome: (entry) => ({
      className: 'flex items-center gap-6 text-fg-2 text-s [&>:last-child]:truncate',
      content: (
        <>
          <OutcomeMark outcome={entry.outcome} />
          <span className={cx(CODE, 'text-fg-3')}>{entry.status}</span>
          {entry.lost && entry.outcome !== 'lost' && entry.outcome !== 'not-dispatched' ? (
            <Tag tone="warning">{t('outcome.lost')}</Tag>
          ) : null}
          {entry.supersededBy === null ? null : (
            <Tag title={t('log.supersededHint')}>{t('log.superseded')}</Tag>
          )}
          {entry.deeds.length > 0 && entry.outcome !== 'lost' ? (
            <Tag tone="synthetic" title={said.deeds(entry).join(', ')}>
              {t('log.laboratory')}
            </Tag>
          ) : null}
        </>
      ),
    }),
    took: ({ durationMs }) => ({
      content: durationMs === null ? '' : format.duration(durationMs * 1_000),
      className: cx(CODE, 'text-fg-3'),
    }),
  }
  const [first] = rows
  const varied = rows.some(({ subscription }) => subscription.id !== first?.subscription.id)
  return COLUMNS.filter(([id, , least]) => width >= least && (id !== 'target' || varied)).map(
    ([id, track]) => ({
      id,
      track,
      title: t(`log.column.${id}`),
      cell: cells[id],
      end: FIGURES.includes(id),
    }),
  )
}

const filterBy = (id: string, term: string, members: LogFilter) =>
  onThis(
    id,
    (say) => say('on.filterBy', { term }),
    () => changeFilter(members),
  )

interface LogGridProps
  extends Pick<DataGridProps<SandboxLogBrief, ColumnId, number>, 'open' | 'onOpen' | 'onClose'> {
  readonly log: LogView
  readonly ref: RefObject<HTMLDivElement | null>
}

export function LogGrid({ log: { rows, total, more }, ...grid }: LogGridProps) {
  const { t } = useTranslation('sandbox')
  return (
    <DataGrid
      {...grid}
      label={t('log.grid')}
      className="[--gap:10px] [--least:664px]"
      columns={useColumns(rows, useWidth(grid.ref))}
      rows={useHeldRows(rows, total, more)}
      keyOf={({ id }) => id}
      menu={({ kind, outcome, subscription }) => [
        [
          filterBy('kind', kind, { kind }),
          filterBy('outcome', t(`outcome.${outcome}`), { outcome }),
          filterBy('target', subscription.name, { subscription: subscription.id }),
        ],
      ]}
    />
  )
}
