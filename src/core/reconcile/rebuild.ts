import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Recovery } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { type JsonTree, sourceOf } from '../json/tree.ts'
import { accountingText, type Corrections, itemValues } from './item.ts'
import type { MissedEvent, RebuiltRecord } from './ports.ts'

export interface RebuiltEvent extends MissedEvent {
  readonly body: string
}

export interface RecoveryPlan {
  readonly recovery: Recovery
  readonly token: number | null
  readonly endpoint: string | null
}

/** The engine stores rebuilt events itself, since only the store's own writer may. */
export interface Rebuilding {
  planRebuild(sweep: number, select: DocumentSelection, dryRun: boolean): Promise<RecoveryPlan>
  /** The next events of the plan, at most `limit`; empty at its end. */
  nextRebuilt(token: number, limit: number): Promise<readonly RebuiltEvent[]>
  storedRebuilt(token: number, records: readonly RebuiltRecord[]): Promise<void>
}

export interface Rebuilt {
  readonly kind: Kind
  /** Contains the values with the digits and escapes of the item. */
  readonly body: string
  readonly absent: readonly string[]
}

/** Builds the documented envelope with the documented fields of the kind that the item has (readings, Reconciling). */
export function rebuild(
  tree: JsonTree,
  item: number,
  kind: Kind,
  timestamp: string,
  corrections: Corrections = null,
): Rebuilt {
  const values = itemValues(tree, item, corrections)
  const fields = kindSpec(kind)?.fields ?? []
  const present: string[] = []
  const absent: string[] = []
  for (const field of fields) {
    const node = values(field)
    if (node === undefined) absent.push(field)
    else {
      const text = field === 'Accounting' ? accountingText(tree, node) : sourceOf(tree, node)
      present.push(`${JSON.stringify(field)}:${text}`)
    }
  }
  const envelope = `"Event":${JSON.stringify(kind)},"Timestamp":${JSON.stringify(timestamp)}`
  return { kind, body: `{${envelope},"data":{${present.join(',')}}}`, absent }
}

const PAGE = 1_000

export type AskRebuilt = (params: Params<'recovery.deliveries'>) => Promise<Result<'recovery.deliveries'>>

/** The rebuilt deliveries within the ids, ascending. */
export async function rebuiltDeliveries(ask: AskRebuilt, sweep: number, ids: Recovery['ids']) {
  if (ids === null) return []
  const found: DeliveryRow[] = []
  for (let after = ids.first - 1; after < ids.last; ) {
    const { rows } = await ask({ sweep, after, limit: PAGE })
    const last = rows.at(-1)
    if (!last) break
    found.push(...rows.filter(({ id }) => id <= ids.last))
    after = last.id
  }
  return found
}

export async function rebuiltIds(ask: AskRebuilt, sweep: number, ids: Recovery['ids']): Promise<number[]> {
  return (await rebuiltDeliveries(ask, sweep, ids)).map(({ id }) => id)
}
