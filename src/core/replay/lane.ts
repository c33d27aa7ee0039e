import { messageOf } from '#contract/errors.ts'
import { LaneScheduler, type Pace } from './lane-scheduler.ts'
import type { Parcel } from './outbox.ts'
import type { Order, Parcels } from './parcels.ts'
import type { Item, LaneCounts, Ledger } from './ports.ts'

/** Waited when the entries or deliveries cannot be read. */
const STALL_MS = 1_000

export class Lane {
  readonly id: number
  readonly scheduler: LaneScheduler
  readonly #ledger: Ledger
  readonly #parcels: Parcels
  readonly #warn: (message: string) => void
  #stalledUntil = Number.NEGATIVE_INFINITY
  #stall: string | null = null

  /** @param id as in the ledger */
  constructor(id: number, pace: Pace, ledger: Ledger, parcels: Parcels, warn: (message: string) => void) {
    this.id = id
    this.scheduler = new LaneScheduler(pace)
    this.#ledger = ledger
    this.#parcels = parcels
    this.#warn = warn
  }

  get counts(): LaneCounts {
    return this.#ledger.counts(this.id)
  }

  /** For showing only. */
  get shown(): LaneCounts {
    return this.#ledger.countsShown(this.id)
  }

  /** Why nothing can be read from the queue; null while it can. */
  get stall(): string | null {
    return this.#stall
  }

  /** Takes entries that may start, `most` at most, each as a parcel. */
  draw(now: number, most: number, orderFor: (item: Item) => Omit<Order, 'item' | 'deliveryId'>): Parcel[] {
    const parcels: Parcel[] = []
    let item: Item | null = null
    try {
      while (now >= this.#stalledUntil && parcels.length < most) {
        this.read()
        item = this.scheduler.next(now)
        if (!item) {
          this.#stall = null
          break
        }
        parcels.push(this.#parcels.make({ ...orderFor(item), item, deliveryId: item.deliveryId }))
        item = null
        this.#stall = null
      }
    } catch (error) {
      // A database that is being replaced, a full disk: the entry keeps its place.
      if (item) this.scheduler.back(item)
      this.#stalledUntil = now + STALL_MS
      this.#stall = messageOf(error)
      this.#warn(`Replays wait: ${this.#stall}`)
    }
    return parcels
  }

  wakeAt(now: number): number | null {
    return now < this.#stalledUntil ? this.#stalledUntil : this.scheduler.wakeAt(now)
  }

  /** Looks for what the queue holds beyond what is in memory. */
  read(): void {
    const wanted = this.scheduler.wants()
    if (wanted)
      this.scheduler.offer(this.#ledger.waiting(this.id, wanted.afterSeq, wanted.limit), wanted.limit)
  }
}
