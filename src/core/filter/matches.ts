import type { DeliveryRow } from '#contract/delivery.ts'
import { SEARCHABLE } from './tokens.ts'
import type { Filter, Is } from './tree.ts'
import { asciiLower } from './values.ts'

/** `unknown`: only the text index of the store can tell. */
export type Match = boolean | 'unknown'

/**
 * Whether a row belongs to the set that a filter selects: the same answer as the SQL that storage compiles from the same tree,
 * for rows pushed to a window. What is not analysed yet has no kind, group, document or verdict, so `-kind:x` selects it.
 */
export function matches(filter: Filter, row: DeliveryRow): Match {
  switch (filter.type) {
    case 'and':
      return strongest(filter.all, row, false)
    case 'or':
      return strongest(filter.any, row, true)
    case 'not': {
      const inner = matches(filter.not, row)
      return inner === 'unknown' ? inner : !inner
    }
    case 'kind':
      return row.kind !== null && filter.kinds.includes(row.kind)
    case 'group':
      return row.group !== null && filter.groups.includes(row.group)
    case 'verdict':
      return filter.verdicts.includes(row.verdict ?? 'unjudged')
    case 'doc':
      return row.documentId !== null && asciiLower(row.documentId).startsWith(asciiLower(filter.prefix))
    case 'endpoint':
      return filter.names.includes(row.endpoint)
    case 'is':
      return filter.facts.some((fact) => holds(fact, row))
    case 'text':
      return SEARCHABLE.test(filter.text) ? 'unknown' : true
  }
}

/** `decisive` as soon as one member says so, else `unknown` if any member is, else the opposite. */
function strongest(members: readonly Filter[], row: DeliveryRow, decisive: boolean): Match {
  let result: Match = !decisive
  for (const member of members) {
    const one = matches(member, row)
    if (one === decisive) return decisive
    if (one === 'unknown') result = one
  }
  return result
}

function holds(fact: Is, row: DeliveryRow): boolean {
  if (fact === 'rejected') return row.rejected
  if (fact === 'malformed') return row.malformed !== null
  return row.marks.includes(fact)
}
