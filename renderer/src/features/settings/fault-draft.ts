import type { FaultEffect, FaultRule, FaultType } from '#contract/faults.ts'
import { parseFilter } from '#core/filter/parse.ts'

/** A fault rule while it is being written. */
export interface FaultDraft {
  /** Empty: every endpoint. */
  readonly endpoint: string
  readonly type: FaultType
  readonly status: number | null
  readonly delayMs: number | null
  /** In percent. */
  readonly share: number | null
  readonly seed: number | null
  readonly filter: string
  /** Null: no bound. */
  readonly next: number | null
  /** Minutes from now; null: no end. */
  readonly minutes: number | null
}

export const FIRST_FAULT: FaultDraft = {
  endpoint: '',
  type: 'status',
  status: 503,
  delayMs: 5_000,
  share: 100,
  seed: 1,
  filter: '',
  next: null,
  minutes: null,
}

export type FaultField = 'status' | 'delay' | 'share' | 'seed' | 'filter' | 'next' | 'minutes'
const within = (value: number | null, least: number, most: number): value is number =>
  value !== null && value >= least && value <= most

export function faultErrors(draft: FaultDraft): ReadonlySet<FaultField> {
  const wrong = new Set<FaultField>()
  if (draft.type === 'status' && !within(draft.status, 200, 599)) wrong.add('status')
  if (draft.type === 'delay' && !within(draft.delayMs, 1, 600_000)) wrong.add('delay')
  if (!within(draft.share, 0, 100)) wrong.add('share')
  if (!within(draft.seed, 0, Number.MAX_SAFE_INTEGER)) wrong.add('seed')
  if (!parseFilter(draft.filter).ok) wrong.add('filter')
  if (draft.next !== null && !(draft.next >= 1)) wrong.add('next')
  if (draft.minutes !== null && !(draft.minutes > 0)) wrong.add('minutes')
  return wrong
}

function effectOf({ type, status, delayMs }: FaultDraft): FaultEffect | null {
  if (type === 'status') return status === null ? null : { type, status }
  if (type === 'delay') return delayMs === null ? null : { type, ms: delayMs }
  return { type }
}

/** @param now milliseconds since the epoch @returns null while a field is wrong */
export function faultOf(draft: FaultDraft, now: number): FaultRule | null {
  const effect = effectOf(draft)
  if (faultErrors(draft).size > 0 || !effect || draft.share === null || draft.seed === null) return null
  return {
    endpoint: draft.endpoint === '' ? null : draft.endpoint,
    effect,
    probability: draft.share / 100,
    seed: draft.seed,
    filter: draft.filter.trim(),
    next: draft.next,
    until: draft.minutes === null ? null : Math.round(now + draft.minutes * 60_000),
  }
}
