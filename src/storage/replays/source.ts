import type { Exclusion, JobOptions, ReplaySource } from '#contract/replay.ts'
import { EXCLUSIONS } from '#contract/values.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Filter } from '#core/filter/tree.ts'
import { asciiLower } from '#core/filter/values.ts'
import { Pace, type TimeLimit } from '../body/opened.ts'
import { fromMembers } from '../reader/members.ts'
import { plan, type SetPlan } from '../reader/plan.ts'
import { COLUMNS, MARK_BITS } from '../sql/columns.ts'
import { Queries, raw, type Sql, type Statements, sql } from '../sql/connection.ts'
import { readProgress } from '../sql/numbers.ts'
import { WAITING } from './lanes.ts'

/** Duration of a step, during which other sending waits. */
const PACE = { sliceMs: 8, longestMs: 16 }

const EVERY = sql`delivery d LEFT JOIN analysis a ON a.delivery_id = d.id`
const IS_REPLAY = `coalesce(${COLUMNS.marks} & ${MARK_BITS.replay}, 0) <> 0`
const REASONS: Readonly<Record<Exclusion, string>> = {
  malformed: `${COLUMNS.malformed} IS NOT NULL`,
  rejected: `${COLUMNS.rejected} = 1`,
  replay: IS_REPLAY,
}

/** True for deliveries that a forward may send: analysed, well-formed, not rejected, received here, and no replay of ours. */
export const FORWARDABLE = raw(
  `${COLUMNS.marks} IS NOT NULL AND ${COLUMNS.synthetic} = 0
    AND d.id NOT IN (SELECT delivery_id FROM imported) AND NOT (${Object.values(REASONS).join(' OR ')})`,
)

/** The first reason to exclude a delivery; NULL for a delivery to send. */
const reasonFor = (include: JobOptions['include']): Sql => {
  const excluding = EXCLUSIONS.filter((reason) => reason === 'malformed' || !include.includes(reason))
  return raw(`CASE ${excluding.map((reason) => `WHEN ${REASONS[reason]} THEN '${reason}'`).join(' ')} END`)
}

const shownOf = (include: JobOptions['include']): Sql =>
  sql`d.id AS id, d.received_at, d.size, ${reasonFor(include)} AS reason`

export interface Window {
  readonly rows: readonly {
    readonly id: number
    /** Microseconds since the epoch. */
    readonly receivedAt: number
    readonly size: number
    readonly reason: Exclusion | null
  }[]
  /** The last position searched. */
  readonly to: number
}

/** A range of positions to search, from `first` to `end`: ids of deliveries, or indexes into a list. */
export interface Source {
  first(): number
  /** May rise while deliveries arrive. */
  end(): number
  /** Searches from a position on, for a short time and at most `most` rows. */
  window(from: number, end: number, most: number): Window
  /** Whether membership may change anywhere, so that results are valid only briefly. */
  readonly volatile: boolean
}

interface Lookup {
  readonly statements: Statements
  readonly timeLimit: TimeLimit
  readonly include: JobOptions['include']
}

/** @throws AcuseError `bad-filter` */
export function sourceOf(source: ReplaySource, lookup: Lookup): Source {
  switch (source.type) {
    case 'filter':
      return filtered(plan(readFilter(source.filter)), lookup)
    case 'document':
      return listed(idsOfDocument(lookup.statements, source.documentId), lookup)
    case 'ids':
      return listed(
        Array.from(new Set(source.ids)).sort((a, b) => a - b),
        lookup,
      )
  }
}

function filtered(set: SetPlan, { statements, timeLimit, include }: Lookup): Source {
  const { rows, waitsForAnalysis } = set
  const pace = new Pace(timeLimit, PACE)
  const bound = (which: 'min' | 'max') => statements.number`SELECT ${raw(which)}(id) FROM delivery`
  return {
    volatile: set.changes || set.waitsForAnswer,
    first: () => bound('min'),
    // Membership of later deliveries is unknown until their analysis.
    end: () =>
      waitsForAnalysis ? Math.min(readProgress(statements, 'analysed_upto'), bound('max')) : bound('max'),
    window: (first, end, most) =>
      pace.timed((window) => {
        const to = Math.min(end, first + window - 1)
        const found = statements.all`SELECT ${shownOf(include)} ${fromMembers(rows, first, to)}
          ORDER BY ${raw(rows.id)} LIMIT ${most}`
        return windowOf(found, most, to)
      }),
  }
}

/** Positions are indexes into the list. */
function listed(ids: readonly number[], { statements, include }: Lookup): Source {
  return {
    volatile: false,
    first: () => 0,
    end: () => ids.length - 1,
    window(first, end, most) {
      const to = Math.min(end, first + most - 1)
      const wanted = JSON.stringify(ids.slice(first, to + 1))
      const rows = statements.all`SELECT ${shownOf(include)} FROM ${EVERY} WHERE d.id IN (SELECT value FROM json_each(${wanted})) ORDER BY d.id`
      return windowOf(rows, Number.POSITIVE_INFINITY, to)
    },
  }
}

function windowOf(rows: readonly Readonly<Record<string, unknown>>[], most: number, to: number): Window {
  const read = rows.map((row) => ({
    id: Number(row.id),
    receivedAt: Number(row.received_at),
    size: Number(row.size),
    reason: EXCLUSIONS.find((known) => known === row.reason) ?? null,
  }))
  return { rows: read, to: read.length < most ? to : (read.at(-1)?.id ?? to) }
}

const idsOfDocument = (statements: Statements, documentId: string): number[] =>
  statements.numbers`SELECT a.delivery_id AS id FROM analysis a
    WHERE ${raw(COLUMNS.documentKey)} = ${asciiLower(documentId)} ORDER BY 1`

/** Queues deliveries in a lane, except deleted and excluded ones. @returns how many were queued */
export function enqueue(
  statements: Statements,
  lane: number,
  ids: readonly number[],
  include: JobOptions['include'],
): number {
  const wanted = JSON.stringify(ids)
  const where = sql`d.id IN (SELECT value FROM json_each(${wanted})) AND ${reasonFor(include)} IS NULL`
  return insert(statements, lane, sql`FROM ${EVERY} WHERE ${where}`)
}

export class Feeding extends Queries {
  readonly #timeLimit: TimeLimit
  readonly #paces = new Map<number, Pace>()

  constructor(statements: Statements, timeLimit: TimeLimit) {
    super(statements)
    this.#timeLimit = timeLimit
  }

  timed<T>(lane: number, feed: (window: number) => T): T {
    const pace = this.#paces.get(lane) ?? new Pace(this.#timeLimit, PACE)
    this.#paces.set(lane, pace)
    return pace.timed(feed)
  }

  /** Queues the members of a filter with ids above `after` up to `upto`, without `skip`. @returns how many were queued */
  between(lane: number, filter: Filter, after: number, upto: number, skip: readonly number[]): number {
    const { rows } = plan(filter)
    const left =
      skip.length === 0 ? sql`TRUE` : sql`d.id NOT IN (SELECT value FROM json_each(${JSON.stringify(skip)}))`
    return insert(this.db, lane, sql`${fromMembers(rows, after + 1, upto)} AND ${FORWARDABLE} AND ${left}`)
  }
}

function insert(statements: Statements, lane: number, fromWhere: Sql): number {
  const { changes } = statements.run`INSERT INTO item (lane, state, delivery_id, received_at, document_key)
    SELECT ${lane}, ${WAITING}, d.id, d.received_at, ${raw(COLUMNS.documentKey)} ${fromWhere}`
  return Number(changes)
}
