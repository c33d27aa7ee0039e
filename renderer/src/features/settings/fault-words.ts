import { useTranslation } from 'react-i18next'
import type { Fault } from '#contract/faults.ts'
import { useFormat } from '@/shared/i18n/format.ts'

/** @returns what a fault does and to which deliveries, in words */
export function useFaultTexts(): (fault: Fault) => {
  readonly effect: string
  readonly when: readonly string[]
} {
  const { t } = useTranslation('settings')
  const format = useFormat()
  return ({ effect, endpoint, probability, filter, next, until, matched, applied }) => ({
    effect:
      effect.type === 'status'
        ? t('faults.does.status', { status: effect.status })
        : effect.type === 'delay'
          ? t('faults.does.delay', { time: format.duration(effect.ms * 1_000) })
          : t(`faults.does.${effect.type}`),
    when: [
      endpoint === null ? t('faults.everyEndpoint') : t('faults.ofEndpoint', { name: endpoint }),
      ...(probability < 1
        ? [t('faults.shareWords', { share: format.number(Math.round(probability * 1_000) / 10) })]
        : []),
      ...(filter === '' ? [] : [filter]),
      ...(next === null ? [] : [t('faults.nextWords', { count: next })]),
      ...(until === null ? [] : [t('faults.untilWords', { when: format.moment(until * 1_000) })]),
      t('faults.met', { applied: format.number(applied), matched: format.number(matched) }),
    ],
  })
}
