import { Copy, Download, ScrollText, Search, SearchX, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import { SANDBOX_LOG_KEPT, SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { saveText } from '@/shared/platform/web.ts'
import { ALL_KINDS } from './kinds-picker.tsx'
import { LogEntry } from './log-entry.tsx'
import { LogGrid } from './log-grid.tsx'
import { changeFilter, type LogFilter, type LogView, useLog, useLogFilter } from './log-source.ts'

/** As many as the host gives at once. */
const PER_PAGE = 100

/** Every entry that a filter finds with its request and answer, one line of JSON each, oldest first. @throws RefusalError */
async function logLines(filter: LogFilter, onRead: (count: number) => void, signal: AbortSignal) {
  const lines: string[] = []
  for (let after: number | null = 0; after !== null && !signal.aborted; ) {
    const query: Params<'sandbox.log-entries'> = { ...filter, order: 'oldest', after, limit: PER_PAGE }
    const { entries, next } = await api.call('sandbox.log-entries', query)
    for (const entry of entries) lines.push(`${JSON.stringify(entry)}\n`)
    onRead(lines.length)
    after = next
  }
  return lines
}

const WAYS = [
  { how: 'saved', label: 'log.exportSave', icon: <Download /> },
  { how: 'exported', label: 'log.exportCopy', icon: <Copy /> },
] as const

function LogExport({ total }: { readonly total: number }) {
  const { t } = useTranslation(['sandbox', 'common'])
  const refusalText = useRefusalText()
  const filter = useLogFilter((s) => s.filter)
  const action = useAction()
  const [read, setRead] = useState(0)
  const [done, setDone] = useState<(typeof WAYS)[number]['how'] | null>(null)
  const abort = useRef<AbortController>(undefined)
  const run = (how: (typeof WAYS)[number]['how']) =>
    action.run(async () => {
      setDone(null)
      setRead(0)
      abort.current = new AbortController()
      const { signal } = abort.current
      const text = (await logLines(filter, setRead, signal)).join('')
      if (signal.aborted) return
      if (how === 'exported') await api.copy(text)
      else saveText('acuse-sandbox-log.ndjson', 'application/x-ndjson', text)
      setDone(how)
    })
  const going = action.busy && t('log.exporting', { done: read, total })
  return (
    <span className="inline-flex items-center gap-8">
      <span role="status" className="text-fg-2 text-s tabular-nums whitespace-nowrap empty:hidden">
        {going || (action.refusal ? refusalText(action.refusal) : done && t(`log.${done}`, { count: read }))}
      </span>
      {action.busy ? (
        <IconButton label={t('common:cancel')} icon={<X />} onClick={() => abort.current?.abort()} />
      ) : (
        <Menu
          align="end"
          trigger={
            <Button icon={<Download />} disabled={total === 0}>
              {t('log.export')}
            </Button>
          }
          entries={WAYS.map(({ how, label, icon }) => ({
            ...{ type: 'item', label: t(label), icon, onSelect: () => void run(how) },
          }))}
        />
      )}
    </span>
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
  // An entry of another filter, or of a log that was emptied, is no longer of this list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that closes
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
        {log.entries.length > 0 ? (
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

/** From the last keystroke to the question. */
const TYPING_MS = 200
const LONGEST_SEARCH = 1_000

function LogBar({ total, pending }: Pick<LogView, 'total' | 'pending'>) {
  const { t } = useTranslation('sandbox')
  const { filter } = useLogFilter()
  const [q, setQ] = useState(filter.q ?? '')
  const tooLong = q.length > LONGEST_SEARCH
  // Without them the list of targets only offers all; what is wrong shows in the log itself.
  const { data } = useAnswer('subscriptions', () => api.call('sandbox.subscriptions', {}))
  const targets = data?.subscriptions ?? []
  useEffect(() => setQ(filter.q ?? ''), [filter.q])
  useEffect(() => {
    if (q === (filter.q ?? '') || tooLong) return
    const timer = setTimeout(() => changeFilter({ q: q === '' ? undefined : q }), TYPING_MS)
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
        // One target is no choice.
        name === 'subscription' && values.length < 2 ? null : (
          <Select
            key={name}
            className="w-126"
            label={t(`log.${name}`)}
            hideLabel
            value={String(filter[name] ?? '')}
            onChange={(next) =>
              changeFilter({
                [name]: name === 'subscription' && next !== '' ? Number(next) : next || undefined,
              })
            }
            options={[['', all] as const, ...values].map(([value = '', label = '']) => ({ value, label }))}
          />
        ),
      )}
      <div title={t('log.lostHint')}>
        <Checkbox
          label={t('log.lost')}
          checked={filter.lost === true}
          onChange={(on) => changeFilter({ lost: on ? true : undefined })}
        />
      </div>
      {filter.run === undefined ? null : (
        <Button
          className="border-transparent! bg-accent-weak! text-accent-text!"
          aria-label={t('log.clearRun')}
          title={t('log.clearRun')}
          onClick={() => changeFilter({ run: undefined })}
        >
          {t('log.run')}
          <X aria-hidden="true" />
        </Button>
      )}
      <p className="text-fg-2 text-s tabular-nums whitespace-nowrap grid ml-auto leading-[1.25] text-right">
        <span role="status">
          {t('log.total', { count: total })}
          {pending > 0 ? ` · ${t('log.pending', { count: pending })}` : ''}
        </span>
        <span className="text-fg-3">{t('log.bound', { most: SANDBOX_LOG_KEPT })}</span>
      </p>
      <LogExport total={total} />
    </div>
  )
}
