import { useTranslation } from 'react-i18next'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DriftKind } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { filterActions } from '@/shared/deliveries/value-actions.ts'
import { useFormat } from '@/shared/i18n/format.ts'

export interface KindListProps {
  readonly kinds: readonly DriftKind[]
  readonly chosen: Kind | null
  readonly onChoose: (kind: Kind | null) => void
  readonly onEnter: () => void
}

const ALL = 'all'

export function KindList({ kinds, chosen, onChoose, onEnter }: KindListProps) {
  const { t } = useTranslation('drift')
  const format = useFormat()
  const all = { kind: ALL, fresh: kinds.reduce((sum, { fresh }) => sum + fresh, 0) } as const
  const rows: readonly (DriftKind | typeof all)[] = [all, ...kinds]
  const known = kinds.some(({ kind }) => kind === chosen)
  return (
    <DataGrid
      label={t('kinds')}
      className="[--gap:8px] border-r border-line bg-panel!"
      rowPx={44}
      rows={useHeldRows(rows)}
      keyOf={({ kind }) => kind}
      open={(known && chosen) || ALL}
      onOpen={(kind) => onChoose(kind === ALL ? null : kind)}
      onEnter={onEnter}
      menu={({ kind }) => (kind === ALL ? [] : [filterActions(`kind:${kind}`)])}
      columns={[
        {
          id: 'group',
          track: '7px',
          cell: ({ kind }) =>
            kind === ALL ? '' : { content: <GroupDot group={kindSpec(kind)?.group ?? null} /> },
        },
        {
          id: 'kind',
          track: 'minmax(0, 1fr)',
          cell: (row) => ({
            className: 'grid grid-cols-1',
            content: (
              <>
                <span className="truncate">{row.kind === ALL ? t('all') : row.kind}</span>
                <small className="flex gap-10 text-fg-3 text-xs tabular-nums whitespace-nowrap [&>i]:truncate [&>i]:not-italic">
                  {row.kind === ALL ? <i>{t('allHint')}</i> : t('deliveries', { count: row.deliveries })}
                  {row.kind !== ALL && row.learning ? (
                    <i>{t('learning', { seen: row.deliveries, need: LEARNING_DELIVERIES })}</i>
                  ) : null}
                </small>
              </>
            ),
          }),
        },
        {
          id: 'fresh',
          track: 'auto',
          cell: ({ fresh: count }) =>
            count === 0
              ? ''
              : {
                  title: t('fresh', { count, formatted: format.number(count) }),
                  content: (
                    <b
                      className={cx(
                        'block min-w-18 px-5 rounded-9 bg-accent text-on-accent text-center font-semibold font-ui',
                        'text-[10px] leading-[16px]',
                      )}
                    >
                      {format.compact(count)}
                      <span className="visually-hidden"> {t('fresh', { count, formatted: '' }).trim()}</span>
                    </b>
                  ),
                },
        },
      ]}
    />
  )
}
