import { messageOf } from '#contract/errors.ts'
import type { Changes } from './changes.ts'
import { LaneScheduler, type Pace } from './lane-scheduler.ts'
import type { Outbox, Parcel } from './outbox.ts'
import type { Order, Parcels } from './parcels.ts'
import type { Item, LaneCounts, Ledger } from './ports.ts'

export interface Workshop {
  readonly ledger: Ledger
  readonly parcels: Parcels
  readonly outbox: Outbox
  readonly changes: Changes
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Resolves when others have had their turn. */
  readonly turn: () => Promise<void>
}

/** Waited when the entries or deliveries cannot be read, or there is no room on the disk. */
const STALL_MS = 1_000

export class Lane {
  readonly id: number
  readonly scheduler: LaneScheduler
  readonly #shop: Workshop
  readonly #changed: () => void
  #stalledUntil = Number.NEGATIVE_INFINITY
  #stall: string | null = null
  #shortage: string | null = null

  /** @param id as in the ledger @param changed told when it sends, or another thing keeps it from sending */
  constructor(id: number, pace: Pace, shop: Workshop, changed: () => void) {
    this.id = id
    this.scheduler = new LaneScheduler(pace)
    this.#shop = shop
    this.#changed = changed
  }

  get counts(): LaneCounts {
    return this.#shop.ledger.counts(this.id)
  }

  get shown(): LaneCounts {
    return this.#shop.ledger.countsShown(this.id)
  }

  /** Why nothing is sent: no room on the disk, or a queue that cannot be read. */
  get stall(): string | null {
    return this.#shortage ?? this.#stall
  }

  get short(): boolean {
    return this.#shortage !== null
  }

  hasRoom(): boolean {
    const before = this.#shortage
    this.#shortage = this.#shop.ledger.shortage()
    if (this.#shortage !== before) this.#changed()
    return !this.short
  }

  draw(now: number, most: number, orderFor: (item: Item) => Omit<Order, 'item' | 'deliveryId'>): Parcel[] {
    const before = this.#stall
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
        parcels.push(this.#shop.parcels.make({ ...orderFor(item), item, deliveryId: item.deliveryId }))
        item = null
        this.#stall = null
      }
    } catch (error) {
      // A database that is being replaced, a full disk: the entry keeps its place.
      if (item) this.scheduler.back(item)
      this.#stalledUntil = now + STALL_MS
      this.#stall = messageOf(error)
      this.#shop.warn(`Replays wait: ${this.#stall}`)
    }
    if (parcels.length > 0 || this.#stall !== before) this.#changed()
    return parcels
  }

  wakeAt(now: number): number | null {
    if (this.short) return now + STALL_MS
    return now < this.#stalledUntil ? this.#stalledUntil : this.scheduler.wakeAt(now)
  }

  read(): void {
    const wanted = this.scheduler.wants()
    if (!wanted) return
    const { afterSeq, limit } = wanted
    this.scheduler.offer(this.#shop.ledger.waiting(this.id, afterSeq, limit), limit)
  }
}
