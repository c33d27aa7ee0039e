import type { Kind } from '#catalog/kinds.ts'
import { refused } from '#contract/errors.ts'
import type { MissRule, Recovery } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { validateBytes } from '../checks/validate.ts'
import type { ResolvedConnection } from '../connections.ts'
import { scanJson } from '../json/scan.ts'
import type { JsonTree } from '../json/tree.ts'
import type { Clock } from '../ports.ts'
import { readItem } from '../reconcile/item.ts'
import type { MissedEvent, RebuiltRecord, Recoverable, SweepStore } from '../reconcile/ports.ts'
import { type Rebuilt, type RebuiltEvent, type RecoveryPlan, rebuild } from '../reconcile/rebuild.ts'
import { zonedText } from '../time/zone.ts'

type Left = Recovery['left'][number]['reason']
/** Keeps its connection, since a new comparison per batch would take longer than everything else. */
interface Plan {
  readonly sweep: number
  readonly connection: ResolvedConnection
  readonly due: MissedEvent[]
}

/** Maximum plans in memory, in case callers abandon theirs. */
const PLANS_KEPT = 4

interface RecoveriesPorts {
  readonly store: Pick<SweepStore, 'recoverable' | 'item' | 'addRebuilt'>
  readonly clock: Clock
  compare(sweep: number): ResolvedConnection
}

export class Recoveries {
  readonly #ports: RecoveriesPorts
  readonly #plans = new Map<number, Plan>()
  #lastToken = 0

  constructor(ports: RecoveriesPorts) {
    this.#ports = ports
  }

  plan(sweep: number, select: DocumentSelection, dryRun: boolean): RecoveryPlan {
    const connection = this.#ports.compare(sweep)
    const timestamp = this.#timestamp(connection)
    const due: MissedEvent[] = []
    const left = new Map<Left, number>()
    const absent = new Map<string, { kind: Kind; field: string; events: number }>()
    let documents = 0
    for (const one of this.#ports.store.recoverable(sweep, select)) {
      const made = this.#find(one, 'documents' in select, connection, timestamp)
      if (typeof made === 'string') {
        left.set(made, (left.get(made) ?? 0) + 1)
        continue
      }
      documents += 1
      for (const { rule, rebuilt } of made) {
        due.push({ key: one.row.key, kind: rebuilt.kind, rule })
        for (const field of rebuilt.absent) {
          const known = absent.get(`${rebuilt.kind} ${field}`)
          if (known) known.events += 1
          else absent.set(`${rebuilt.kind} ${field}`, { kind: rebuilt.kind, field, events: 1 })
        }
      }
    }
    const token = dryRun ? null : ++this.#lastToken
    if (token !== null) this.#plans.set(token, { sweep, connection, due })
    for (const old of [...this.#plans.keys()].slice(0, -PLANS_KEPT)) this.#plans.delete(old)
    return {
      token,
      endpoint: connection.endpoints[0] ?? null,
      recovery: {
        events: due.length,
        documents,
        ids: null,
        absent: [...absent.values()],
        left: [...left].map(([reason, count]) => ({ reason, documents: count })),
      },
    }
  }

  next(token: number, limit: number): readonly RebuiltEvent[] {
    const plan = this.#plan(token)
    const { connection } = plan
    const timestamp = this.#timestamp(connection)
    const events: RebuiltEvent[] = []
    // Events of items removed meanwhile are left out, so a batch may be short.
    while (events.length === 0 && plan.due.length > 0)
      for (const { key, kind, rule } of plan.due.splice(0, limit)) {
        const tree = treeOf(this.#ports.store.item(plan.sweep, key))
        if (tree)
          events.push({ key, kind, rule, body: rebuild(tree, 0, kind, timestamp, connection.mapping).body })
      }
    if (events.length === 0) this.#plans.delete(token)
    return events
  }

  stored(token: number, records: readonly RebuiltRecord[]): void {
    this.#ports.store.addRebuilt(this.#plan(token).sweep, records)
  }

  #plan(token: number): Plan {
    const plan = this.#plans.get(token)
    if (!plan) throw refused('conflict', 'recovery-forgotten')
    return plan
  }

  #find(
    { row, raw, rebuilt: before }: Recoverable,
    byHand: boolean,
    { mapping, zone }: ResolvedConnection,
    timestamp: string,
  ): readonly { readonly rule: MissRule; readonly rebuilt: Rebuilt }[] | Left {
    if (row.missed.length === 0) return 'nothing-missed'
    if (row.ignored !== null && !byHand) return 'ignored'
    const tree = treeOf(raw ?? undefined)
    // Without a document id the event would be invalid.
    if (!tree || !readItem(tree, 0, { corrections: mapping, zone }).documentId) return 'no-document-id'
    let reason: Left = 'kind-unknown'
    const made: { rule: MissRule; rebuilt: Rebuilt }[] = []
    for (const { kind, rule, certainty } of row.missed) {
      if (kind === null) continue
      if (certainty === 'possibly' && !byHand) reason = 'only-possibly-missed'
      else if (before.has(kind)) reason = 'already-rebuilt'
      else {
        const rebuilt = rebuild(tree, 0, kind, timestamp, mapping)
        const { verdict } = validateBytes(new TextEncoder().encode(rebuilt.body))
        if (verdict === 'invalid' || verdict === 'unreadable') reason = 'invalid'
        else made.push({ rule, rebuilt })
      }
    }
    return made.length > 0 ? made : reason
  }

  /** The present time as the service writes it, in the connection's zone. */
  #timestamp({ zone }: ResolvedConnection): string {
    return zonedText(zone, Math.floor(this.#ports.clock.now()) * 1_000)
  }
}

function treeOf(raw: Uint8Array | undefined): JsonTree | undefined {
  if (!raw) return undefined
  const tree = scanJson(new TextDecoder().decode(raw), raw)
  return 'problem' in tree ? undefined : tree
}
