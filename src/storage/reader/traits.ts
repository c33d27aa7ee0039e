import type { Group, Kind } from '#catalog/kinds.ts'
import type { Verdict } from '#contract/delivery.ts'
import type { Amount, Filter, Having, Is, Word } from '#core/filter/tree.ts'
import { COLUMNS } from '../sql/columns.ts'
import { onlyText } from '../sql/filter-sql.ts'

/** A single condition of a filter, without `and`, `or` and `not`. */
type Leaf = Exclude<Filter, { readonly type: 'and' | 'or' | 'not' }>

/** Facts by which the rollups count. */
export interface RolledFacts {
  readonly endpoint: string
  readonly kind: Kind | null
  readonly group: Group | null
  /** Null: not analysed yet. */
  readonly verdict: Verdict | null
}

export type Rolled = (facts: RolledFacts) => boolean

/** Properties of a condition that the planner uses. */
export interface Traits {
  /** Only analysed deliveries can match. */
  readonly analysed?: boolean
  /** The result for a delivery may change until it is analysed. */
  readonly waitsForAnalysis?: boolean
  /** The result may change until the delivery is answered, which can be some time after it is stored. */
  readonly waitsForAnswer?: boolean
  /** The result may change at any time: pins, notes, tags, attempts, sweeps. */
  readonly changes?: boolean
  /** No index finds its members. */
  readonly unindexed?: boolean
  /** The payload or the findings have to be read. */
  readonly opens?: boolean
  /** A small table has all members, because the user marked each one. */
  readonly byHand?: boolean
  /** Decides the condition from the facts of a rollup; absent when they do not suffice. */
  readonly rolled?: Rolled | undefined
}

const ANALYSED: Traits = { analysed: true, waitsForAnalysis: true }
const OF_FACT: Readonly<Record<Is, Traits>> = {
  duplicate: ANALYSED,
  late: ANALYSED,
  'out-of-order': ANALYSED,
  replay: ANALYSED,
  drift: ANALYSED,
  missed: { ...ANALYSED, changes: true },
  pinned: { changes: true, byHand: true },
  replayed: { changes: true },
  synthetic: {},
  imported: {},
  rejected: {},
  malformed: {},
}
const OF_HAVING: Readonly<Record<Having, Traits>> = {
  attempt: { changes: true },
  note: { changes: true, byHand: true },
  tag: { changes: true, byHand: true },
}
/** Amounts that are unknown until the delivery is answered. */
const OF_ANSWER: ReadonlySet<Amount> = new Set(['answer', 'took'])
/** Columns of `analysis a` are unknown until a delivery is analysed. */
const ofColumn = (name: Word | Amount): Traits => (COLUMNS[name].startsWith('a.') ? ANALYSED : {})

/** Traits of each type of condition; a missing type does not compile. */
function ofLeaf(leaf: Leaf): Traits {
  switch (leaf.type) {
    case 'kind':
      return { ...ANALYSED, rolled: ({ kind }) => kind !== null && leaf.kinds.includes(kind) }
    case 'group':
      return { ...ANALYSED, rolled: ({ group }) => group !== null && leaf.groups.includes(group) }
    case 'verdict': {
      const rolled: Rolled = ({ verdict }) => leaf.verdicts.includes(verdict ?? 'unjudged')
      return { analysed: !leaf.verdicts.includes('unjudged'), waitsForAnalysis: true, rolled }
    }
    case 'endpoint':
      return { rolled: ({ endpoint }) => leaf.names.includes(endpoint) }
    case 'doc':
      return ANALYSED
    case 'is':
      return anyOf(leaf.facts.map((fact) => OF_FACT[fact]))
    case 'has':
      return anyOf(leaf.what.map((what) => OF_HAVING[what]))
    case 'tag':
      return OF_HAVING.tag
    case 'attempt':
      return OF_HAVING.attempt
    case 'text':
      return { analysed: onlyText(leaf) !== undefined, waitsForAnalysis: true }
    case 'amount': {
      const traits = ofColumn(leaf.of)
      const waitsForAnswer = OF_ANSWER.has(leaf.of)
      return { ...traits, analysed: traits.analysed === true && !leaf.none, waitsForAnswer, unindexed: true }
    }
    case 'time': {
      const open = leaf.spans.some(({ from, to }) => from === null && to === null)
      const traits = leaf.of === 'timestamp' ? { analysed: !open, waitsForAnalysis: true } : {}
      return { ...traits, unindexed: true }
    }
    case 'word':
      return { ...ofColumn(leaf.of), unindexed: true }
    case 'header':
    case 'json':
    case 'regex':
    case 'body':
      return { unindexed: true, opens: true }
    case 'finding':
      return { ...ANALYSED, unindexed: true, opens: true }
  }
}

/** Traits of alternatives: hazards of any part, guarantees of all parts. */
const anyOf = (parts: readonly Traits[]): Traits => ({
  ...eachOf(parts),
  analysed: parts.length > 0 && parts.every(({ analysed }) => analysed),
  byHand: parts.length > 0 && parts.every(({ byHand }) => byHand),
})

const eachOf = (parts: readonly Traits[]): Traits => ({
  waitsForAnalysis: parts.some((part) => part.waitsForAnalysis),
  waitsForAnswer: parts.some((part) => part.waitsForAnswer),
  changes: parts.some((part) => part.changes),
  unindexed: parts.some((part) => part.unindexed),
  opens: parts.some((part) => part.opens),
})

export function traitsOf(filter: Filter): Traits {
  switch (filter.type) {
    case 'and': {
      const parts = filter.all.map(traitsOf)
      const analysed = parts.some((part) => part.analysed)
      const byHand = parts.some((part) => part.byHand)
      const rolled = allRolled(parts, (all) => (facts) => all.every((holds) => holds(facts)))
      return { ...eachOf(parts), analysed, byHand, rolled }
    }
    case 'or': {
      const parts = filter.any.map(traitsOf)
      const rolled = allRolled(parts, (all) => (facts) => all.some((holds) => holds(facts)))
      return { ...anyOf(parts), byHand: false, rolled }
    }
    case 'not': {
      const inner = traitsOf(filter.not)
      const rolled = inner.rolled && ((facts: RolledFacts) => !inner.rolled?.(facts))
      return { ...inner, analysed: false, byHand: false, rolled }
    }
    default:
      return ofLeaf(filter)
  }
}

function allRolled(parts: readonly Traits[], join: (all: readonly Rolled[]) => Rolled): Rolled | undefined {
  const known = parts.map(({ rolled }) => rolled).filter((one) => one !== undefined)
  return known.length === parts.length ? join(known) : undefined
}
