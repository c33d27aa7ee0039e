import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindSpec } from '#catalog/kinds.ts'
import type { SandboxLogEntry } from '#contract/sandbox.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import styles from './log-entry.module.css'
import { LogText } from './log-text.tsx'
import { OutcomeMark } from './outcome.tsx'

export interface LogEntryProps {
  readonly id: number
  readonly onClose: () => void
}

/** One entry of the log: the request as sent, and the answer. */
export function LogEntry({ id, onClose }: LogEntryProps) {
  const { t } = useTranslation(['sandbox', 'common'])
  const [entry, setEntry] = useState<SandboxLogEntry | null>(null)
  const action = useAction()
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each entry; the action only reports
  useEffect(() => {
    let current = true
    void action.run(async () => {
      const read = await api.call('sandbox.log-entry', { id })
      if (current) setEntry(read)
    })
    return () => {
      current = false
    }
  }, [id])
  return (
    <aside
      className={styles.pane}
      aria-label={t('log.detail')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <header className={styles.header}>
        <h2 className={styles.title}>
          <GroupDot group={(entry && kindSpec(entry.kind)?.group) ?? null} />
          {entry?.kind ?? t('log.detail')}
        </h2>
        <IconButton label={t('log.close')} small icon={<X />} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.body} tabIndex={0} aria-label={t('log.detail')}>
        {entry ? (
          <Inside entry={entry} />
        ) : action.refusal ? (
          <Refused refusal={action.refusal} />
        ) : (
          <div className={styles.waiting}>
            <Spinner label={t('common:loading')} />
          </div>
        )}
      </section>
    </aside>
  )
}

function Inside({ entry }: { readonly entry: SandboxLogEntry }) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const { request, answer } = entry
  const took = entry.durationMs === null ? null : format.duration(entry.durationMs * 1_000)
  return (
    <>
      <div className={styles.result}>
        <OutcomeMark outcome={entry.outcome} />
        {entry.status === null || took === null ? null : (
          <span>{t('result.answered', { status: entry.status, took })}</span>
        )}
      </div>
      {entry.error === null ? null : (
        <p className={styles.problem}>
          <Captured text={entry.error} />
        </p>
      )}
      {entry.laboratory.map((what) => (
        <p key={what} className={styles.laboratory}>
          {t('nav.laboratory')}: {what}
        </p>
      ))}
      {entry.supersededBy === null ? null : (
        <p className={styles.note}>{t('log.supersededBy', { seq: format.number(entry.supersededBy) })}</p>
      )}
      <dl className={styles.facts}>
        <dt>{t('log.column.time')}</dt>
        <dd>{format.instant(Date.parse(entry.at) * 1_000)}</dd>
        <dt>{t('log.column.target')}</dt>
        <dd>{entry.subscription.name}</dd>
        <dt>{t(request.head === null ? 'log.notSent' : 'log.address')}</dt>
        <dd className={styles.code}>
          {entry.method} <Captured text={entry.url} mono />
        </dd>
        {entry.subject === null ? null : (
          <>
            <dt>{t('log.column.subject')}</dt>
            <dd className={styles.code}>
              <Captured text={entry.subject} mono />
            </dd>
          </>
        )}
        <dt>{t('log.cause')}</dt>
        <dd>{entry.cause}</dd>
        {entry.seq === null ? null : (
          <>
            <dt>{t('log.event')}</dt>
            <dd>{format.number(entry.seq)}</dd>
          </>
        )}
      </dl>
      <section className={styles.part}>
        <h3>{t('log.request')}</h3>
        {request.head === null ? (
          <p className={styles.note}>{t('log.requestNone')}</p>
        ) : (
          <LogText text={request.head.trimEnd()} />
        )}
        <LogText text={request.body} copyLabel={t('log.copyRequest')} />
      </section>
      <section className={styles.part}>
        <h3>{t('log.answer')}</h3>
        {answer === null ? (
          <p className={styles.note}>{t('log.answerNone')}</p>
        ) : (
          <>
            <LogText text={answer.head.trimEnd()} />
            {answer.encoding === 'base64' ? <p className={styles.note}>{t('log.base64')}</p> : null}
            {answer.body === '' ? (
              <p className={styles.note}>{t('log.answerEmpty')}</p>
            ) : (
              <LogText text={answer.body} copyLabel={t('log.copyAnswer')} />
            )}
            {answer.truncated ? <p className={styles.note}>{t('log.truncated')}</p> : null}
          </>
        )}
      </section>
    </>
  )
}
