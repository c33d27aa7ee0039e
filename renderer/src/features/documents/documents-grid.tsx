import { kindSpec } from '#catalog/kinds.ts'
import type { DocumentEntry, DocumentSort } from '#contract/documents.ts'
import { amountText, signOf } from '#core/json/money.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, type DataGridProps } from '@/shared/components/data-grid.tsx'
import type { Cell, Column } from '@/shared/components/table.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { filterActions, filterSubmenus, narrowStream } from '@/shared/deliveries/value-actions.ts'
import { StatusMark, statusText } from '@/shared/documents/step-facts.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { condition } from '@/shared/live/filter-edit.ts'
import { useExporting } from '@/shared/live/layers.ts'

/** Hues by kind of document: those of the events that create them. */
export const FAMILY_GROUPS = {
  invoice: 'invoices',
  'credit-note': 'credit',
  'debit-note': 'debit',
  expense: 'expenses',
} as const

const FIGURES =
  'code-s tabular-nums [font-variant-ligatures:none] text-fg [&_small]:ml-5 [&_small]:text-fg-3 [&_small]:text-xs'

/** The party precedes the gaps, which few documents have. At 1280 px beside an open life, the columns up to the gaps fit. */
function useColumns(): readonly Column<DocumentEntry, DocumentSort>[] {
  const { t, format } = useTexts('documents')
  const column = (
    id: DocumentSort,
    track: string,
    sort: 'up' | 'down',
    cell: (entry: DocumentEntry) => Cell,
    end = false,
  ) => ({ id, title: t(`column.${id}`), track, sort, cell, end })
  const when = (us: number): Cell => ({
    content: format.brief(us),
    title: format.instant(us),
    className: 'text-fg-3 text-s tabular-nums',
  })
  return [
    column('kind', '132px', 'up', ({ family, verdict }) => ({
      className: 'flex items-center gap-7 text-fg [&>:last-child]:ml-auto',
      content: (
        <>
          <GroupDot group={FAMILY_GROUPS[family]} />
          <span>{t(`family.${family}`)}</span>
          <VerdictMark verdict={verdict} signOnly />
        </>
      ),
    })),
    column('number', '100px', 'up', ({ number, documentId }) => ({
      className: cx(FIGURES, number === null && 'text-fg-3!'),
      title: documentId,
      content: <Captured text={number ?? documentId} most={80} />,
    })),
    column('party', 'minmax(180px, 2.4fr)', 'up', ({ party }) => ({
      title: party ?? undefined,
      content: party === null ? <i className="text-fg-3">–</i> : <Captured text={party} most={120} cut />,
    })),
    column(
      'total',
      '118px',
      'down',
      ({ total, currency }) => ({
        className: FIGURES,
        title: total ?? undefined,
        content:
          total === null ? null : (
            <>
              {currency === null ? null : (
                <small>
                  <Captured text={signOf(currency, format.language)} most={12} />{' '}
                </small>
              )}
              {amountText(total, format.language)}
            </>
          ),
      }),
      true,
    ),
    column('status', 'minmax(124px, 1fr)', 'up', ({ statusId, lastKind }) => ({
      className: 'flex items-center gap-7 text-s [&>:last-child]:min-w-0 [&>:last-child]:truncate',
      title: statusId === null ? lastKind : `${statusText(statusId, format.language)} · ${lastKind}`,
      content: (
        <>
          <GroupDot group={kindSpec(lastKind)?.group ?? null} />
          {statusId === null ? <span>{lastKind}</span> : <StatusMark id={statusId} as="short" />}
        </>
      ),
    })),
    column('gaps', 'minmax(92px, 1.1fr)', 'down', ({ gaps, recovered }) => {
      const [first, ...others] = gaps.filter(
        (gap) => gap !== 'no-created' || !gaps.includes('voided-without-created'),
      )
      return {
        className: 'flex items-center gap-4 [&>*]:flex-none [&>:first-child]:flex-initial [&>*]:truncate',
        content: (
          <>
            {first ? (
              <Tag tone="warning" title={t(`gapHint.${first}`)}>
                {t(`gaps.${first}`)}
              </Tag>
            ) : null}
            {others.length > 0 ? (
              <Tag tone="warning" title={others.map((gap) => t(`gapHint.${gap}`)).join('\n')}>
                +{others.length}
                <span className="visually-hidden">{others.map((gap) => t(`gaps.${gap}`)).join(', ')}</span>
              </Tag>
            ) : null}
            {recovered > 0 ? (
              <Tag tone="synthetic" title={t('recovered', { count: recovered })}>
                {t('recovered', { count: recovered })}
              </Tag>
            ) : null}
          </>
        ),
      }
    }),
    column(
      'events',
      '54px',
      'down',
      ({ events }) => ({ content: format.number(events), className: FIGURES }),
      true,
    ),
    column('first', '108px', 'down', ({ firstAt }) => when(firstAt)),
    column('last', '108px', 'down', ({ lastAt }) => when(lastAt)),
  ]
}

type Grid = DataGridProps<DocumentEntry, DocumentSort, string>

export interface DocumentsGridProps
  extends Pick<Grid, 'rows' | 'sorted' | 'onSort' | 'open' | 'onOpen' | 'onClose' | 'onEnter' | 'ref'> {
  /** Adds a condition to the documents' filter. */
  readonly onNarrow: (term: string) => void
}

const TERMS: Readonly<Partial<Record<DocumentSort, (entry: DocumentEntry) => string | null>>> = {
  number: ({ number }) => condition('number', number),
  party: ({ party }) => condition('party', party),
  status: ({ statusId }) => condition('status', statusId),
}

export function DocumentsGrid({ onNarrow, ...props }: DocumentsGridProps) {
  const { t } = useTexts('documents')
  return (
    <DataGrid
      label={t('grid')}
      className="[--gap:10px] [--least:1120px] text-fg-2"
      columns={useColumns()}
      keyOf={({ key }) => key}
      menu={(entry, cell) => {
        const terms = Object.values(TERMS).flatMap((of) => of(entry) ?? [])
        const one = cell === null ? null : TERMS[cell]?.(entry)
        return [
          one ? filterActions(one, onNarrow) : filterSubmenus(terms, onNarrow),
          [
            onThis('deliveries', 'on.deliveries', () => narrowStream(`doc:${entry.documentId}`)),
            copyAction('copy-id', 'on.copyId', entry.documentId),
            onThis('export', 'stream:chosen.export', () =>
              useExporting.getState().open({ type: 'document', documentId: entry.key }),
            ),
          ],
        ]
      }}
      {...props}
    />
  )
}
