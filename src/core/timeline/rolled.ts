import type { Group, Kind } from '#catalog/kinds.ts'
import type { Verdict } from '#contract/delivery.ts'
import type { Filter } from '../filter/tree.ts'

/** What the rollups tell apart. */
export interface RolledFacts {
  readonly endpoint: string
  readonly kind: Kind | null
  readonly group: Group | null
  /** Null: not analysed yet. */
  readonly verdict: Verdict | null
}

/** Whether a filter asks for nothing that rollups do not tell apart. */
export function isRolled(filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.every(isRolled)
    case 'or':
      return filter.any.every(isRolled)
    case 'not':
      return isRolled(filter.not)
    case 'kind':
    case 'group':
    case 'verdict':
    case 'endpoint':
      return true
    default:
      return false
  }
}

/** Whether deliveries of these facts belong to the set. @param filter one that `isRolled` holds for */
export function holdsRolled(filter: Filter, facts: RolledFacts): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.every((part) => holdsRolled(part, facts))
    case 'or':
      return filter.any.some((part) => holdsRolled(part, facts))
    case 'not':
      return !holdsRolled(filter.not, facts)
    case 'kind':
      return facts.kind !== null && filter.kinds.includes(facts.kind)
    case 'group':
      return facts.group !== null && filter.groups.includes(facts.group)
    case 'verdict':
      return filter.verdicts.includes(facts.verdict ?? 'unjudged')
    case 'endpoint':
      return filter.names.includes(facts.endpoint)
    default:
      return false
  }
}
