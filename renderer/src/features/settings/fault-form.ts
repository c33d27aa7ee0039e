import type { FaultEffect, FaultType } from '#contract/faults.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'

/** A fault rule while it is being written. */
interface FaultDraft {
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

const FIRST_FAULT: FaultDraft = {
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

const effectOf = ({ type, status, delayMs }: FaultDraft): Typed<FaultEffect> => {
  if (type === 'status') return { type, status }
  return type === 'delay' ? { type, ms: delayMs } : { type }
}

/** @param now milliseconds since the epoch */
export const faultForm = (now: () => number): Form<'faults.add', FaultDraft, FaultField> => ({
  command: 'faults.add',
  first: FIRST_FAULT,
  params: (draft) => ({
    endpoint: draft.endpoint === '' ? null : draft.endpoint,
    effect: effectOf(draft),
    probability: draft.share === null ? null : draft.share / 100,
    seed: draft.seed,
    filter: draft.filter.trim(),
    next: draft.next,
    until: draft.minutes === null ? null : Math.round(now() + draft.minutes * 60_000),
  }),
  places: () => ({
    'effect.status': ['status', 'status'],
    'effect.ms': ['delay', 'delay'],
    probability: ['share', 'share'],
    seed: ['seed', 'seed'],
    next: ['next', 'next'],
    until: ['minutes', 'minutes'],
  }),
  *own(draft) {
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
    if (draft.minutes !== null && !(draft.minutes > 0)) yield ['minutes', 'minutes']
  },
})
