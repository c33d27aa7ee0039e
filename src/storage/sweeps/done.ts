import type { ReconciliationSummary } from '#contract/reconcile.ts'
import { UNREACHED_SAID } from '#contract/values.ts'
import type { Items } from './items.ts'
import type { Kept } from './kept.ts'
import type { Notes } from './notes.ts'

type Done = Pick<ReconciliationSummary, 'ignored' | 'recovered' | 'notRecovered' | 'unreached'>

/** What people and recoveries did about a comparison, and what is left to do. */
export function doneAbout(
  { items, notes }: { readonly items: Items; readonly notes: Notes },
  kept: Kept,
): Done {
  const { sweep, comparison, unreached } = kept
  const refOf = (key: string) => items.find(sweep.id, key)
  const ignored = new Set(
    notes
      .ignored(sweep.connection)
      .map(refOf)
      .filter((ref) => ref !== undefined),
  )
  const taken = new Map<number, Set<string>>()
  for (const { key, kind } of notes.recovered(sweep.connection)) {
    const ref = refOf(key)
    if (ref === undefined) continue
    const kinds = taken.get(ref) ?? new Set()
    taken.set(ref, kinds.add(kind))
  }
  let notRecovered = 0
  for (const [ref, kinds] of comparison.found.owed) {
    if (ignored.has(ref)) continue
    const has = taken.get(ref)
    if (!kinds.every((kind) => kind !== null && has?.has(kind))) notRecovered += 1
  }
  return {
    ignored: [...ignored].filter((ref) => kept.classOf(ref) === 'missing').length,
    recovered: taken.size,
    notRecovered,
    unreached: unreached.slice(0, UNREACHED_SAID),
  }
}
