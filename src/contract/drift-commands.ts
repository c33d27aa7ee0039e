import { z } from 'zod'
import type { DriftEvent, DriftKind, DriftProfile } from './drift.ts'

export interface DriftEventsParams {
  /** One of the 28; absent: all. */
  readonly kind?: string
  /** 0 is the newest. */
  readonly from: number
  readonly limit: number
}

export interface DriftEvents {
  /** By arrival of the delivery that showed it, newest first. */
  readonly events: readonly DriftEvent[]
  readonly from: number
  readonly total: number
}

export interface DriftCommands {
  /** Kinds of which anything was observed, in the order of the catalogue. @param since microseconds since the epoch */
  'drift.list': { params: { since?: number }; result: { kinds: readonly DriftKind[] } }
  /** What was ever observed of a kind; empty when it never came. `bad-params` for a name that is no kind. */
  'drift.profile': { params: { kind: string }; result: DriftProfile }
  'drift.events': { params: DriftEventsParams; result: DriftEvents }
  /** Forgets what was observed of a kind, or of all; what arrives from now on teaches anew. Deliveries keep everything but their mark. */
  'drift.reset': { params: { kind?: string }; result: { kinds: number } }
}
export type DriftCommandName = keyof DriftCommands

const kind = z.string().min(1).max(100)

export const DRIFT_PARAMS: { readonly [C in DriftCommandName]: z.ZodType<unknown> } = {
  'drift.list': z.strictObject({ since: z.int().nonnegative().optional() }),
  'drift.profile': z.strictObject({ kind }),
  'drift.events': z.strictObject({
    kind: kind.optional(),
    from: z.int().nonnegative(),
    limit: z.int().min(1).max(1_000),
  }),
  'drift.reset': z.strictObject({ kind: kind.optional() }),
}
