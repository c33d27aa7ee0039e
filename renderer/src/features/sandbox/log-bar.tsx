import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { SandboxLogType, SandboxOutcome, SandboxSubscription } from '#contract/sandbox.ts'
import { SANDBOX_LOG_KEPT, SANDBOX_LOG_TYPES, SANDBOX_OUTCOMES } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import styles from './log.module.css'
import { LogExport } from './log-export.tsx'
import { useLogFilter } from './log-filter.ts'

/** From the last keystroke to the question. */
const TYPING_MS = 200
const LONGEST_SEARCH = 1_000

export interface LogBarProps {
  readonly total: number
  readonly pending: number
}

/** What of the log is shown, how much that is, and its export. */
export function LogBar({ total, pending }: LogBarProps) {
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
  const kind = KINDS.find((one) => one.kind === filter.kind)?.kind
  return (
    <div className={styles.bar}>
      <TextField
        className={styles.search}
        label={t('log.search')}
        hideLabel
        placeholder={t('log.search')}
        leading={<Search aria-hidden="true" />}
        error={tooLong ? t('log.searchLong', { most: LONGEST_SEARCH }) : null}
        value={q}
        onChange={setQ}
      />
      <Select<SandboxOutcome | ''>
        className={styles.select}
        label={t('log.outcome')}
        hideLabel
        value={filter.outcome ?? ''}
        onChange={(value) => change({ outcome: value === '' ? undefined : value })}
        options={[
          { value: '', label: t('log.anyOutcome') },
          ...SANDBOX_OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) })),
        ]}
      />
      <Select
        className={styles.select}
        label={t('log.kind')}
        hideLabel
        value={kind ?? ''}
        onChange={(value) => change({ kind: KINDS.find((one) => one.kind === value)?.kind })}
        options={[
          { value: '', label: t('log.anyKind') },
          ...KINDS.map((one) => ({ value: one.kind, label: one.kind })),
        ]}
      />
      {targets.length > 1 ? (
        <Select
          className={styles.select}
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
      <Select<SandboxLogType | ''>
        className={styles.select}
        label={t('log.type')}
        hideLabel
        value={filter.type ?? ''}
        onChange={(value) => change({ type: value === '' ? undefined : value })}
        options={[
          { value: '', label: t('log.types.any') },
          ...SANDBOX_LOG_TYPES.map((value) => ({ value, label: t(`log.types.${value}`) })),
        ]}
      />
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
      <p className={styles.extent}>
        <span role="status">
          {t('log.total', { count: total, formatted: format.number(total) })}
          {pending > 0 ? ` · ${t('log.pending', { count: pending, formatted: format.number(pending) })}` : ''}
        </span>
        <span className={styles.bound}>{t('log.bound', { most: format.number(SANDBOX_LOG_KEPT) })}</span>
      </p>
      <LogExport total={total} />
    </div>
  )
}
