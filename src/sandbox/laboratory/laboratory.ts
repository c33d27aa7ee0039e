import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { chance } from '../data/random.ts'

const names = KINDS.map(({ kind }) => kind) as [Kind, ...Kind[]]
const share = z.number().min(0).max(1)
const millis = z.int().min(0).max(60_000)
/** A fault that befalls a share of the deliveries, of some kinds or (null) of all. */
const fault = z.strictObject({ share, kinds: z.array(z.enum(names)).max(names.length).nullable() })

/** Everything in here goes beyond the real service: it exists to put receivers and reconciliation to the test. */
export const laboratorySettings = z.strictObject({
  /** Same seed, same events: same deliveries befallen. */
  seed: z.int().min(0).max(0xffff_ffff),
  /** Not sent at all. */
  lose: fault,
  /** Sent after a time from `leastMs` to `mostMs`; later events of the subject wait as well. */
  delay: fault.extend({ leastMs: millis, mostMs: millis }),
  /** Sent twice. */
  duplicate: fault,
  /** Held back for `holdMs` while later events of the same subject go past. */
  reorder: fault.extend({ holdMs: millis }),
  /** The connection is cut in the middle of the body. */
  cut: fault,
  sync: z.strictObject({
    /** What befalls a share of the calls of the sync routes. `slow` answers after `slowMs`; `truncated` sends half of the JSON. */
    fault: z.enum(['none', 'error-500', 'error-429', 'slow', 'truncated']),
    share,
    retryAfterSeconds: z.int().min(0).max(3_600),
    slowMs: millis,
    /** Spelling of every member name of an item. */
    casing: z.enum(['documented', 'camel', 'lower', 'upper', 'snake']),
    /** `data`: the item inside a member "data". `accounting`: everything inside Accounting. */
    nesting: z.enum(['documented', 'data', 'accounting']),
    /** `descending`: the latest first, over all pages of accounting-sync (within each page of treasury-sync). `shuffled`: within each page. */
    order: z.enum(['documented', 'descending', 'shuffled']),
    /** What is left of an item. */
    reduce: z.enum(['none', 'id-accounting', 'number-accounting']),
  }),
})
export type Laboratory = z.infer<typeof laboratorySettings>
type Fault = z.infer<typeof fault>

const OFF: Fault = { share: 0, kinds: null }

/** The real service's behaviour: nothing is tampered with. */
export const NO_LABORATORY: Laboratory = {
  seed: 1,
  lose: OFF,
  delay: { ...OFF, leastMs: 1_000, mostMs: 5_000 },
  duplicate: OFF,
  reorder: { ...OFF, holdMs: 1_000 },
  cut: OFF,
  sync: {
    fault: 'none',
    share: 1,
    retryAfterSeconds: 5,
    slowMs: 3_000,
    casing: 'documented',
    nesting: 'documented',
    order: 'documented',
    reduce: 'none',
  },
}

/** The laboratory's settings, kept over restarts. */
export class KeptLaboratory {
  readonly #db: DatabaseSync
  #now: Laboratory

  constructor(db: DatabaseSync) {
    this.#db = db
    const row = db.prepare(`SELECT content FROM settings WHERE name = 'laboratory'`).get()
    const kept = laboratorySettings.safeParse(row === undefined ? undefined : JSON.parse(String(row.content)))
    this.#now = kept.success ? kept.data : NO_LABORATORY
  }

  get(): Laboratory {
    return this.#now
  }

  set(laboratory: Laboratory): void {
    this.#db
      .prepare(`INSERT OR REPLACE INTO settings (name, content) VALUES ('laboratory', ?)`)
      .run(JSON.stringify(laboratory))
    this.#now = laboratory
  }
}

/** What the laboratory does to one delivery. */
interface Tampering {
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
