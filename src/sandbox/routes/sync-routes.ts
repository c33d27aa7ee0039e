import type { Request, Response } from 'express'
import { localTime } from '../domain/local-time.ts'
import { Refusal } from '../http/refusal.ts'
import { latest } from '../laboratory/latest.ts'
import { leavesItems, parsed, reorder, reshape } from '../laboratory/reshape.ts'
import type { Laboratory } from '../laboratory/settings.ts'
import type { SyncFaults } from '../laboratory/sync-fault.ts'
import type { ApiKeys } from '../records/credentials.ts'
import type { SyncItem, World } from '../world.ts'
import { checkOrder, Parameters } from './parameters.ts'

export interface SyncContext {
  readonly world: World
  readonly keys: ApiKeys
  readonly laboratory: () => Laboratory
  readonly faults: SyncFaults
}

const EARLIEST = Date.UTC(1900)
const LATEST = Date.UTC(2200)

/** Sandbox choice: a missing or unknown key gets 401. */
function checkKey(request: Request, keys: ApiKeys): void {
  const key = request.get('X-Api-Key')
  if (key === undefined) throw new Refusal(401, 'missing-key', 'Send the API key in the header X-Api-Key.')
  if (!keys.accepts(key)) throw new Refusal(401, 'unknown-key', 'The API key is not known.')
}

/** GET accounting-sync: issued sales, notes and expenses in a range of issue dates. */
export async function accountingSync(
  context: SyncContext,
  request: Request,
  response: Response,
): Promise<void> {
  checkKey(request, context.keys)
  const parameters = new Parameters(request.originalUrl)
  const from = parameters.requiredMoment('from')
  const to = parameters.requiredMoment('to')
  const documentTypeId = parameters.integer('documentTypeId')
  const pageSize = parameters.pageSize()
  checkOrder(from, to)
  await context.faults.send(response, () => {
    const read = (start: number, limit: number) =>
      context.world.accounting({ from: start, to: to.to, documentTypeId, limit })
    if (context.laboratory().sync.order === 'descending') {
      const start = Math.max(from.from, EARLIEST)
      const { items, more } = latest(read, start, Math.min(to.to, LATEST), pageSize)
      return page(context, items, { hasMore: more })
    }
    const found = read(from.from, pageSize)
    return page(context, found.slice(0, pageSize), { hasMore: found.length > pageSize })
  })
}

/** GET treasury-sync: debts, walked by the pair of cursors. */
export async function treasurySync(
  context: SyncContext,
  request: Request,
  response: Response,
): Promise<void> {
  checkKey(request, context.keys)
  const parameters = new Parameters(request.originalUrl)
  const from = parameters.moment('from')
  const after = parameters.uuid('afterDocumentId')
  const to = parameters.moment('to')
  const documentTypeId = parameters.integer('documentTypeId')
  const pageSize = parameters.pageSize()
  checkOrder(from, to)
  await context.faults.send(response, () => {
    const found = context.world.treasury({
      from: from?.from ?? null,
      after,
      to: to?.to ?? null,
      documentTypeId,
      limit: pageSize,
    })
    const items = found.slice(0, pageSize)
    const last = items.at(-1)
    // An empty page gives the cursor back, so that a caller who polls with it loses nothing.
    const next = last
      ? { nextFrom: localTime(last.issuedAt, context.world.workspace().offset), nextAfterDocumentId: last.id }
      : { nextFrom: parameters.text('from'), nextAfterDocumentId: parameters.text('afterDocumentId') }
    return page(context, items, { ...next, hasMore: found.length > pageSize })
  })
}

/** The answer's JSON; items in the text in which they are stored, unless the laboratory reshapes them. */
function page(
  context: SyncContext,
  items: readonly SyncItem[],
  rest: Readonly<Record<string, unknown>>,
): string {
  const { seed, sync } = context.laboratory()
  const texts = leavesItems(sync)
    ? items.map(({ json }) => json)
    : items.map(({ json }) => JSON.stringify(reshape(parsed(json), sync)))
  const tail = JSON.stringify({ count: items.length, ...rest }).slice(1)
  return `{"items":[${reorder(texts, sync, seed).join(',')}],${tail}`
}
