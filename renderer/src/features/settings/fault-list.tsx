import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Fault, FaultRule } from '#contract/faults.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { useItems } from '@/shared/components/item-list.tsx'
import { api } from '@/shared/live/api.ts'
import { removed } from '@/shared/live/undo.ts'

/** The remaining part of a fault for an undo: a limit counts only the deliveries still to come. */
export function ruleOf({ matched, applied: _, ...rule }: Fault): FaultRule & { readonly id: number } {
  return { ...rule, next: rule.next === null ? null : Math.max(1, rule.next - matched) }
}

/** @throws RefusalError */
export async function endFaults(faults: readonly Fault[]): Promise<void> {
  await api.call('faults.clear', {})
  await removed('faults', { count: faults.length }, async () => {
    for (const fault of faults) await api.call('faults.add', ruleOf(fault))
  })
}

/** Active fault rules, each with a button that ends it. The status pushes the change. */
export function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  const { t } = useTranslation('settings')
  const effectOf = ({ effect }: Fault): string =>
    effect.type === 'status'
      ? t('faults.does.status', { status: effect.status })
      : effect.type === 'delay'
        ? t('faults.does.delay', { time: effect.ms * 1_000 })
        : t(`faults.does.${effect.type}`)
  const factsOf = ({ endpoint, probability, filter, next, until, matched, applied }: Fault) => [
    endpoint === null ? t('faults.everyEndpoint') : t('faults.ofEndpoint', { name: endpoint }),
    probability < 1 && t('faults.shareWords', { share: Math.round(probability * 1_000) / 10 }),
    filter,
    next !== null && t('faults.nextWords', { count: next }),
    until !== null && t('faults.untilWords', { when: until * 1_000 }),
    t('faults.met', { applied, matched }),
  ]
  const { rows, asking } = useItems({
    items: faults.map((fault) => ({ id: fault.id, name: effectOf(fault), fault })),
    line: ({ name, fault }, { remove }) => ({
      after: <IconButton small label={t('faults.end', { effect: name })} icon={<X />} onClick={remove} />,
      facts: factsOf(fault),
    }),
    remove: ({ id }) => api.call('faults.remove', { id }),
    undo: {
      of: 'fault',
      takes: () => true,
      putBack: ({ fault }) => api.call('faults.add', ruleOf(fault)),
    },
  })
  return (
    <>
      {asking}
      {rows}
    </>
  )
}
