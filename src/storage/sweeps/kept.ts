import type { DocumentClass, ReconciliationSummary, Sweep } from '#contract/reconcile.ts'
import { CLASSES, UNREACHED_SAID } from '#contract/values.ts'
import type { ComparisonTerms, RowsQuery } from '#core/reconcile/ports.ts'
import type { Statements } from '../sql/connection.ts'
import type { CapturedSide } from './captured-side.ts'
import { type Comparison, classAt } from './compare.ts'
import { type Items, inSweep, searchedOf } from './items.ts'
import type { Notes } from './notes.ts'
import { daysIn, quarterOf } from './tally.ts'

interface Ordered {
  readonly refs: Float64Array
  /** Indexes into CLASSES. */
  readonly classes: Uint8Array
  readonly issued: Float64Array
}

const MATCHED = CLASSES.indexOf('matched')
const RECOVERED = CLASSES.indexOf('recovered')

/** A cached comparison, with the order of its documents. */
export class Kept {
  readonly comparison: Comparison
  readonly sweep: Sweep
  readonly comparedAt: number
  readonly unreached: ComparisonTerms['unreached']
  readonly #dayOf: (quarter: number) => string
  /** Changes when any input of the comparison does. */
  readonly signature: string
  #ordered: Ordered | undefined
  #classes: Map<number, DocumentClass> | undefined
  #chosen: { readonly key: string; readonly refs: Float64Array } | undefined

  constructor(comparison: Comparison, sweep: Sweep, terms: ComparisonTerms, signature: string) {
    this.comparison = comparison
    this.sweep = sweep
    this.comparedAt = terms.now
    this.unreached = terms.unreached
    this.#dayOf = daysIn(terms.zone)
    this.signature = signature
  }

  /** Class of a document. Documents that are not in `found` are matched. */
  classOf(ref: number): DocumentClass {
    const { refs, classes } = this.comparison.found
    this.#classes ??= new Map(refs.map((known, at) => [known, classAt(classes[at] ?? MATCHED)]))
    return this.#classes.get(ref) ?? 'matched'
  }

  /** Ref of an unlisted document, by the ids of its deliveries; undefined when the comparison does not contain it. */
  unlisted(deliveryIds: readonly number[]): number | undefined {
    return deliveryIds.map((id) => -id).find((ref) => this.classOf(ref) !== 'matched')
  }

  /** Refs (Found) of the selected documents, in order of issue date, recovered ones last. @param notes by key */
  select(
    statements: Statements,
    captured: CapturedSide,
    { classes, text = '' }: Pick<RowsQuery, 'classes' | 'text'>,
    notes: () => ReadonlyMap<string, string>,
  ): Float64Array {
    const wanted = text === '' ? null : text.toLowerCase()
    const found = wanted === null ? null : notes()
    const key = JSON.stringify([classes ?? null, wanted, found && [...found]])
    if (this.#chosen?.key === key) return this.#chosen.refs
    const ordered = this.#order(statements)
    const named = new Set((classes ?? CLASSES).map((name) => CLASSES.indexOf(name)))
    const holds = wanted === null || !found ? null : this.#search(statements, captured, wanted, found)
    const refs = ordered.refs.filter(
      (ref, place) =>
        named.has(ordered.classes[place] ?? MATCHED) && (!holds || holds(ref, ordered.issued[place])),
    )
    this.#chosen = { key, refs }
    return refs
  }

  #order(statements: Statements): Ordered {
    if (this.#ordered) return this.#ordered
    const { refs, classes, issued } = this.comparison.found
    const known = new Set(refs)
    const all = { refs: [...refs], classes: [...classes], issued: [...issued] }
    const rows = statements.each`SELECT id, issued_at FROM sweep_item WHERE ${inSweep('id', this.sweep.id)}`
    for (const { id, issued_at } of rows) {
      if (known.has(Number(id))) continue
      all.refs.push(Number(id))
      all.classes.push(MATCHED)
      all.issued.push(issued_at === null ? Number.NaN : Number(issued_at))
    }
    // Documents without a date come last, and recovered ones after all others.
    const at = (place: number) => {
      const issued = all.issued[place] ?? Number.NaN
      return Number.isNaN(issued) ? Number.POSITIVE_INFINITY : issued
    }
    const isDone = (place: number) => Number(all.classes[place] === RECOVERED)
    const order = Uint32Array.from(all.refs.keys()).sort((a, b) => {
      const [x, y] = [at(a), at(b)]
      if (isDone(a) !== isDone(b)) return isDone(a) - isDone(b)
      return x === y ? (all.refs[a] ?? 0) - (all.refs[b] ?? 0) : x - y
    })
    this.#ordered = {
      refs: Float64Array.from(order, (at) => all.refs[at] ?? 0),
      classes: Uint8Array.from(order, (at) => all.classes[at] ?? MATCHED),
      issued: Float64Array.from(order, (at) => all.issued[at] ?? Number.NaN),
    }
    return this.#ordered
  }

  #search(
    statements: Statements,
    captured: CapturedSide,
    wanted: string,
    notes: ReadonlyMap<string, string>,
  ): (ref: number, issued: number | undefined) => boolean {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(wanted)
    const noted = (key: string) => (notes.get(key) ?? '').toLowerCase().includes(wanted)
    const items = new Set<number>()
    const rows = statements.each`SELECT id, key, number, party FROM sweep_item WHERE ${inSweep('id', this.sweep.id)}`
    for (const row of rows)
      if (searchedOf(row).toLowerCase().includes(wanted) || noted(String(row.key))) items.add(Number(row.id))
    return (ref, issued = Number.NaN) => {
      if (isDay && !Number.isNaN(issued) && this.#dayOf(quarterOf(issued)) === wanted) return true
      if (ref > 0) return items.has(ref)
      const key = captured.keyOf(-ref)
      const events = captured.events([key], this.comparison.scope)
      return (
        key.includes(wanted) ||
        noted(key) ||
        events.some(({ number, party }) => `${number ?? ''}\n${party ?? ''}`.toLowerCase().includes(wanted))
      )
    }
  }
}

type Done = Pick<ReconciliationSummary, 'ignored' | 'notRecovered' | 'unreached'>

/** How many missing documents the user ignored, how many are not yet recovered, and the ranges that were not reached. */
export function doneAbout(
  { items, notes }: { readonly items: Items; readonly notes: Notes },
  kept: Kept,
): Done {
  const { sweep, comparison, unreached } = kept
  const ignored = new Set(notes.ignored(sweep.connection).flatMap((key) => items.find(sweep.id, key) ?? []))
  return {
    ignored: [...ignored].filter((ref) => kept.classOf(ref) === 'missing').length,
    notRecovered: [...comparison.found.open].filter((ref) => !ignored.has(ref)).length,
    unreached: unreached.slice(0, UNREACHED_SAID),
  }
}
