import { useTranslation } from 'react-i18next'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { BodyBox } from '@/shared/attempts/body-box.tsx'
import { givenBody } from '@/shared/body/open-body.ts'
import { HeaderList } from '@/shared/headers/header-list.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { Facts } from './facts.tsx'

export function AnswerTab({ detail }: { readonly detail: DeliveryDetail }) {
  const { t } = useTranslation(['detail', 'common'])
  const format = useFormat()
  const answered = detail.answer === null ? null : detail.answered
  const by = detail.answeredBy
  const given =
    by?.by === 'target'
      ? t('answer.byTarget', { target: by.target })
      : by && t('answer.byFault', { effect: t(`answer.fault.${by.effect}`) })
  const none = detail.malformed
    ? 'answer.noneMalformed'
    : by?.by === 'fault'
      ? 'answer.noneFault'
      : 'answer.none'
  return (
    <div className="h-full overflow-y-auto pt-6 pb-12 overscroll-contain">
      {answered ? null : <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">{t(none)}</p>}
      <Facts
        facts={[
          [t('answer.status'), answered && String(detail.answer)],
          [t('answer.took'), answered && detail.tookUs !== null ? format.duration(detail.tookUs) : null],
          [t('answer.by'), given],
          [t('answer.why'), answered && detail.rejected ? t('answer.rejected') : null],
          [t('answer.why'), answered && detail.malformed && t(`common:malformed.${detail.malformed}`)],
        ]}
      />
      {answered ? (
        <>
          <h3 className="mx-14 mt-14 mb-2 heading-s">{t('headers.title')}</h3>
          <HeaderList label={t('answer.headers')} headers={answered.headers} />
          <h3 className="mx-14 mt-14 mb-2 heading-s">{t('answer.body')}</h3>
          {answered.bodyBase64 === '' ? (
            <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">{t('answer.emptyBody')}</p>
          ) : (
            <BodyBox source={givenBody(`${detail.id}/answer`, answered.bodyBase64)} />
          )}
        </>
      ) : null}
    </div>
  )
}
