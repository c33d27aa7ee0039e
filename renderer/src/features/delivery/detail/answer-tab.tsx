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
  const { answered } = detail
  const took: readonly (readonly [string, string])[] =
    detail.tookUs === null ? [] : [[t('answer.took'), format.duration(detail.tookUs)]]
  const by = detail.answeredBy
  const given =
    by === null
      ? []
      : [
          [
            t('answer.by'),
            by.by === 'target'
              ? t('answer.byTarget', { target: by.target })
              : t('answer.byFault', { effect: t(`answer.fault.${by.effect}`) }),
          ] as const,
        ]
  if (detail.answer === null || answered === null) {
    return (
      <div className="h-full overflow-y-auto pt-6 pb-12 overscroll-contain">
        <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">
          {t(
            detail.malformed
              ? 'answer.noneMalformed'
              : by?.by === 'fault'
                ? 'answer.noneFault'
                : 'answer.none',
          )}
        </p>
        {given.length > 0 ? <Facts facts={given} /> : null}
      </div>
    )
  }
  return (
    <div className="h-full overflow-y-auto pt-6 pb-12 overscroll-contain">
      <Facts
        facts={[
          [t('answer.status'), String(detail.answer)],
          ...took,
          ...given,
          ...(detail.rejected ? [[t('answer.why'), t('answer.rejected')] as const] : []),
          ...(detail.malformed
            ? [[t('answer.why'), t(`common:malformed.${detail.malformed}`)] as const]
            : []),
        ]}
      />
      <h3 className="mx-14 mt-14 mb-2 heading-s">{t('headers.title')}</h3>
      <HeaderList label={t('answer.headers')} headers={answered.headers} />
      <h3 className="mx-14 mt-14 mb-2 heading-s">{t('answer.body')}</h3>
      {answered.bodyBase64 === '' ? (
        <p className="mx-14 my-4 text-fg-3 text-s leading-[1.45]">{t('answer.emptyBody')}</p>
      ) : (
        <BodyBox source={givenBody(`${detail.id}/answer`, answered.bodyBase64)} />
      )}
    </div>
  )
}
