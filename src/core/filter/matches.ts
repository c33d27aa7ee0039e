import type { DeliveryRow } from '#contract/delivery.ts'
import { within } from './spans.ts'
import { SEARCHABLE } from './tokens.ts'
import type { Amount, Filter, Having, Is, OpenedLeaf } from './tree.ts'
import { asciiLower, fits } from './values.ts'

/** `unknown`: only the store can tell, from its text index, bodies and headers. */
export type Match = boolean | 'unknown'
export type Decide = (leaf: OpenedLeaf) => Match

const UNKNOWN: Decide = () => 'unknown'
const AMOUNT: Readonly<Record<Amount, 'id' | 'statusId' | 'answer' | 'size' | 'tookUs'>> = {
  id: 'id',
  status: 'statusId',
  answer: 'answer',
  size: 'size',
  took: 'tookUs',
}

/**
 * Matches rows pushed to a window, with the same result as the SQL that storage compiles from this tree. A row not yet analysed has no
 * kind, group, document or verdict, so `-kind:x` selects it.
 * @param decide decides leaves that a row cannot, for a caller with the whole delivery
 */
export function matches(filter: Filter, row: DeliveryRow, decide: Decide = UNKNOWN): Match {
  switch (filter.type) {
    case 'and':
      return strongest(filter.all, row, false, decide)
    case 'or':
      return strongest(filter.any, row, true, decide)
    case 'not': {
      const inner = matches(filter.not, row, decide)
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
      return anyOf(filter.facts.map((fact) => holds(fact, row)))
    case 'has':
      return filter.what.some((having) => has(having, row))
    case 'tag':
      return row.tags.some((tag) => filter.patterns.some((pattern) => fits(pattern, tag)))
    case 'attempt':
      return attempted(filter, row)
    case 'text':
      return SEARCHABLE.test(filter.text) ? 'unknown' : true
    case 'amount': {
      const value = row[AMOUNT[filter.of]]
      return value === null ? filter.none : filter.ranges.some((range) => within(range, value))
    }
    case 'time':
      // Only a delivery that was received and accepted has its own instant (readings, Delivery), and rows do not contain it.
      if (filter.of === 'timestamp') return 'unknown'
      return filter.spans.some((span) => within(span, row.receivedAt))
    case 'word': {
      if (filter.of === 'party') return 'unknown'
      const word = row[filter.of]
      return word !== null && filter.patterns.some((pattern) => fits(pattern, asciiLower(word)))
    }
    default:
      return decide(filter)
  }
}

/** Returns `decisive` if any member does, else `unknown` if any member does, else the opposite. */
function strongest(members: readonly Filter[], row: DeliveryRow, decisive: boolean, decide: Decide): Match {
  let result: Match = !decisive
  for (const member of members) {
    const one = matches(member, row, decide)
    if (one === decisive) return decisive
    if (one === 'unknown') result = one
  }
  return result
}

function has(having: Having, row: DeliveryRow): boolean {
  if (having === 'attempt') return row.attempts > 0
  return having === 'note' ? row.note : row.tags.length > 0
}

function attempted(
  { outcomes, statuses, targets }: Extract<Filter, { type: 'attempt' }>,
  { lastAttempt: last }: DeliveryRow,
): Match {
  if (!last) return outcomes.includes('none')
  const { state, status, ok } = last
  const failed = ok === false || state === 'uncertain'
  if (outcomes.includes('failed') && failed) return true
  if (outcomes.includes('ok') && ok === true) return true
  if (status !== null && statuses.some((range) => within(range, status))) return true
  return targets.length > 0 && 'unknown'
}

const anyOf = (found: readonly Match[]): Match =>
  found.includes(true) || (found.includes('unknown') && 'unknown')

function holds(fact: Is, row: DeliveryRow): Match {
  if (fact === 'rejected') return row.rejected
  if (fact === 'malformed') return row.malformed !== null
  if (fact === 'replayed') return row.attempts > 0
  if (fact === 'missed') return row.documentId !== null && 'unknown'
  return row.marks.includes(fact)
}
