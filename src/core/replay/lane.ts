import { messageOf } from '#contract/errors.ts'
import { DELIVERIES_PER_PUSH } from '#contract/values.ts'
import type { Leases } from '../lease.ts'
import type { ReplayNotice } from '../ports.ts'
import { Throttle } from '../threads.ts'
import { LaneScheduler, type Pace } from './lane-scheduler.ts'
import type { Outbox, Parcel } from './outbox.ts'
import type { Order, Parcels } from './parcels.ts'
import type { Item, LaneCounts, Ledger } from './ports.ts'

export interface Workshop {
  readonly ledger: Ledger
  readonly parcels: Parcels
  readonly outbox: Outbox
  readonly changes: Changes
  readonly leases: Leases
  readonly now: () => number
  readonly warn: (message: string) => void
  /** Resolves after other work on this thread had its turn. */
  readonly turn: () => Promise<void>
}

/** Delay before a retry when entries or deliveries cannot be read, or the disk is full. */
const STALL_MS = 1_000
/** Shortest time between two measurements of the free space. */
const MEASURE_MS = 20

export class Lane {
  readonly id: number
  readonly scheduler: LaneScheduler
  readonly #shop: Workshop
  readonly #changed: () => void
  #stalledUntil = Number.NEGATIVE_INFINITY
  #stall: string | null = null
  #shortage: string | null = null
  #measureAt = Number.NEGATIVE_INFINITY

  /** @param id of the lane in the ledger @param changed called when the lane sends, or its stall changes */
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

  /** Why nothing is sent: the disk is full, or the queue cannot be read. */
  get stall(): string | null {
    return this.#shortage ?? this.#stall
  }

  get short(): boolean {
    return this.#shortage !== null
  }

  hasRoom(now: number): boolean {
    if (now < this.#measureAt) return !this.short
    this.#measureAt = now + MEASURE_MS
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
      // Temporary, such as a full disk or a database being replaced: the entry keeps its place.
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

export class Changes {
  readonly #jobs = new Set<number>()
  readonly #deliveries = new Set<number>()
  readonly #throttle: Throttle
  #forwards = false
  #more = false

  constructor(tell: (notice: ReplayNotice) => void) {
    this.#throttle = new Throttle(() => {
      const [jobs, deliveries] = [[...this.#jobs], [...this.#deliveries]]
      const notice = { jobs, deliveries, forwards: this.#forwards, more: this.#more }
      this.#jobs.clear()
      this.#deliveries.clear()
      this.#forwards = false
      this.#more = false
      tell(notice)
    })
  }

  job(id: number): void {
    this.#jobs.add(id)
    this.#throttle.ring()
  }

  forwards(): void {
    this.#forwards = true
    this.#throttle.ring()
  }

  delivery(id: number): void {
    if (this.#deliveries.size < DELIVERIES_PER_PUSH) this.#deliveries.add(id)
    else if (!this.#deliveries.has(id)) this.#more = true
    this.#throttle.ring()
  }

  close(): void {
    this.#throttle.close()
  }
}
