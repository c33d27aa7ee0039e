import type { NewEntry } from '../log/entry.ts'
import { attempt } from './attempt.ts'
import { attempted } from './dispatcher.ts'
import type { Subscription } from './subscription.ts'

const TEST_EVENT = 'test.connection'

/**
 * Tries a subscription, active or not and on any plan (What the service does, rule 7; its payload is a sandbox choice). Not an event: it
 * enters no count.
 * @param now milliseconds since the epoch
 * @param timestamp the same as the service's local time
 */
export async function tryConnection(
  subscription: Subscription,
  {
    now,
    timestamp,
    timeoutMs,
  }: { readonly now: number; readonly timestamp: string; readonly timeoutMs: number },
): Promise<NewEntry> {
  const { id, name, method, url, headers } = subscription
  const body = Buffer.from(JSON.stringify({ Event: TEST_EVENT, Timestamp: timestamp, data: {} }))
  const made = await attempt({ method, url, headers, body }, { timeoutMs })
  return {
    ...{ type: 'test', run: null, seq: null, kind: TEST_EVENT, subject: null, cause: 'connectivity test' },
    ...{ target: { id, name }, lost: false, laboratory: [], at: now, method, url, requestBody: body },
    ...attempted(made),
  }
}
