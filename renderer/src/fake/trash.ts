import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Pushes } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import { TRASH_KEPT_MS } from '#contract/values.ts'
import type { FakeStore } from './store.ts'

interface Host {
  readonly store: FakeStore
  readonly status: HostStatus
  setStatus(change: Partial<HostStatus>): void
  push(push: 'store.reset', payload: Pushes['store.reset']): void
}

interface Batch {
  readonly batch: number
  readonly at: number
  readonly filter: string | null
  readonly ids: readonly number[]
}

/** The trash of the fake host. */
export class FakeTrash {
  readonly #host: Host
  #batches: readonly Batch[] = []
  #last = 0

  constructor(host: Host) {
    this.#host = host
  }

  readonly handlers = {
    'deliveries.trash': ({ ids, filter = '', upTo = Number.MAX_SAFE_INTEGER }: Params<'deliveries.trash'>) =>
      this.#add(ids ?? this.#host.store.ids(filter).filter((id) => id <= upTo), ids ? null : filter),
    'deliveries.restore': ({ batch }: Params<'deliveries.restore'>) => {
      const found = this.#batches.find((one) => one.batch === batch)
      if (!found) throw new AcuseError('not-found', 'These deliveries are no longer in the trash.', { batch })
      for (const id of found.ids) this.#host.store.trashed.delete(id)
      this.#keep(this.#batches.filter((one) => one !== found))
      this.#host.push('store.reset', { reason: 'restored' })
      return { deliveries: found.ids.length }
    },
    'trash.list': (): Result<'trash.list'> => ({
      batches: this.#batches
        .map(({ batch, at, filter, ids }) => ({
          ...{
            batch,
            at,
            filter,
            deliveries: ids.length,
            bytes: this.#bytes(ids),
            emptiedAt: at + TRASH_KEPT_MS,
          },
          oldest: this.#host.store.row((ids[0] ?? 1) - 1).receivedAt,
          newest: this.#host.store.row((ids.at(-1) ?? 1) - 1).receivedAt,
        }))
        .toReversed(),
    }),
    'trash.empty': ({ batch }: Params<'trash.empty'>) => {
      const going = this.#batches.filter((one) => batch === undefined || one.batch === batch)
      this.#keep(this.#batches.filter((one) => !going.includes(one)))
      const ids = going.flatMap((one) => one.ids)
      return { deliveries: ids.length, bytes: this.#bytes(ids) }
    },
  }

  #add(wanted: readonly number[], filter: string | null): Result<'deliveries.trash'> {
    const { store } = this.#host
    const there = wanted.filter((id) => !store.trashed.has(id))
    const ids = there.filter((id) => filter === null || !store.row(id - 1).marks.includes('pinned'))
    if (ids.length === 0) return { batch: null, deliveries: 0, bytes: 0, pinnedExempt: there.length }
    this.#last += 1
    for (const id of ids) store.trashed.add(id)
    this.#keep([...this.#batches, { batch: this.#last, at: Date.now(), filter, ids }])
    this.#host.push('store.reset', { reason: 'trashed' })
    return {
      batch: this.#last,
      deliveries: ids.length,
      bytes: this.#bytes(ids),
      pinnedExempt: there.length - ids.length,
    }
  }

  #keep(batches: readonly Batch[]): void {
    this.#batches = batches
    const { store, status, setStatus } = this.#host
    const ids = batches.flatMap((one) => one.ids)
    setStatus.call(this.#host, {
      counts: { ...status.counts, trashed: ids.length, stored: store.count - store.trashed.size },
      disk: { ...status.disk, trashBytes: this.#bytes(ids) },
    })
  }

  #bytes(ids: readonly number[]): number {
    return ids.reduce((sum, id) => sum + this.#host.store.row(id - 1).size + 300, 0)
  }
}
