import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import styles from './plugins.module.css'
import type { PublishedEvent } from './published.ts'

/** The outcome of publishing, by sign, word and colour. */
export function OutcomeMark({ outcome }: { readonly outcome: PublishedEvent['outcome'] }) {
  const { t } = useTranslation('plugins')
  if (outcome.is === 'sending')
    return (
      <span className="inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap [&_code]:font-code">
        {t('answer.sending')}
      </span>
    )
  const ok = outcome.is === 'answer' && outcome.answer.ok
  return (
    <span
      className={cx(
        'inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap [&_code]:font-code',
        ok ? 'text-valid' : styles.bad,
      )}
    >
      <b aria-hidden="true">{ok ? '✓' : '✕'}</b>
      {outcome.is === 'refused' ? (
        t('answer.notSent')
      ) : outcome.answer.status === null ? (
        t('answer.noAnswer')
      ) : (
        <>
          <code>{outcome.answer.status}</code> {t(ok ? 'answer.taken' : 'answer.refused')}
        </>
      )}
    </span>
  )
}
