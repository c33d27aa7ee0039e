import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams, Searching } from '#contract/delivery.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import { VERDICTS } from '#contract/values.ts'
import { matches } from '#core/filter/matches.ts'
import { compileOpened } from '#core/filter/opened.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Filter } from '#core/filter/tree.ts'
import { scanJson } from '#core/json/scan.ts'
import { type Made, type Maker, makeDelivery } from './deliveries.ts'
import { ordered } from './order.ts'

/** What the fake host holds: `count` deliveries by index, and what was changed of them by hand. */
export class FakeStore {
  count: number
  /** What pages of filtered sets say of a search that goes on. */
  searching: Searching | null = null
  /** Ids that lie in the trash. */
  readonly trashed = new Set<number>()
  readonly #maker: Maker
  readonly #changed = new Map<number, DeliveryRow>()
  readonly #recent = new Map<number, Made>()

  constructor(maker: Maker, count: number) {
    this.#maker = maker
    this.count = count
  }

  made(index: number): Made {
    const known = this.#recent.get(index)
    const made = known ?? makeDelivery(this.#maker, index)
    if (!known) {
      this.#recent.set(index, made)
      if (this.#recent.size > 20_000) this.#recent.clear()
    }
    const row = this.#changed.get(index)
    return row ? { ...made, row } : made
  }

  row(index: number): DeliveryRow {
    return this.made(index).row
  }

  change(row: DeliveryRow): void {
    this.#changed.set(row.id - 1, row)
  }

  changedRows(): Iterable<DeliveryRow> {
    return this.#changed.values()
  }

  /** Ids of the members, oldest first. */
  ids(filter: string): readonly number[] {
    const members = this.#members(filter)
    return members?.map((index) => index + 1) ?? Array.from({ length: this.count }, (_, index) => index + 1)
  }

  /** Indices of the members, oldest first; undefined stands for all. */
  #members(filter: string): number[] | undefined {
    const tree = readFilter(filter)
    if (filter.trim() === '' && this.trashed.size === 0) return undefined
    const members: number[] = []
    for (let index = 0; index < this.count; index++)
      if (!this.trashed.has(index + 1) && this.#holds(tree, index)) members.push(index)
    return members
  }

  #holds(tree: Filter, index: number): boolean {
    const { row, body } = this.made(index)
    const text = () => new TextDecoder().decode(body)
    const decide = (part: Filter): boolean => {
      if (part.type === 'and') return part.all.every(decide)
      if (part.type === 'or') return part.any.some(decide)
      if (part.type === 'not') return !decide(part.not)
      if (part.type === 'text') return text().toLowerCase().includes(part.text.toLowerCase())
      return (
        matches(part, row, (leaf) =>
          compileOpened(leaf)({
            url: row.url,
            headers: () => [],
            text,
            json: () => {
              const tree = scanJson(text())
              return 'problem' in tree ? null : tree
            },
            findings: () => [],
          }),
        ) === true
      )
    }
    return decide(tree)
  }

  /** What pages of another order say while it is made, instead of rows. */
  making: Ordered['making'] | null = null
  #order: { readonly key: string; readonly ids: readonly number[] } | undefined

  /** Indices of the members in another order, and those that are not in it yet. */
  #ordered(filter: string, sort: Sort): { upto: number; newer: number; indices: readonly number[] } {
    const upto = sort.upto ?? this.count
    const all = this.ids(filter).map((id) => id - 1)
    const known = all.filter((index) => index < upto)
    const key = JSON.stringify([filter, sort.by, sort.descending, upto])
    if (this.#order?.key !== key) this.#order = { key, ids: ordered(known, (index) => this.row(index), sort) }
    return { upto, newer: all.length - known.length, indices: this.#order.ids }
  }

  at(filter: string, instant: number, sort?: Sort): Result<'deliveries.at'> {
    const members = this.ids(filter).map((id) => this.row(id - 1))
    const row = members.find(({ receivedAt }) => receivedAt >= instant * 1000) ?? members.at(-1)
    if (!row) return { position: 0, id: null, receivedAt: null }
    return { position: this.locate(filter, row.id, sort).position, id: row.id, receivedAt: row.receivedAt }
  }

  page({ filter, from, limit, sort }: PageParams): Page {
    if (sort) {
      const { upto, newer, indices } = this.#ordered(filter, sort)
      if (this.making) return { rows: [], from: 0, total: 0, ordered: { upto, newer, making: this.making } }
      const start = from === 'newest' ? Math.max(0, indices.length - limit) : from
      const rows = indices.slice(start, start + limit).map((index) => this.row(index))
      return { rows, from: start, total: indices.length, ordered: { upto, newer } }
    }
    const members = this.#members(filter)
    const total = members?.length ?? this.count
    const start = from === 'newest' ? Math.max(0, total - limit) : from
    const rows: DeliveryRow[] = []
    for (let i = start; i < Math.min(total, start + limit); i++) rows.push(this.row(members?.[i] ?? i))
    return { rows, from: start, total, ...(members && this.searching ? { searching: this.searching } : {}) }
  }

  scan({ filter, after, limit, newest = false }: Params<'deliveries.scan'>): DeliveryRow[] {
    const ids = newest ? this.ids(filter).toReversed() : this.ids(filter)
    const wanted = ids.filter((id) => after === null || (newest ? id < after : id > after))
    return wanted.slice(0, limit).map((id) => this.row(id - 1))
  }

  locate(filter: string, id: number, sort?: Sort): Result<'deliveries.locate'> {
    if (sort) {
      const position = this.#ordered(filter, sort).indices.indexOf(id - 1)
      return { position: Math.max(0, position), member: position >= 0 }
    }
    const members = this.#members(filter)
    if (!members) return { position: id - 1, member: id >= 1 && id <= this.count }
    const position = members.filter((index) => index + 1 < id).length
    return { position, member: members.includes(id - 1) }
  }

  summary(filter: string): Result<'deliveries.summary'> {
    const members = this.#members(filter)
    const verdicts = { valid: 0, noted: 0, warning: 0, invalid: 0, unreadable: 0, unjudged: 0 }
    const total = members?.length ?? this.count
    // Beyond this many the counts are projected from the newest: the fake need not be exact where it would have to make a million bodies.
    const counted = Math.min(total, 5_000)
    for (let i = total - counted; i < total; i++)
      verdicts[this.row(members?.[i] ?? i).verdict ?? 'unjudged'] += 1
    const factor = counted === 0 ? 0 : total / counted
    for (const verdict of VERDICTS) verdicts[verdict] = Math.round(verdicts[verdict] * factor)
    return { total, verdicts }
  }
}
