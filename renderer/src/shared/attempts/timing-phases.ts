import type { Timings } from '#contract/replay.ts'

const PHASES = ['lookup', 'connect', 'tls', 'send', 'wait', 'receive'] as const
type Phase = (typeof PHASES)[number]

/** Phases that happened, in order, with their share of their sum in percent. */
export function phasesOf(timings: Timings): readonly { phase: Phase; us: number; share: number }[] {
  const taken = PHASES.flatMap((phase) => {
    const us = timings[`${phase}Us`]
    return us === null ? [] : [{ phase, us }]
  })
  const sum = taken.reduce((all, { us }) => all + us, 0)
  return taken.map((one) => ({ ...one, share: sum > 0 ? (one.us / sum) * 100 : 100 / taken.length }))
}
