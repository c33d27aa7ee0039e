import { useTranslation } from 'react-i18next'
import type { DocumentClass, DocumentRow, RowRule, SyncRoute } from '#contract/reconcile.ts'
import { amountText, money } from '#core/json/money.ts'
import { zonedText } from '#core/time/zone.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, type DataGridProps } from '@/shared/components/data-grid.tsx'
import type { Cell, Column } from '@/shared/components/table.tsx'
import { filterActions, narrowStream } from '@/shared/deliveries/value-actions.ts'
import { StatusMark } from '@/shared/documents/step-facts.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { usePagedRows } from '@/shared/live/paged-rows.ts'
import { useRoute } from '@/shared/live/route.ts'
import { CLASS_INK, CLASS_SIGNS, inRuns, useDay, useWhy } from './row-words.ts'

/** @param classes empty: every class @param beat changes when the same query may have a new result */
export const useRows = (sweep: number, classes: readonly DocumentClass[], text: string, beat: number) =>
  usePagedRows<DocumentRow>({
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

/** @returns number of documents of these classes that match the text; null without a text, or until it is known */
export function useFound(sweep: number, classes: readonly DocumentClass[], text: string, beat: number) {
  const question = text === '' || classes.length === 0 ? null : JSON.stringify([sweep, classes, text])
  const asked = { sweep, classes, text, from: 0, limit: 1 }
  return useAnswer(question, () => api.call('reconciliation.rows', asked), beat).data?.total ?? null
}

/** Rules of documents without a record in the service's answer. */
const UNLISTED: readonly RowRule[] = ['not-listed', 'no-issue-date', 'items-not-identified']
const isListed = ({ rules }: DocumentRow): boolean => !rules.some((rule) => UNLISTED.includes(rule))

const STREAM = 'flex items-baseline gap-12 [&>*]:overflow-hidden [&>*]:text-ellipsis'
/** Cell of a document that one side does not have; hatched unless the document was recovered. */
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
  const column = (
    id: 'captured' | 'status' | 'capturedTotal' | 'state' | 'issued' | 'total' | 'why',
    track: string,
    cell: Column<DocumentRow>['cell'],
    more: Partial<Column<DocumentRow>> = {},
  ) => ({ id, title: t(`grid.${id}`), track, cell, ...more })
  const ofCaptured = (cell: (row: DocumentRow) => Cell) => (row: DocumentRow) =>
    row.events.length === 0 ? null : cell(row)
  const ofListed = (cell: (row: DocumentRow) => Cell) => (row: DocumentRow) =>
    isListed(row) ? cell(row) : null
  const figures = ({ differences }: DocumentRow) =>
    cx(FIGURES, differences.includes('Total') && 'text-invalid')
  return [
    column('captured', 'minmax(296px, 2.2fr)', (row) =>
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
    ),
    column(
      'status',
      '62px',
      ofCaptured(({ capturedStatus }) => ({
        className: `${FIGURES} text-end`,
        content: capturedStatus === null ? null : <StatusMark id={capturedStatus} as="id" />,
      })),
      { untitled: true },
    ),
    column(
      'capturedTotal',
      'minmax(96px, 0.4fr)',
      ofCaptured((row) => ({
        className: figures(row),
        title: row.capturedTotal ?? undefined,
        content:
          row.capturedTotal === null ? null : (
            <Captured text={amountText(row.capturedTotal, language)} most={60} />
          ),
      })),
      { end: true },
    ),
    column(
      'state',
      '24px',
      ({ class: name }) => ({
        className: cx('text-center', CLASS_INK[name] ?? (name === 'matched' ? 'text-valid' : 'text-fg-2')),
        title: t(`classHint.${name}`),
        content: (
          <>
            <b aria-hidden="true">{CLASS_SIGNS[name]}</b>
            <span className="visually-hidden">{t(`classOfOne.${name}`)}</span>
          </>
        ),
      }),
      { untitled: true },
    ),
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
                    {row.party === null ? null : <Captured text={row.party} most={80} cut />}
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
    column(
      'issued',
      '98px',
      ofListed(({ issuedAt }) => ({
        className: `${FIGURES} text-fg-2 font-ui`,
        content: issuedAt === null ? '–' : day(issuedAt),
      })),
    ),
    column(
      'total',
      'minmax(120px, 0.5fr)',
      ofListed((row) => ({
        className: figures(row),
        // As sent.
        title: [row.currency, row.total].filter(Boolean).join(' '),
        content: (
          <Captured text={row.total === null ? '' : money(row.total, row.currency, language)} most={60} />
        ),
      })),
      { end: true },
    ),
    column('why', 'minmax(150px, 1.4fr)', (row) => ({
      className: 'text-fg-2 text-s',
      title: why(row),
      content: <Captured text={why(row)} most={300} />,
    })),
  ]
}

type Grid = DataGridProps<DocumentRow, string, string>

export interface StreamsGridProps
  extends Pick<Grid, 'rows' | 'open' | 'onOpen'>,
    Required<Pick<Grid, 'onClose' | 'onEnter' | 'chosen' | 'onChoose' | 'ref'>> {
  readonly route: SyncRoute
  readonly zone: string
  readonly filtered: boolean
  readonly onRebuild: (keys: readonly string[]) => void
  readonly onIgnore: (keys: readonly string[]) => void
  readonly onFind: (text: string) => void
}

/** One row per document: the captured side, the service's side, and why they differ. */
export function StreamsGrid({
  route,
  zone,
  filtered,
  onRebuild,
  onIgnore,
  onFind,
  ...grid
}: StreamsGridProps) {
  const { t } = useTranslation('reconcile')
  return (
    <DataGrid
      label={t('grid.label')}
      className="[--gap:8px] [--least:1196px]"
      columns={useColumns(route, zone)}
      keyOf={({ key }) => key}
      none={t(filtered ? 'grid.none' : 'grid.noneAtAll')}
      menu={({ key, class: name, number, documentId, events, missed, party, issuedAt }, cell) => {
        const day = issuedAt === null ? null : zonedText(zone, issuedAt).slice(0, 10)
        const found = { captured: number, service: party, issued: day }
        // An action on a selected row applies to all selected rows.
        const keys = grid.chosen.has(key) ? [...grid.chosen] : [key]
        return [
          Object.entries(found).flatMap(([column, text]) =>
            text === null || (cell !== null && cell !== column)
              ? []
              : filterActions(text, onFind).slice(0, 1),
          ),
          [
            ...(keys.length > 1 ||
            (name !== 'recovered' && missed.some(({ certainty }) => certainty === 'missed'))
              ? [onThis('rebuild', 'on.rebuild', () => onRebuild(keys))]
              : []),
            onThis('ignore', 'on.ignore', () => onIgnore(keys)),
          ],
          documentId === null || events.length === 0
            ? []
            : [
                onThis('document', 'on.document', () =>
                  useRoute.getState().go('documents', encodeURIComponent(documentId.toLowerCase())),
                ),
                onThis('deliveries', 'on.deliveries', () => narrowStream(`doc:${documentId}`)),
              ],
          [
            ...(number === null ? [] : [copyAction('copy-number', 'on.copyNumber', number)]),
            ...(documentId === null ? [] : [copyAction('copy-id', 'on.copyId', documentId)]),
          ],
        ]
      }}
      {...grid}
    />
  )
}
