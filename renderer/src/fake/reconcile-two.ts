import type { DocumentClass, DocumentRow, SweepComparison, SweepDifference } from '#contract/reconcile.ts'
import { SWEEP_DIFFERENCES } from '#contract/values.ts'

type Side = SweepComparison['earlier'] & { readonly rows: readonly DocumentRow[] }

/** As the host compares two sweeps, by the rows of both. */
export function sweepsCompared(
  { rows: was, ...earlier }: Side,
  { rows: is, ...later }: Side,
): SweepComparison {
  const before = new Map(was.map((row) => [row.key, row]))
  const after = new Map(is.map((row) => [row.key, row]))
  const changes = Object.fromEntries(SWEEP_DIFFERENCES.map((name) => [name, 0])) as Record<
    SweepDifference,
    number
  >
  const rows: SweepComparison['rows'][number][] = []
  let still = 0
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)]
    if (old?.class === 'missing' && now?.class === 'missing') still += 1
    const row = now ?? old
    if (!row || old?.class === now?.class) continue
    if (!now && old?.class === 'matched') continue
    if (!old && now?.class === 'matched') continue
    const difference = differenceOf(old?.class, now?.class)
    changes[difference] += 1
    rows.push({ difference, before: old?.class ?? null, after: now?.class ?? null, row })
  }
  return {
    ...{ earlier, later, changes, stillMissing: still, stillMissingRecovered: 0 },
    listedEarlierOnly: [...before.keys()].filter((key) => !after.has(key)).length,
    listedLaterOnly: [...after.keys()].filter((key) => !before.has(key)).length,
    rows: SWEEP_DIFFERENCES.flatMap((name) => rows.filter(({ difference }) => difference === name)),
  }
}

function differenceOf(before: DocumentClass | undefined, after: DocumentClass | undefined): SweepDifference {
  if (after === 'missing') return 'became-missing'
  if (after === 'differs') return 'newly-differs'
  if (after === 'matched' && before) return 'healed'
  return after === 'webhook-only' ? 'webhook-only' : 'other'
}
