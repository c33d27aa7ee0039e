import type { Kind } from '#catalog/kinds.ts'
import { chance } from './chance.ts'
import type { Fault, Laboratory } from './settings.ts'

/** What the laboratory does to one delivery. */
export interface Tampering {
  readonly lose: boolean
  readonly cut: boolean
  readonly duplicate: boolean
  /** How long later events of the subject may go past it; 0 for not at all. */
  readonly holdMs: number
  readonly delayMs: number
}

const NONE: Tampering = { lose: false, cut: false, duplicate: false, holdMs: 0, delayMs: 0 }

/** Decided by seed, event and subscription alone: the same day runs the same way again. */
export function tampering(laboratory: Laboratory, kind: Kind, seq: number, subscription: number): Tampering {
  const { seed, lose, cut, duplicate, reorder, delay } = laboratory
  const befalls = (name: string, { share, kinds }: Fault): boolean =>
    share > 0 && (kinds === null || kinds.includes(kind)) && chance(seed, name, seq, subscription) < share
  if (befalls('lose', lose)) return { ...NONE, lose: true }
  const span = Math.max(0, delay.mostMs - delay.leastMs)
  return {
    lose: false,
    cut: befalls('cut', cut),
    duplicate: befalls('duplicate', duplicate),
    holdMs: befalls('reorder', reorder) ? reorder.holdMs : 0,
    delayMs: befalls('delay', delay)
      ? delay.leastMs + Math.round(span * chance(seed, 'delay-length', seq, subscription))
      : 0,
  }
}
