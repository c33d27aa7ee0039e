import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { cx } from '@/shared/components/cx.ts'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Tag } from '@/shared/components/tag.tsx'

const MARK = cx(
  'inline-flex items-center gap-5 whitespace-nowrap',
  '[&>b]:inline-grid [&>b]:w-13 [&>b]:font-bold [&_code]:font-medium [&_code]:tabular-nums',
)

type Outcome = Pick<AttemptRow, 'state' | 'status' | 'ok' | 'error'>

export function AttemptMark({ attempt }: { readonly attempt: Outcome }) {
  const { t } = useTranslation('replays')
  const { state, status, ok, error } = attempt
  if (state === 'sending') {
    return (
      <span className={cx(MARK, 'text-fg-2')}>
        <b>
          <Spinner />
        </b>
        {t('attempts.sending')}
      </span>
    )
  }
  if (state === 'uncertain') {
    return (
      <span className={cx(MARK, 'text-unreadable')} title={t('attempts.uncertainHint')}>
        <b aria-hidden="true">?</b>
        {t('attempts.uncertain')}
      </span>
    )
  }
  const words = error ? t(`errorWords.${error.code}`) : null
  return (
    <span className={cx(MARK, ok ? 'text-valid' : 'text-invalid')} title={words ?? undefined}>
      <b aria-hidden="true">{ok ? '✓' : '✕'}</b>
      {status === null ? words : <code>{status}</code>}
      <span className="visually-hidden">{t(ok ? 'attempts.counted' : 'attempts.countedFailed')}</span>
    </span>
  )
}

/** The mark of an attempt, job or sweep that a session file brought here. */
export function ImportedTag({ of }: { readonly of: { readonly imported: boolean } }) {
  const { t } = useTranslation('replays')
  return of.imported ? <Tag title={t('importedHint')}>{t('imported')}</Tag> : null
}
