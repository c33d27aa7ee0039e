import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Remote } from '#threads/thread.ts'
import type { DiskUsage } from '../disk/space.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { Quotas } from '../writer/intake.ts'
import type { WriterStatus } from '../writer/status.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Notices, Tally } from './notices.ts'

const CHECK_MS = 1_000
/** Share of the budget that a deletion frees beyond the excess, so that the next delivery does not cause another one. */
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
  readonly writer: Pick<Remote<WriterHandlers>, 'prune' | 'emptyTrash' | 'setQuotas'>
  readonly reader: Pick<Remote<ReaderHandlers>, 'plan'>
  readonly disk: DiskUsage
  status(): WriterStatus
  readonly tally: Tally
  readonly notices: Notices
}

/** Enforces the disk budget of the settings by their policy: refuse deliveries, or delete the oldest. */
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

  /** Why deliveries are refused; null while they are accepted. */
  get refusal(): string | null {
    return this.#refusal
  }

  /** The writer's state, unless the budget refuses deliveries. */
  stateWith({ state, reason }: WriterStatus): Pick<WriterStatus, 'state' | 'reason'> {
    return this.#refusal === null ? { state, reason } : { state: 'refusing', reason: this.#refusal }
  }

  open(): void {
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref()
    this.#known = this.#retention()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #check(): void {
    const retention = this.#retention()
    // The settings are the same object until one changes.
    if (retention !== this.#known) {
      this.#known = retention
      this.#target.writer.setQuotas(quotasOf(retention)).catch(() => {
        this.#known = undefined
      })
    }
    const { budgetBytes, overBudget } = retention
    const excess = this.#target.disk.filedBytes(this.#target.status()) - budgetBytes
    this.#refuse(
      excess > 0 && overBudget === 'refuse'
        ? `the store has used up its disk budget of ${budgetBytes.toLocaleString('en')} bytes, and its settings say to refuse deliveries then`
        : null,
    )
    if (excess <= 0 || overBudget !== 'delete-oldest' || this.#deleting) return
    this.#deleting = true
    // The store reports its own failures; the next check tries again.
    this.#makeRoom(excess, budgetBytes)
      .catch(() => undefined)
      .finally(() => {
        this.#deleting = false
      })
  }

  #refuse(reason: string | null): void {
    if (reason === this.#refusal) return
    this.#refusal = reason
    this.#target.notices.stateChanged()
  }

  async #makeRoom(excess: number, budgetBytes: number): Promise<void> {
    const { writer, reader, status, tally } = this.#target
    if (status().trashed.deliveries > 0) {
      await writer.emptyTrash({ due: null })
      return
    }
    const { maxId, outcome } = await reader.plan({ freeBytes: excess + Math.ceil(budgetBytes * SLACK) })
    // A database set aside, a long log or pinned deliveries can use up the budget: if deleting everything is not enough, delete nothing.
    if (outcome.bytes < excess) return
    await writer.prune({ maxId, before: null, forBudget: true })
    await tally.changed('retention')
  }
}
