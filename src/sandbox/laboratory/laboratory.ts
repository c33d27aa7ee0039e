import type { DatabaseSync } from 'node:sqlite'
import type { Kind } from '#catalog/kinds.ts'
import {
  laboratory as laboratorySchema,
  type SandboxFault,
  type SandboxLaboratory,
} from '#contract/sandbox.ts'
import { chance } from '../data/random.ts'

const OFF: SandboxFault = { share: 0, kinds: null }

/** Settings without faults: the real service's behaviour. */
export const NO_LABORATORY: SandboxLaboratory = {
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

export function keptLaboratory(db: DatabaseSync) {
  const row = db.prepare(`SELECT content FROM settings WHERE name = 'laboratory'`).get()
  const kept = laboratorySchema.safeParse(row && JSON.parse(String(row.content)))
  let present: SandboxLaboratory = kept.success ? kept.data : NO_LABORATORY
  return {
    get: () => present,
    set: (laboratory: SandboxLaboratory): SandboxLaboratory => {
      const content = JSON.stringify(laboratory)
      db.prepare(`INSERT OR REPLACE INTO settings (name, content) VALUES ('laboratory', ?)`).run(content)
      present = laboratory
      return laboratory
    },
  }
}
export type KeptLaboratory = ReturnType<typeof keptLaboratory>

const NONE = { lose: false, cut: false, duplicate: false, holdMs: 0, delayMs: 0 }

/** Faults of one delivery. They depend only on seed, event and subscription, so a run can be repeated exactly. */
export function tampering(laboratory: SandboxLaboratory, kind: Kind, seq: number, subscription: number) {
  const { seed, lose, cut, duplicate, reorder, delay } = laboratory
  const hits = (name: string, { share, kinds }: SandboxFault): boolean =>
    share > 0 && (kinds === null || kinds.includes(kind)) && chance(seed, name, seq, subscription) < share
  if (hits('lose', lose)) return { ...NONE, lose: true }
  const span = Math.max(0, delay.mostMs - delay.leastMs)
  return {
    lose: false,
    cut: hits('cut', cut),
    duplicate: hits('duplicate', duplicate),
    holdMs: hits('reorder', reorder) ? reorder.holdMs : 0,
    delayMs: hits('delay', delay)
      ? delay.leastMs + Math.round(span * chance(seed, 'delay-length', seq, subscription))
      : 0,
  }
}

type Item = Readonly<Record<string, unknown>>
type SyncSettings = SandboxLaboratory['sync']

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Whether the settings keep items unchanged, so that their stored text can be sent without parsing. */
export const leavesItems = ({ casing, nesting, reduce }: SyncSettings): boolean =>
  casing === 'documented' && nesting === 'documented' && reduce === 'none'

/** Rewrites an item in another shape, since the specification does not show an item and clients must accept several. */
export function reshape(item: Item, settings: SyncSettings): Item {
  const nested = nest(reduce(item, settings.reduce), settings.nesting)
  return settings.casing === 'documented' ? nested : (respell(nested, settings.casing) as Item)
}

function reduce(item: Item, how: SyncSettings['reduce']): Item {
  if (how === 'none') return item
  const { DocumentId, Number: number, Accounting } = item
  return how === 'id-accounting' ? { DocumentId, Accounting } : { Number: number, Accounting }
}

function nest(item: Item, how: SyncSettings['nesting']): Item {
  if (how === 'documented') return item
  if (how === 'data') return { data: item }
  const { Accounting, ...rest } = item
  return { Accounting: { ...rest, ...(typeof Accounting === 'object' ? Accounting : {}) } }
}

function respell(value: unknown, casing: SyncSettings['casing']): unknown {
  if (Array.isArray(value)) return value.map((one) => respell(one, casing))
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [spell(name, casing), respell(inner, casing)]),
  )
}

function spell(name: string, casing: SyncSettings['casing']): string {
  if (casing === 'lower') return name.toLowerCase()
  if (casing === 'upper') return name.toUpperCase()
  if (casing === 'camel') return name.slice(0, 1).toLowerCase() + name.slice(1)
  return (name.match(WORDS) ?? [name]).map((word) => word.toLowerCase()).join('_')
}

export function reorder<T>(items: readonly T[], settings: SyncSettings, seed: number): readonly T[] {
  if (settings.order === 'documented') return items
  if (settings.order === 'descending') return items.toReversed()
  const drawn = items.map((item, i) => ({ item, at: chance(seed, 'shuffle', i) }))
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
