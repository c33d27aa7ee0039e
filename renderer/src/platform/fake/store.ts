import type { Page, PageParams, Result, Searching } from '#contract/commands.ts'
import { type DeliveryRow, VERDICTS } from '#contract/delivery.ts'
import { matches } from '#core/filter/matches.ts'
import { compileOpened } from '#core/filter/opened.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Filter } from '#core/filter/tree.ts'
import { scanJson } from '#core/json/scan.ts'
import { type Made, type Maker, makeDelivery } from './deliveries.ts'

/** What the fake host holds: `count` deliveries by index, and what was changed of them by hand. */
export class FakeStore {
  count: number
  /** What pages of filtered sets say of a search that goes on. */
  searching: Searching | null = null
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
    if (filter.trim() === '') return undefined
    const members: number[] = []
    for (let index = 0; index < this.count; index++) if (this.#holds(tree, index)) members.push(index)
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

  page({ filter, from, limit }: PageParams): Page {
    const members = this.#members(filter)
    const total = members?.length ?? this.count
    const start = from === 'newest' ? Math.max(0, total - limit) : from
    const rows: DeliveryRow[] = []
    for (let i = start; i < Math.min(total, start + limit); i++) rows.push(this.row(members?.[i] ?? i))
    return { rows, from: start, total, ...(members && this.searching ? { searching: this.searching } : {}) }
  }

  locate(filter: string, id: number): Result<'deliveries.locate'> {
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
