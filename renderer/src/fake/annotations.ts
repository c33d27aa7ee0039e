import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { FakeStore } from './store.ts'

interface Host {
  readonly store: FakeStore
  changed(rows: readonly DeliveryRow[]): void
}

/** Pins, notes and tags of the fake host. */
export class FakeAnnotations {
  readonly #host: Host
  readonly #notes = new Map<number, NonNullable<DeliveryDetail['noteText']>>()

  constructor(host: Host) {
    this.#host = host
  }

  noteOf(id: number): DeliveryDetail['noteText'] {
    return this.#notes.get(id) ?? null
  }

  readonly handlers = {
    'deliveries.pin': ({ ids, pinned }: Params<'deliveries.pin'>) =>
      this.#change(ids, (row) => {
        const others = row.marks.filter((mark) => mark !== 'pinned')
        return { ...row, marks: pinned ? [...others, 'pinned' as const] : others }
      }),
    'deliveries.annotate': ({ ids, note, addTags = [], removeTags = [] }: Params<'deliveries.annotate'>) =>
      this.#change(ids, (row) => {
        const text = note?.trim() ?? ''
        if (note !== undefined && text !== '') this.#notes.set(row.id, { text, at: Date.now() })
        else if (note !== undefined) this.#notes.delete(row.id)
        const kept = row.tags.filter((tag) => !removeTags.includes(tag))
        return { ...row, note: this.#notes.has(row.id), tags: [...new Set([...kept, ...addTags])].sort() }
      }),
    'tags.list': (): Result<'tags.list'> => {
      const counts = new Map<string, number>()
      for (const { tags } of this.#host.store.changedRows())
        for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
      return { tags: [...counts].map(([tag, count]) => ({ tag, count })).sort((a, b) => b.count - a.count) }
    },
  }

  #change(ids: readonly number[], change: (row: DeliveryRow) => DeliveryRow): { changed: number } {
    const rows = ids
      .filter((id) => id <= this.#host.store.count)
      .map((id) => change(this.#host.store.row(id - 1)))
    for (const row of rows) this.#host.store.change(row)
    this.#host.changed(rows)
    return { changed: rows.length }
  }
}
