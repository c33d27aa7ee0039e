import type { DeliveryRow } from '#contract/delivery.ts'
import type { Leases, WorkKey } from '../lease.ts'
import { textHash } from '../reconcile/sweep-item.ts'

type Event = Pick<DeliveryRow, 'id' | 'kind' | 'documentId'>

/** Sends each missed event once among all followers with the same schedule, whichever of them rebuilt it. */
export class Once {
  readonly #leases: Leases
  readonly #work: WorkKey
  readonly #begun: Set<number>

  /** @param begun places that followers have begun, as a taken lease says */
  constructor(leases: Leases, work: WorkKey, begun: readonly number[]) {
    this.#leases = leases
    this.#work = work
    this.#begun = new Set(begun)
  }

  /** Whether a follower has begun to send the event. */
  begun(event: Event): boolean {
    return this.#begun.has(placeOf(event))
  }

  /** @throws when it is not certain that no other follower sends them; then none may be sent */
  async begin(events: readonly Event[]): Promise<void> {
    const places = events.map(placeOf)
    await this.#leases.start(places.map((id) => ({ work: this.#work, id })))
    for (const place of places) this.#begun.add(place)
  }

  /** @param sent false when none of them was sent */
  ended(events: readonly Event[], sent: boolean): void {
    for (const place of events.map(placeOf)) {
      if (!sent) this.#begun.delete(place)
      this.#leases.ended(this.#work, place, sent)
    }
  }
}

const PLACES = 2 ** 52

/** A positive whole number by which followers recognise an event. */
function placeOf({ kind, documentId, id }: Event): number {
  const hash = textHash(`${kind} ${documentId?.toLowerCase() ?? id}`)
  return 1 + (Number.parseInt(hash.slice(0, 13), 16) % PLACES)
}
