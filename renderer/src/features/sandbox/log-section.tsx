import { Copy, Download, ScrollText, Search, SearchX, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import { SANDBOX_LOG_KEPT, SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { ExportMenu } from '@/shared/components/export-menu.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { saveText } from '@/shared/platform/save.ts'
import { ALL_KINDS } from './kinds-picker.tsx'
import { LogEntry } from './log-entry.tsx'
import { LogGrid } from './log-grid.tsx'
import { changeFilter, type LogView, useLog, useLogFilter } from './sandbox.ts'

/** The host's page size. */
const PER_PAGE = 100

function LogExport({ total }: { readonly total: number }) {
  const { t } = useTranslation('sandbox')
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
  const { t } = useTranslation(['sandbox', 'common'])
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
  const { t } = useTranslation('sandbox')
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
