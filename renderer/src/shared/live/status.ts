import type { Params, Result } from '#contract/commands.ts'
import type { ConnectionState } from '#contract/pushes.ts'
import type { HostStatus } from '#contract/status.ts'
import { api, host } from './api.ts'
import { store } from './store.ts'

/** Starts the receiver, optionally at another address. A taken port is no refusal: the status and a banner report it. */
export function startReceiver(params: Params<'receiver.start'>): void {
  api
    .call('receiver.start', params)
    .then(useStatus.getState().receive)
    // The banner of the lost connection already reports it.
    .catch(() => undefined)
}

/** The same subscription name as `serve --sandbox` uses, so that there is only one. */
const NAME = 'Acuse receiver'

/** Creates a subscription to every kind, or updates the URL of the existing one to the receiver's. @throws RefusalError */
export async function subscribeReceiver(url: string): Promise<void> {
  const { subscriptions } = await api.call('sandbox.subscriptions', {})
  if (subscriptions.some((one) => one.url === url && one.active)) return
  const mine = subscriptions.find(({ name }) => name === NAME)
  await api.call('sandbox.save-subscription', {
    ...(mine ? { id: mine.id } : {}),
    name: NAME,
    url,
    active: true,
  })
}

/** A large deletion arrives as many pushes; pushes within this interval wait for the next poll. */
const PAUSE_MS = 1_000

/** Calls `act` immediately after deliveries were deleted or restored, so that counts do not lag behind the list. @returns unsubscribes */
export function atReset(act: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  return host().onPush(({ push }) => {
    const now = performance.now()
    if (push !== 'store.reset' || now - last < PAUSE_MS) return
    last = now
    act()
  })
}

interface Known {
  readonly status: HostStatus | null
  readonly info: Result<'app.info'> | null
  readonly connection: ConnectionState
  /** Time of the next reconnection attempt, milliseconds since the epoch. */
  readonly retryAt: number | null
  /** Origin of the host to which this window was attached, once its session has ended. */
  readonly ended: string | null
}
const NOTHING: Known = { status: null, info: null, connection: 'open', retryAt: null, ended: null }

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Reuses the unchanged parts of the status: twenty arrive per second, and equal references avoid most redraws. */
function shared<Status extends object>(was: Status | null, now: Status): Status {
  if (!was) return now
  const next: { -readonly [Part in keyof Status]: Status[Part] } = { ...now }
  for (const part in now) if (same(was[part], now[part])) next[part] = was[part]
  return next
}

export const useStatus = store(NOTHING)((set) => ({
  receive: (status: HostStatus) => set((was) => ({ status: shared(was.status, status) })),
  introduce: (info: Result<'app.info'>) => set({ info }),
  connected: (connection: ConnectionState, retryAt: number | null) => set({ connection, retryAt }),
  end: (ended: string | null) => set({ ended }),
}))
