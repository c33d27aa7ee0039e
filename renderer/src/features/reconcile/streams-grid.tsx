import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentClass, DocumentRow, RowRule, SyncRoute } from '#contract/reconcile.ts'
import { grouped, money } from '#core/json/money.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, type DataGridProps } from '@/shared/components/data-grid.tsx'
import type { Column } from '@/shared/components/table.tsx'
import { StatusMark } from '@/shared/documents/step-facts.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { type PagedRows, usePagedRows } from '@/shared/live/paged-rows.ts'
import { CLASS_INK, CLASS_SIGNS, inRuns, useDay, useWhy } from './row-words.ts'

export interface RowsQuery {
  readonly sweep: number
  /** Empty: every class. */
  readonly classes: readonly DocumentClass[]
  readonly text: string
  /** Rises when the same question has another answer. */
  readonly beat: number
}
export type Rows = PagedRows<DocumentRow>

export function useRows({ sweep, classes, text, beat }: RowsQuery): Rows {
  return usePagedRows<DocumentRow>({
    scope: JSON.stringify([sweep, classes, text]),
    beat,
    page: 200,
    read: (from, limit) =>
      api.call('reconciliation.rows', {
        sweep,
        ...(classes.length === 0 ? {} : { classes }),
        ...(text === '' ? {} : { text }),
        from,
        limit,
      }),
  })
}

/** Documents in their classes by these rules have no record in the service's answer. */
const UNLISTED: readonly RowRule[] = ['not-listed', 'no-issue-date', 'items-not-identified']
const isListed = ({ rules }: DocumentRow): boolean => !rules.some((rule) => UNLISTED.includes(rule))

const STREAM = 'flex items-baseline gap-12 [&>*]:overflow-hidden [&>*]:text-ellipsis'
/** Where a stream has nothing of a document: hatched, but for what was recovered. */
const ABSENT = 'self-stretch -mx-6 px-6 text-fg-2 text-s leading-[calc(var(--row)_-_1px)]'
const GROUNDS = {
  absent:
    'bg-[repeating-linear-gradient(-45deg,transparent_0_5px,color-mix(in_srgb,var(--text-3)_12%,transparent)_5px_10px)]',
  missed:
    'bg-[repeating-linear-gradient(-45deg,transparent_0_5px,color-mix(in_srgb,var(--invalid)_10%,transparent)_5px_10px)]',
  taken: 'bg-[color-mix(in_srgb,var(--valid)_8%,transparent)]',
} as const
const FIGURES = 'code-s tabular-nums [font-variant-ligatures:none]'

function useColumns(route: SyncRoute, zone: string): readonly Column<DocumentRow>[] {
  const { t } = useTranslation('reconcile')
  const day = useDay(zone)
  const why = useWhy()
  const { language } = useFormat()
  const identity = ({ number, documentId, key }: DocumentRow) => (
    <span className={`${FIGURES} flex-none max-w-[60%]`} title={documentId ?? undefined}>
      <Captured text={number ?? documentId ?? key} most={80} />
    </span>
  )
  // As sent, in the tooltip.
  const asSent = ({ total, currency }: DocumentRow) => [currency, total].filter(Boolean).join(' ')
  return [
    {
      id: 'captured',
      title: t('grid.captured'),
      track: 'minmax(296px, 2.2fr)',
      cell: (row) =>
        row.events.length === 0
          ? {
              content: t(row.class === 'recovered' ? 'grid.rebuilt' : 'grid.notCaptured'),
              className: cx(ABSENT, row.class === 'recovered' ? GROUNDS.taken : GROUNDS.missed),
              span: 3,
            }
          : {
              className: STREAM,
              content: (
                <>
                  {identity(row)}
                  <span className="text-fg-2" title={row.events.join(' · ')}>
                    {inRuns(row.events)}
                  </span>
                </>
              ),
            },
    },
    {
      id: 'status',
      title: t('grid.status'),
      untitled: true,
      track: '62px',
      cell: (row) =>
        row.events.length === 0
          ? null
          : {
              className: `${FIGURES} text-end`,
              content: row.capturedStatus === null ? null : <StatusMark id={row.capturedStatus} as="id" />,
            },
    },
    {
      id: 'capturedTotal',
      title: t('grid.capturedTotal'),
      track: 'minmax(96px, 0.4fr)',
      end: true,
      cell: (row) =>
        row.events.length === 0
          ? null
          : {
              className: cx(FIGURES, row.differences.includes('Total') && 'text-invalid'),
              title: row.capturedTotal ?? undefined,
              content:
                row.capturedTotal === null ? null : (
                  <Captured text={grouped(row.capturedTotal, language)} most={60} />
                ),
            },
    },
    {
      id: 'state',
      title: t('grid.state'),
      untitled: true,
      track: '24px',
      cell: (row) => ({
        className: cx(
          'text-center',
          CLASS_INK[row.class] ?? (row.class === 'matched' ? 'text-valid' : 'text-fg-2'),
        ),
        title: t(`classHint.${row.class}`),
        content: (
          <>
            <b aria-hidden="true">{CLASS_SIGNS[row.class]}</b>
            <span className="visually-hidden">{t(`class.${row.class}`)}</span>
          </>
        ),
      }),
    },
    {
      id: 'service',
      title: t(`form.routes.${route}`),
      track: 'minmax(266px, 1.9fr)',
      cell: (row) =>
        isListed(row)
          ? {
              className: STREAM,
              content: (
                <>
                  {identity(row)}
                  <span className="text-fg-2">
                    {row.party === null ? null : <Captured text={row.party} most={80} />}
                  </span>
                </>
              ),
            }
          : {
              className: cx(ABSENT, GROUNDS.absent),
              span: 3,
              content: t('grid.notInService', { route: t(`form.routes.${route}`) }),
            },
    },
    {
      id: 'issued',
      title: t('grid.issued'),
      track: '98px',
      cell: (row) =>
        isListed(row)
          ? {
              className: `${FIGURES} text-fg-2 font-ui`,
              content: row.issuedAt === null ? '–' : day(row.issuedAt),
            }
          : null,
    },
    {
      id: 'total',
      title: t('grid.total'),
      track: 'minmax(120px, 0.5fr)',
      end: true,
      cell: (row) =>
        isListed(row)
          ? {
              className: cx(FIGURES, row.differences.includes('Total') && 'text-invalid'),
              title: asSent(row),
              content: (
                <Captured
                  text={row.total === null ? '' : money(row.total, row.currency, language)}
                  most={60}
                />
              ),
            }
          : null,
    },
    {
      id: 'why',
      title: t('grid.why'),
      track: 'minmax(150px, 1.4fr)',
      cell: (row) => ({
        className: 'text-fg-2 text-s',
        title: why(row),
        content: <Captured text={why(row)} most={300} />,
      }),
    },
  ]
}

export interface StreamsGridProps extends Pick<DataGridProps<DocumentRow, string, string>, 'menu'> {
  readonly rows: Rows
  readonly route: SyncRoute
  readonly zone: string
  readonly filtered: boolean
  readonly open: string | null
  readonly onOpen: (key: string) => void
  readonly onClose: () => void
  readonly onEnter: () => void
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly ref: RefObject<HTMLDivElement | null>
}

/** Both streams beside each other, one document a row: what was captured, what the service has, and why they are not the same. */
export function StreamsGrid({ route, zone, filtered, ...grid }: StreamsGridProps) {
  const { t } = useTranslation('reconcile')
  return (
    <DataGrid
      label={t('grid.label')}
      className="[--gap:8px] [--least:1196px]"
      columns={useColumns(route, zone)}
      keyOf={({ key }) => key}
      none={t(filtered ? 'grid.none' : 'grid.noneAtAll')}
      {...grid}
    />
  )
}
