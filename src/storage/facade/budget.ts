import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { WriterStatus } from '../writer/protocol.ts'
import type { Quotas } from '../writer/rings.ts'
import type { DeliveriesTarget } from './deliveries.ts'

const LOOK_MS = 1_000
/** Deleting makes room for this part of the budget more than is missing, so that it is not due again with the next delivery. */
const SLACK = 1 / 20

export type Retention = Settings['retention']

export function quotasOf(retention: Retention = DEFAULT_SETTINGS.retention): Quotas {
  const { rejectedDeliveries, rejectedBytes, malformedDeliveries, malformedBytes } = retention
  return {
    rejected: { deliveries: rejectedDeliveries, bytes: rejectedBytes },
    malformed: { deliveries: malformedDeliveries, bytes: malformedBytes },
  }
}

export interface BudgetTarget {
  /** Without the write-ahead logs, which deleting makes longer for a moment. */
  filedBytes(): number
  /** Deliveries in the trash. */
  trashed(): number
  readonly deliveries: Pick<DeliveriesTarget, 'read' | 'prune' | 'emptyTrash' | 'pruned'>
  setQuotas(quotas: Quotas): Promise<void>
  /** Another state has begun. */
  changed(): void
}

/** Keeps the store within what the settings allow, by the policy that they choose. */
export class Budget {
  readonly #retention: () => Retention
  readonly #target: BudgetTarget
  #timer: NodeJS.Timeout | undefined
  #known: Retention | undefined
  #refusal: string | null = null
  #deleting = false

  constructor(retention: (() => Retention) | undefined, target: BudgetTarget) {
    this.#retention = retention ?? (() => DEFAULT_SETTINGS.retention)
    this.#target = target
  }

  /** Why nothing is kept; null while deliveries are. */
  get refusal(): string | null {
    return this.#refusal
  }

  /** What the writer says, where nothing is refused for the budget. */
  stateWith({ state, reason }: WriterStatus): Pick<WriterStatus, 'state' | 'reason'> {
    return this.#refusal === null ? { state, reason } : { state: 'refusing', reason: this.#refusal }
  }

  open(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
    this.#known = this.#retention()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const retention = this.#retention()
    // One object as long as no setting changed.
    if (retention !== this.#known) {
      this.#known = retention
      this.#target.setQuotas(quotasOf(retention)).catch(() => {
        this.#known = undefined
      })
    }
    const { budgetBytes, overBudget } = retention
    const excess = this.#target.filedBytes() - budgetBytes
    this.#refuse(
      excess > 0 && overBudget === 'refuse'
        ? `the store has used up its disk budget of ${budgetBytes.toLocaleString('en')} bytes, and its settings say to refuse deliveries then`
        : null,
    )
    if (excess <= 0 || overBudget !== 'delete-oldest' || this.#deleting) return
    this.#deleting = true
    // A store that cannot be written now says so itself; the next look tries again.
    this.#makeRoom(excess, budgetBytes)
      .catch(() => undefined)
      .finally(() => {
        this.#deleting = false
      })
  }

  #refuse(reason: string | null): void {
    if (reason === this.#refusal) return
    this.#refusal = reason
    this.#target.changed()
  }

  async #makeRoom(excess: number, budgetBytes: number): Promise<void> {
    const { deliveries } = this.#target
    if (this.#target.trashed() > 0) {
      await deliveries.emptyTrash()
      return
    }
    const { maxId, outcome } = await deliveries.read('plan', {
      freeBytes: excess + Math.ceil(budgetBytes * SLACK),
    })
    // A database set aside, a journal, pinned deliveries: where deleting everything would not be enough, nothing goes for it.
    if (outcome.bytes < excess) return
    await deliveries.prune({ maxId, before: null, forBudget: true })
    await deliveries.pruned()
  }
}
