import { ScrollText, Search, SearchX, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxSubscription } from '#contract/sandbox.ts'
import { SANDBOX_LOG_KEPT, SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { ALL_KINDS } from './kinds-picker.tsx'
import { LogEntry } from './log-entry.tsx'
import { LogExport } from './log-export.tsx'
import { LogGrid } from './log-grid.tsx'
import { useLog, useLogFilter } from './log-source.ts'
import styles from './sandbox.module.css'

/** What became of every event at every target, and of every test and plugin event. */
export function LogSection() {
  const { t } = useTranslation(['sandbox', 'common'])
  const go = useRoute((s) => s.go)
  const { filter, show } = useLogFilter()
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
        className={cx('grid min-h-0 grid-rows-[minmax(0,1fr)]', open === null ? 'grid-cols-1' : styles.split)}
      >
        {log.entries.length > 0 ? (
          <LogGrid ref={grid} log={log} open={open} onOpen={setOpen} onClose={close} />
        ) : log.loading ? (
          <div className="grid place-items-center text-fg-3">
            <Spinner label={t('common:loading')} />
          </div>
        ) : log.refusal ? (
          <EmptyState title={t('log.failed')}>
            <Refused refusal={log.refusal} />
          </EmptyState>
        ) : filtered ? (
          <EmptyState
            icon={<SearchX />}
            title={t('log.noMatch')}
            actions={<Button onClick={() => show({})}>{t('log.clear')}</Button>}
          >
            {t('log.noMatchText')}
          </EmptyState>
        ) : (
          <EmptyState
            icon={<ScrollText />}
            title={t('log.empty')}
            actions={
              <Button variant="primary" onClick={() => go('sandbox', 'emit')}>
                {t('log.emptyAction')}
              </Button>
            }
          >
            {t('log.emptyText')}
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

interface LogBarProps {
  readonly total: number
  readonly pending: number
}

/** What of the log is shown, how much that is, and its export. */
function LogBar({ total, pending }: LogBarProps) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const { filter, change } = useLogFilter()
  const [q, setQ] = useState(filter.q ?? '')
  const tooLong = q.length > LONGEST_SEARCH
  const [targets, setTargets] = useState<readonly SandboxSubscription[]>([])
  useEffect(() => {
    // Without them the list of targets only offers all; what is wrong shows in the log itself.
    api
      .call('sandbox.subscriptions', {})
      .then(({ subscriptions }) => setTargets(subscriptions))
      .catch(() => undefined)
  }, [])
  useEffect(() => setQ(filter.q ?? ''), [filter.q])
  useEffect(() => {
    if (q === (filter.q ?? '') || tooLong) return
    const timer = setTimeout(() => change({ q: q === '' ? undefined : q }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [q, tooLong, filter.q, change])
  function choice<V extends string>(
    name: 'outcome' | 'kind' | 'type',
    all: string,
    values: readonly V[],
    value: V | undefined,
    called: (value: V) => string,
  ) {
    return (
      <Select<V | ''>
        className="w-140"
        label={t(`log.${name}`)}
        hideLabel
        value={value ?? ''}
        onChange={(next) => change({ [name]: next === '' ? undefined : next })}
        options={[{ value: '', label: all }, ...values.map((one) => ({ value: one, label: called(one) }))]}
      />
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-6 min-h-bar px-12 py-7 border-b border-line bg-panel">
      <TextField
        className="flex-[1_1_190px] max-w-420"
        label={t('log.search')}
        hideLabel
        placeholder={t('log.search')}
        leading={<Search aria-hidden="true" />}
        error={tooLong ? t('fields.long', { most: LONGEST_SEARCH, length: q.length }) : null}
        value={q}
        onChange={setQ}
      />
      {choice('outcome', t('log.anyOutcome'), SANDBOX_OUTCOMES, filter.outcome, (value) =>
        t(`outcome.${value}`),
      )}
      {choice('kind', t('log.anyKind'), ALL_KINDS, filter.kind, (value) => value)}
      {targets.length > 1 ? (
        <Select
          className="w-140"
          label={t('log.target')}
          hideLabel
          value={String(filter.subscription ?? '')}
          onChange={(value) => change({ subscription: value === '' ? undefined : Number(value) })}
          options={[
            { value: '', label: t('log.anyTarget') },
            ...targets.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      ) : null}
      {choice('type', t('log.types.any'), SANDBOX_LOG_TYPES, filter.type, (value) => t(`log.types.${value}`))}
      <div title={t('log.lostHint')}>
        <Checkbox
          label={t('log.lost')}
          checked={filter.lost === true}
          onChange={(on) => change({ lost: on ? true : undefined })}
        />
      </div>
      {filter.run === undefined ? null : (
        <Button
          className={styles.chip ?? ''}
          aria-label={t('log.clearRun')}
          title={t('log.clearRun')}
          onClick={() => change({ run: undefined })}
        >
          {t('log.run')}
          <X aria-hidden="true" />
        </Button>
      )}
      <p className="text-fg-2 text-s tabular-nums whitespace-nowrap grid ml-auto leading-[1.25] text-right">
        <span role="status">
          {t('log.total', { count: total, formatted: format.number(total) })}
          {pending > 0 ? ` · ${t('log.pending', { count: pending, formatted: format.number(pending) })}` : ''}
        </span>
        <span className="text-fg-3">{t('log.bound', { most: format.number(SANDBOX_LOG_KEPT) })}</span>
      </p>
      <LogExport total={total} />
    </div>
  )
}
