import { Copy, Download, ScrollText, Search, SearchX, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { kindSpec } from '#catalog/kinds.ts'
import type { Params } from '#contract/commands.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { SANDBOX_LOG_KEPT, SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from '#contract/values.ts'
import { money } from '#core/json/money.ts'
import { onThis } from '@/shared/actions/made.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, type DataGridProps, useHeldRows } from '@/shared/components/data-grid.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { ExportMenu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import type { Column } from '@/shared/components/table.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useWidth } from '@/shared/components/use-width.ts'
import { StatusMark } from '@/shared/documents/step-facts.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { saveText } from '@/shared/platform/save.ts'
import { ALL_KINDS } from './kinds-picker.tsx'
import { LogEntry } from './log-entry.tsx'
import { OutcomeMark, useSandboxText } from './run-result.tsx'
import { changeFilter, type LogFilter, type LogView, useLog, useLogFilter } from './sandbox.ts'

/** The host's page size. */
const PER_PAGE = 100

function LogExport({ total }: { readonly total: number }) {
  const { t } = useTexts('sandbox')
  const filter = useLogFilter((s) => s.filter)
  const [done, setDone] = useState(0)
  /** All matching entries with request and answer, as NDJSON, oldest first. */
  const give = (said: 'saved' | 'exported', to: (text: string) => unknown) => async (signal: AbortSignal) => {
    const lines: string[] = []
    for (let after: number | null = 0; after !== null; ) {
      setDone(lines.length)
      const query: Params<'sandbox.log-entries'> = { ...filter, order: 'oldest', after, limit: PER_PAGE }
      const { entries, next } = await api.call('sandbox.log-entries', query)
      signal.throwIfAborted()
      for (const entry of entries) lines.push(`${JSON.stringify(entry)}\n`)
      after = next
    }
    await to(lines.join(''))
    return t(`log.${said}`, { count: lines.length })
  }
  const save = (text: string) => saveText('acuse-sandbox-log.ndjson', 'application/x-ndjson', text)
  return (
    <ExportMenu
      disabled={total === 0}
      going={t('log.exporting', { done, total })}
      ways={[
        { label: t('log.exportSave'), icon: <Download />, run: give('saved', save) },
        { label: t('log.exportCopy'), icon: <Copy />, run: give('exported', api.copy) },
      ]}
    >
      {t('log.export')}
    </ExportMenu>
  )
}

export function LogSection() {
  const { t } = useTexts(['sandbox', 'common'])
  const go = useRoute((s) => s.go)
  const { filter } = useLogFilter()
  const log = useLog(filter)
  const [open, setOpen] = useState<number | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const filtered = Object.keys(filter).length > 0
  // After a change of the filter or a reset, the open entry may not be in the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the filter closes the entry
  useEffect(() => setOpen(null), [filter])
  const close = () => {
    setOpen(null)
    grid.current?.focus()
  }
  return (
    <section
      className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 h-full min-h-0"
      aria-label={t('log.title')}
    >
      <LogBar total={log.total} pending={log.pending} />
      <div
        className={cx(
          'grid min-h-0 grid-rows-[minmax(0,1fr)]',
          open === null
            ? 'grid-cols-1'
            : 'grid-cols-[minmax(0,1fr)_minmax(340px,40%)] max-[960px]:grid-rows-2 max-[960px]:grid-cols-1',
        )}
      >
        {log.rows.length > 0 ? (
          <LogGrid ref={grid} log={log} open={open} onOpen={setOpen} onClose={close} />
        ) : log.loading ? (
          <Loading />
        ) : log.refusal ? (
          <EmptyState title={t('log.failed')}>
            <Refused refusal={log.refusal} />
          </EmptyState>
        ) : (
          <EmptyState
            icon={filtered ? <SearchX /> : <ScrollText />}
            title={t(filtered ? 'log.noMatch' : 'log.empty')}
            actions={
              filtered ? (
                <Button onClick={() => useLogFilter.setState({ filter: {} })}>{t('log.clear')}</Button>
              ) : (
                <Button variant="primary" onClick={() => go('sandbox', 'emit')}>
                  {t('log.emptyAction')}
                </Button>
              )
            }
          >
            {t(filtered ? 'log.noMatchText' : 'log.emptyText')}
          </EmptyState>
        )}
        {open === null ? null : <LogEntry key={open} id={open} onClose={close} />}
      </div>
    </section>
  )
}

/** Debounce of the search text. */
const TYPING_MS = 200
const LONGEST_SEARCH = 1_000

function LogBar({ total, pending }: Pick<LogView, 'total' | 'pending'>) {
  const { t } = useTexts('sandbox')
  const { filter } = useLogFilter()
  const [q, setQ] = useState(filter.q ?? '')
  const tooLong = q.length > LONGEST_SEARCH
  // Without subscriptions the menu only offers all targets; the log itself shows the error.
  const { data } = useAnswer('subscriptions', () => api.call('sandbox.subscriptions', {}))
  const targets = data?.subscriptions ?? []
  useEffect(() => setQ(filter.q ?? ''), [filter.q])
  useEffect(() => {
    if (q === (filter.q ?? '') || tooLong) return
    const timer = setTimeout(() => changeFilter({ q }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [q, tooLong, filter.q])
  const choices = [
    ['outcome', t('log.anyOutcome'), SANDBOX_OUTCOMES.map((one) => [one, t(`outcome.${one}`)])],
    ['kind', t('log.anyKind'), ALL_KINDS.map((one) => [one, one])],
    ['subscription', t('log.anySubscription'), targets.map(({ id, name }) => [String(id), name])],
    ['type', t('log.anyType'), SANDBOX_LOG_TYPES.map((one) => [one, t(`log.types.${one}`)])],
  ] as const
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-6 min-h-bar px-12 py-7 border-b border-line bg-panel">
      <TextField
        className="flex-[1_1_170px] max-w-420"
        label={t('log.search')}
        hideLabel
        placeholder={t('log.search')}
        leading={<Search aria-hidden="true" />}
        error={tooLong ? t('fields.long', { most: LONGEST_SEARCH, length: q.length }) : null}
        value={q}
        onChange={setQ}
      />
      {choices.map(([name, all, values]) =>
        // A single target needs no menu.
        name === 'subscription' && values.length < 2 ? null : (
          <Select
            key={name}
            className="w-160"
            label={t(`log.${name}`)}
            hideLabel
            value={String(filter[name] ?? '')}
            onChange={(next) =>
              changeFilter({ [name]: name === 'subscription' ? Number(next) || null : next })
            }
            options={[['', all] as const, ...values].map(([value = '', label = '']) => ({ value, label }))}
          />
        ),
      )}
      <div title={t('log.lostHint')}>
        <Checkbox
          label={t('log.lost')}
          checked={filter.lost === true}
          onChange={(on) => changeFilter({ lost: on || null })}
        />
      </div>
      {filter.run === undefined ? null : (
        <Button
          className="border-transparent! bg-accent-weak! text-accent-text!"
          aria-label={t('log.clearRun')}
          title={t('log.clearRun')}
          onClick={() => changeFilter({ run: null })}
        >
          {t('log.run')}
          <X aria-hidden="true" />
        </Button>
      )}
      <p
        role="status"
        className="ml-auto text-fg-2 text-s tabular-nums whitespace-nowrap"
        title={t('log.bound', { most: SANDBOX_LOG_KEPT })}
      >
        {t('log.total', { count: total })}
        {pending > 0 ? ` · ${t('log.pending', { count: pending })}` : ''}
      </p>
      <LogExport total={total} />
    </div>
  )
}

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
  const { t, format } = useTexts('sandbox')
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

function LogGrid({ log: { rows, total, more }, ...grid }: LogGridProps) {
  const { t } = useTexts('sandbox')
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
