import type { DocumentClass, Sweep, SweepComparison, SweepDifference } from '#contract/reconcile.ts'
import { SWEEP_DIFFERENCES, SWEEP_DIFFERENCES_SAID } from '#contract/values.ts'
import type { Statements } from '../sql/connection.ts'
import { zeros } from '../sql/numbers.ts'
import { type Comparison, classAt } from './compare.ts'
import { type RowParts, rowOf } from './document.ts'
import { inSweep } from './items.ts'

export interface Compared {
  readonly sweep: Sweep
  readonly comparison: Comparison
}

interface Known {
  readonly ref: number
  readonly class: DocumentClass
  readonly issuedAt: number
}

interface Change {
  readonly difference: SweepDifference
  readonly before: Known | null
  readonly after: Known | null
}

/** Compares the results of two sweeps, document by document. It never visits documents that both sweeps match, which are most. */
export function twoSweeps(
  statements: Statements,
  parts: RowParts,
  earlier: Compared,
  later: Compared,
): SweepComparison {
  const [was, is] = [knownOf(statements, parts, earlier), knownOf(statements, parts, later)]
  const recovered = parts.notes.taken(later.sweep.connection)
  const changes: Change[] = []
  const counts = zeros(SWEEP_DIFFERENCES)
  let [stillMissing, stillMissingRecovered] = [0, 0]
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const before = was.get(key) ?? matchedIn(parts, earlier.sweep, key)
    const after = is.get(key) ?? matchedIn(parts, later.sweep, key)
    if (before?.class === after?.class) {
      if (after?.class !== 'missing') continue
      stillMissing += 1
      if (recovered.has(key)) stillMissingRecovered += 1
      continue
    }
    const difference = differenceOf(before?.class ?? null, after?.class ?? null)
    counts[difference] += 1
    changes.push({ difference, before, after })
  }
  return {
    earlier: { sweep: earlier.sweep, counts: earlier.comparison.tally.counts },
    later: { sweep: later.sweep, counts: later.comparison.tally.counts },
    changes: counts,
    stillMissing,
    stillMissingRecovered,
    listedEarlierOnly: listedOnly(statements, earlier.sweep, later.sweep),
    listedLaterOnly: listedOnly(statements, later.sweep, earlier.sweep),
    rows: SWEEP_DIFFERENCES.flatMap((name) => chosen(changes, name)).map(({ difference, before, after }) => {
      const side = after ? later : earlier
      return {
        difference,
        before: before?.class ?? null,
        after: after?.class ?? null,
        row: rowOf(parts, side.comparison, side.sweep, (after ?? before)?.ref ?? 0),
      }
    }),
  }
}

function differenceOf(before: DocumentClass | null, after: DocumentClass | null): SweepDifference {
  if (after === 'missing') return 'became-missing'
  if (after === 'differs') return 'newly-differs'
  if (after === 'matched' && (before === 'missing' || before === 'differs')) return 'healed'
  return after === 'webhook-only' ? 'webhook-only' : 'other'
}

function knownOf(statements: Statements, { captured }: RowParts, { comparison: { found } }: Compared) {
  const keyOf = statements.get('SELECT key FROM sweep_item WHERE id = ?')
  const known = new Map<string, Known>()
  for (const [at, ref] of found.refs.entries()) {
    const key = ref > 0 ? String(keyOf.get(ref)?.key ?? '') : captured.keyOf(-ref)
    known.set(key, { ref, class: classAt(found.classes[at] ?? 0), issuedAt: found.issued[at] ?? Number.NaN })
  }
  return known
}

function matchedIn({ items }: RowParts, { id }: Sweep, key: string): Known | null {
  const ref = items.find(id, key)
  return ref === undefined ? null : { ref, class: 'matched', issuedAt: Number.NaN }
}

function chosen(changes: readonly Change[], name: SweepDifference): readonly Change[] {
  const issued = ({ before, after }: Change) => {
    const at = Number.isNaN(after?.issuedAt ?? Number.NaN) ? before?.issuedAt : after?.issuedAt
    return at === undefined || Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
  }
  return changes
    .filter(({ difference }) => difference === name)
    .sort((a, b) => (issued(a) < issued(b) ? -1 : Number(issued(a) > issued(b))))
    .slice(0, SWEEP_DIFFERENCES_SAID)
}

function listedOnly(statements: Statements, { id }: Sweep, { id: other }: Sweep): number {
  return statements.number`SELECT count(*) AS n FROM sweep_item i WHERE ${inSweep('i.id', id)}
       AND NOT EXISTS (SELECT 1 FROM sweep_item o WHERE o.key = i.key AND ${inSweep('o.id', other)})`
}
