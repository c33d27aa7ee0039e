import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { AttemptRow } from '#contract/replay.ts'
import type { Outbox, Parcel, Source } from './outbox.ts'
import type { Parcels } from './parcels.ts'
import type { CapturedRequests, Ledger } from './ports.ts'
import { BUT_2XX, isSuccess } from './statuses.ts'

/** What is sent by hand: one delivery now, or several times one after the other. */
export class ByHand implements Source {
  readonly #ledger: Ledger
  readonly #captured: CapturedRequests
  readonly #parcels: Parcels
  readonly #outbox: Outbox
  readonly #abort = new AbortController()
  #waiting: Parcel[] = []

  constructor(ledger: Ledger, captured: CapturedRequests, parcels: Parcels, outbox: Outbox) {
    this.#ledger = ledger
    this.#captured = captured
    this.#parcels = parcels
    this.#outbox = outbox
    outbox.add(this)
  }

  /** @throws AcuseError `not-found` when the delivery or the target is not there */
  async send(params: Params<'replay.send'>): Promise<Result<'replay.send'>> {
    const { delivery, to, times = 1 } = params
    if (!this.#captured.get(delivery))
      throw new AcuseError('not-found', `There is no delivery ${delivery}; it may have been deleted.`, {
        id: delivery,
      })
    if (!this.#parcels.target(to.target))
      throw new AcuseError('not-found', `There is no target named "${to.target}".`, { path: 'to.target' })
    const attempts: AttemptRow[] = []
    for (let n = 0; n < times; n++) attempts.push(await this.#once(params))
    return { attempts }
  }

  begin(): readonly Parcel[] {
    return this.#waiting.splice(0)
  }

  wakeAt(): null {
    return null
  }

  #once({ delivery, to, edit }: Params<'replay.send'>): Promise<AttemptRow> {
    return new Promise((resolve, reject) => {
      const parcel = this.#parcels.make({
        deliveryId: delivery,
        item: null,
        origin: { by: 'hand' },
        to,
        edit,
        signal: this.#abort.signal,
        settle: (outcome) => ({ ok: isSuccess(outcome, BUT_2XX), end: null }),
        recorded: () => {
          const [row] = this.#ledger.attempts({ of: { delivery }, after: parcel.attempt.id - 1, limit: 1 })
          // Its delivery may have been deleted while it was on its way, and the attempt with it.
          if (row?.id === parcel.attempt.id) resolve(row)
          else reject(new AcuseError('not-found', `Delivery ${delivery} was deleted meanwhile.`))
        },
        returned: (error) =>
          reject(
            new AcuseError('store-failed', `It was not sent, for it cannot be recorded: ${error.message}`),
          ),
      })
      this.#waiting.push(parcel)
      this.#outbox.ring()
    })
  }
}
