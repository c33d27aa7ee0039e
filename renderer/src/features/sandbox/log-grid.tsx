import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import type { Column } from '@/shared/components/table.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import type { LogView } from './log-source.ts'
import { OutcomeMark, useEntryText } from './run-result.tsx'

const CODE = 'font-code text-s tabular-nums'

function useColumns(): readonly Column<SandboxLogBrief>[] {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const said = useEntryText()
  const column = (
    id: 'time' | 'kind' | 'subject' | 'target' | 'outcome' | 'status' | 'took',
    track: string,
    cell: Column<SandboxLogBrief>['cell'],
    /** Left out where there is little room: the open entry has it. */
    spare = false,
  ) => ({
    id,
    title: t(`log.column.${id}`),
    track,
    cell,
    className: spare ? '@max-[800px]:hidden' : undefined,
  })
  const figure = (content: string | number) => ({ content, className: cx(CODE, 'text-end text-fg-2') })
  return [
    column('time', '96px', ({ at }) => ({
      content: format.clock(Date.parse(at) * 1_000),
      className: cx(CODE, 'text-fg-3'),
    })),
    column('kind', 'minmax(170px, 1.3fr)', ({ kind, type }) => ({
      className: 'flex items-center gap-6',
      content: (
        <>
          <GroupDot group={kindSpec(kind)?.group ?? null} />
          <span className="truncate">{kind}</span>
          {type === 'event' ? null : <Tag>{t(`log.typeTag.${type}`)}</Tag>}
        </>
      ),
    })),
    column(
      'subject',
      'minmax(88px, 1.1fr)',
      ({ subject, kind }) => {
        const known = subject !== null && subject !== kind
        return {
          content: known ? subject : '–',
          title: known ? subject : undefined,
          className: cx(CODE, 'text-fg-3'),
        }
      },
      true,
    ),
    column('target', 'minmax(100px, 1fr)', ({ subscription }) => ({
      content: subscription.name,
      className: 'text-fg-2 text-s',
    })),
    column('outcome', 'minmax(210px, 1.5fr)', (entry) => ({
      className: 'flex items-center gap-6 text-fg-2 text-s',
      content: (
        <>
          <OutcomeMark outcome={entry.outcome} />
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
    })),
    column('status', '52px', ({ status }) => figure(status ?? ''), true),
    column(
      'took',
      '76px',
      ({ durationMs }) => figure(durationMs === null ? '' : format.duration(durationMs * 1_000)),
      true,
    ),
  ]
}

export interface LogGridProps {
  readonly log: LogView
  readonly open: number | null
  readonly onOpen: (id: number) => void
  readonly onClose: () => void
  readonly ref: RefObject<HTMLDivElement | null>
}

export function LogGrid({ log: { entries, total, more }, ...grid }: LogGridProps) {
  const { t } = useTranslation('sandbox')
  return (
    <DataGrid
      {...grid}
      label={t('log.grid')}
      className="@container [--gap:12px] [--least:860px] @max-[800px]:[&_[role=row]]:[--least:580px] @max-[800px]:[&_[role=row]]:[--columns:96px_minmax(170px,1.2fr)_minmax(90px,0.8fr)_minmax(190px,1.6fr)]"
      columns={useColumns()}
      rows={useHeldRows(entries, total, more)}
      keyOf={({ id }) => id}
    />
  )
}
