import { useTranslation } from 'react-i18next'
import type { ReconciliationSummary } from '#contract/reconcile.ts'
import { useDay } from './row-words.ts'

/** What an incomplete sweep, or one compared too early, says nothing about, and fields that differ everywhere. @param zone IANA name */
export function NotReached({
  summary: { notReached, unreached, sharedDifferences, joinedByNumber = false, unjudged = 0 },
  zone,
}: {
  readonly summary: ReconciliationSummary
  readonly zone: string
}) {
  const { t } = useTranslation('reconcile')
  const day = useDay(zone)
  const [first, last] = [unreached[0], unreached.at(-1)]
  return (
    <>
      {first && last ? (
        <p className="basis-full text-warning text-s leading-[1.45]">
          {t('summary.unreached', { count: notReached, from: day(first.from), to: day(last.to) })}
        </p>
      ) : null}
      {sharedDifferences.map(({ field, documents, captured, service }) => (
        <p key={field} className="basis-full text-fg-2 text-s leading-[1.45] wrap-anywhere">
          {t('summary.shared', {
            ...{ field, count: documents },
            captured: captured ?? t('document.absent'),
            service: service ?? t('document.absent'),
          })}
        </p>
      ))}
      {joinedByNumber ? (
        <p className="basis-full text-fg-2 text-s leading-[1.45] wrap-anywhere">{t('summary.byNumber')}</p>
      ) : null}
      {unjudged > 0 ? (
        <p className="basis-full text-warning text-s leading-[1.45]">
          {t('summary.unjudged', { count: unjudged })}
        </p>
      ) : null}
    </>
  )
}
