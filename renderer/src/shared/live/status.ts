import type { Params, Result } from '#contract/commands.ts'
import type { HostStatus } from '#contract/status.ts'
import type { ConnectionState } from '@/shared/platform/types.ts'
import { api, host } from './api.ts'
import { store } from './store.ts'

/** Starts listening, at another address when one is given. A taken port is no refusal: the status says so, and so does a banner. */
export function startReceiver(params: Params<'receiver.start'>): void {
  api
    .call('receiver.start', params)
    .then(useStatus.getState().receive)
    // The host cannot be reached: the banner of the lost connection already says so.
    .catch(() => undefined)
}

/** As the command line calls the subscription of the receiver (`serve --sandbox`), so that there is one of it. */
const NAME = 'Acuse receiver'

/** Adds a subscription to every kind, or points the one of that name to where the receiver listens now. @throws RefusalError */
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

/** A large deletion arrives as many pushes; a push that follows another within this time is left to the next poll. */
const PAUSE_MS = 1_000

/** Calls at once when deliveries were deleted or have come back: counts beside the list must not lag behind it. @returns ends that */
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
  /** When a lost connection is tried again, milliseconds since the epoch. */
  readonly retryAt: number | null
}
const NOTHING: Known = { status: null, info: null, connection: 'open', retryAt: null }

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The status with every part that did not change as it was: twenty come a second, and most of what shows them need not be drawn. */
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
}))
