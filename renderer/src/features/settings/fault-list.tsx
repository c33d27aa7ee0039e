import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Fault, FaultRule } from '#contract/faults.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Facts, Item } from '@/shared/components/item-list.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { removed } from '@/shared/live/undo.ts'

/** What is left of a fault, to be put back at its place: of the next so many, those that have not come yet. */
export function ruleOf({ matched, applied: _, ...rule }: Fault): FaultRule & { readonly id: number } {
  return { ...rule, next: rule.next === null ? null : Math.max(1, rule.next - matched) }
}

/** Ends them all, with a way back. @throws RefusalError */
export async function endFaults(faults: readonly Fault[]): Promise<void> {
  await api.call('faults.clear', {})
  await removed('faults', { count: faults.length }, async () => {
    for (const fault of faults) await api.call('faults.add', ruleOf(fault))
  })
}

/** @returns what a fault does and to which deliveries, in words */
function useFaultTexts(): (fault: Fault) => {
  readonly effect: string
  readonly when: readonly (string | false)[]
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
      probability < 1 &&
        t('faults.shareWords', { share: format.number(Math.round(probability * 1_000) / 10) }),
      filter !== '' && filter,
      next !== null && t('faults.nextWords', { count: next }),
      until !== null && t('faults.untilWords', { when: format.moment(until * 1_000) }),
      t('faults.met', { applied: format.number(applied), matched: format.number(matched) }),
    ],
  })
}

/** Fault rules in force, each with a button that ends it. The status tells of the change. */
export function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  const { t } = useTranslation('settings')
  const texts = useFaultTexts()
  const action = useAction()
  const end = async (fault: Fault, effect: string) => {
    if (await action.run(() => api.call('faults.remove', { id: fault.id })))
      await removed('fault', { name: effect }, () => api.call('faults.add', ruleOf(fault)))
  }
  return (
    <>
      <Refused refusal={action.refusal} />
      <ul className="grid">
        {faults.map((fault) => {
          const { effect, when } = texts(fault)
          return (
            <Item
              key={fault.id}
              head={
                <>
                  <b>{effect}</b>
                  <span className="flex-1" />
                  <IconButton
                    small
                    label={t('faults.end', { effect })}
                    icon={<X />}
                    onClick={() => void end(fault, effect)}
                  />
                </>
              }
            >
              <Facts facts={when} />
            </Item>
          )
        })}
      </ul>
    </>
  )
}
