import type { Params } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Recovery } from '#contract/reconcile.ts'
import { SYNTHETIC_HEADER } from '#contract/values.ts'
import type { Clock, NewDelivery, Reconciles, Store } from '../ports.ts'
import type { RebuiltEvent } from './rebuilding.ts'

/** Bodies in memory at once. */
const BATCH = 100

export interface RecoverParts {
  readonly reconciles: Reconciles
  readonly store: Pick<Store, 'capture'>
  readonly clock: Clock
  /** Name and path of an endpoint; null asks for the default one. */
  endpoint(name: string | null): { readonly name: string; readonly path: string }
}

/**
 * Rebuilds missed events and stores them as synthetic deliveries (issue D, 6). What was stored before an error stays, and is known as
 * rebuilt: doing it again makes only the rest.
 */
export async function recover(
  { reconciles, store, clock, endpoint }: RecoverParts,
  { sweep, select, dryRun = false }: Params<'recovery.rebuild'>,
): Promise<Recovery> {
  const plan = await reconciles.planRebuild(sweep, select, dryRun)
  const { token, recovery } = plan
  if (token === null) return recovery
  const at = endpoint(plan.endpoint)
  let events = 0
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (;;) {
    const batch = await reconciles.nextRebuilt(token, BATCH)
    if (batch.length === 0) break
    // All of them are waited for: what was stored beside one that failed is known as rebuilt all the same.
    const stored = await Promise.allSettled(
      batch.map((event) => store.capture.append(synthetic(event, at, clock.now()))),
    )
    const records = batch.flatMap(({ key, kind, rule }, i) => {
      const one = stored[i]
      const deliveryId = one?.status === 'fulfilled' ? one.value.id : null
      return deliveryId === null ? [] : [{ key, kind, rule, deliveryId }]
    })
    await reconciles.storedRebuilt(token, records)
    const refused = stored.find((one) => one.status === 'rejected')
    if (refused) throw refused.reason
    if (records.length < batch.length)
      throw new AcuseError(
        'store-failed',
        'The disk took some of the rebuilt events only into the journal; they show up when the store is well again.',
      )
    events += records.length
    for (const { deliveryId } of records) {
      first = Math.min(first, deliveryId)
      last = Math.max(last, deliveryId)
    }
  }
  return { ...recovery, events, ids: events > 0 ? { first, last } : null }
}

function synthetic(
  { body }: RebuiltEvent,
  { name, path }: { readonly name: string; readonly path: string },
  now: number,
): NewDelivery {
  const bytes = new TextEncoder().encode(body)
  return {
    receivedAt: Math.round(now * 1_000),
    receivingUs: 0,
    endpoint: name,
    method: 'POST',
    url: path,
    httpVersion: '1.1',
    // Nobody sent it.
    remoteAddress: '',
    remotePort: 0,
    headers: ['Content-Type', 'application/json', SYNTHETIC_HEADER, '1'],
    trailers: [],
    body: bytes,
    bodySize: bytes.byteLength,
    answer: null,
    rejected: false,
    malformed: null,
    synthetic: true,
  }
}
