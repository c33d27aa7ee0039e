import type { Fault, FaultRule } from '#contract/faults.ts'
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
