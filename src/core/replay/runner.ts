import type { Params, Result } from '#contract/commands.ts'
import { refused } from '#contract/errors.ts'
import type { AttemptRow, ReplayCommandName } from '#contract/replay.ts'
import { ALONE, type Leases } from '../lease.ts'
import type { Clock, ReplayNotice } from '../ports.ts'
import type { Span } from '../traces.ts'
import { Forwards } from './forwards.ts'
import { Jobs } from './jobs.ts'
import { Changes, type Workshop } from './lane.ts'
import { Outbox, type Parcel } from './outbox.ts'
import { Parcels, type Surroundings } from './parcels.ts'
import type { CapturedRequests, Ledger, NewAttempt, Sender } from './ports.ts'
import { BUT_2XX, isSuccess } from './statuses.ts'

/** Sends one delivery now, once or several times in sequence. */
function byHand({ ledger, parcels, outbox }: Workshop, captured: CapturedRequests) {
  const { signal } = new AbortController()
  const waiting: Parcel[] = []
  outbox.add({ begin: () => waiting.splice(0), wakeAt: () => null })
  const once = ({ delivery, to, edit }: Params<'replay.send'>): Promise<AttemptRow> => {
    const { promise, resolve, reject } = Promise.withResolvers<AttemptRow>()
    const parcel = parcels.make({
      deliveryId: delivery,
      item: null,
      origin: { by: 'hand' },
      to,
      edit,
      signal,
      settle: (outcome) => ({ ok: isSuccess(outcome, BUT_2XX), end: null }),
      recorded: () => {
        const [row] = ledger.attempts({ of: { delivery }, after: parcel.attempt.id - 1, limit: 1 })
        // The delivery, and the attempt with it, may have been deleted while the attempt was in flight.
        if (row?.id === parcel.attempt.id) resolve(row)
        else reject(refused('not-found', 'delivery-deleted', { id: delivery }))
      },
      returned: ({ message }) => reject(refused('store-failed', 'not-recorded', { message })),
    })
    waiting.push(parcel)
    outbox.ring()
    return promise
  }
  return async (params: Params<'replay.send'>): Promise<Result<'replay.send'>> => {
    const { delivery: id, to, times = 1 } = params
    if (!captured.get(id)) throw refused('not-found', 'no-delivery', { id })
    parcels.demandTarget(to.target, 'to.target')
    const attempts: AttemptRow[] = []
    for (let n = 0; n < times; n++) attempts.push(await once(params))
    return { attempts }
  }
}

/** Milliseconds that attempts in flight get when the process ends. */
const GRACE_MS = 5_000

export interface RunnerPorts {
  readonly ledger: Ledger
  readonly captured: CapturedRequests
  readonly sender: Sender
  /** With fractions, if available: attempts are recorded to the microsecond. */
  readonly clock: Clock
  /** Absent on a machine without others. */
  readonly leases?: Leases | undefined
  digest(status: number, body: Uint8Array): string
  defer(work: () => void): void
  notice(notice: ReplayNotice): void
  warn(message: string): void
  emit?(span: Span): void
}

export interface RunnerStart {
  readonly surroundings: Surroundings
  /** Whether forwards are active; false in a process without a receiver. */
  readonly forwarding: boolean
}

export interface CallContext {
  readonly highestId: number
}

type Calls = {
  readonly [C in ReplayCommandName]: (params: Params<C>, context: CallContext) => Calling<C>
}
type Calling<C extends ReplayCommandName> = Result<C> | Promise<Result<C>>

/** Everything on the sending thread, independent of the platform; the only user of its ports. */
export function createRunner(ports: RunnerPorts, { surroundings, forwarding }: RunnerStart) {
  const { ledger, captured, sender, warn, defer, digest } = ports
  const emit = (span: Span) => ports.emit?.(span)
  const now = () => ports.clock.now()
  const wholeNow = () => Math.round(now())
  const changes = new Changes((notice) => ports.notice(notice))
  const parcels = new Parcels(ledger, captured, now)
  const changed = (id: number) => changes.delivery(id)
  const { leases = ALONE } = ports
  const clear = ports.leases && ((attempts: readonly NewAttempt[]) => forwards.demandStart(attempts))
  const outbox = new Outbox({ ledger, sender, digest, now, defer, warn, changed, clear, emit })
  arrange(surroundings)
  const recovered = ledger.recover(wholeNow())
  if (recovered > 0)
    warn(
      `${recovered} replays were in flight when Acuse ended, so they may have arrived. Those of jobs${ports.leases ? '' : ' and forwards'} are sent again, marked.`,
    )
  const turn = () => new Promise<void>((resolve) => defer(resolve))
  const shop = { ledger, parcels, outbox, changes, leases, now: wholeNow, warn, turn }
  const send = byHand(shop, captured)
  const jobs = new Jobs(shop)
  const forwards = new Forwards(shop, { captured, active: forwarding, defer })
  forwards.open()
  const calls: Calls = {
    'replay.send': send,
    'attempts.list': ({ limit, ...query }) => {
      outbox.flush()
      const attempts = ledger.attempts({ ...query, limit: limit + 1 })
      return { attempts: attempts.slice(0, limit), more: attempts.length > limit }
    },
    'attempts.get': ({ id, reveal }) => found(ledger.attempt(id, reveal), id),
    'attempts.body': ({ id, of, from, length }) => found(ledger.attemptBody(id, of, from, length), id),
    'jobs.preview': (run) => jobs.preview(run),
    'jobs.start': (run) => jobs.start(run),
    'jobs.list': () => ({ jobs: jobs.list() }),
    'jobs.get': ({ id }) => jobs.get(id),
    'jobs.pause': ({ id }) => jobs.pause(id),
    'jobs.resume': ({ id }) => jobs.resume(id),
    'jobs.cancel': ({ id }) => jobs.cancel(id),
    'jobs.retry-failed': ({ id }) => jobs.retryFailed(id),
    'jobs.remove': ({ id }) => jobs.remove(id),
    'forwards.list': () => ({ forwards: forwards.list() }),
    'forwards.save': async (params, { highestId }) => ({
      forwards: await forwards.save(params, highestId),
    }),
    'forwards.remove': ({ name }) => ({ forwards: forwards.remove(name) }),
    'forwards.retry': ({ name }) => ({ forwards: forwards.retry(name) }),
    'forwards.clear': (params) => forwards.clear(params),
  }

  function call<C extends ReplayCommandName>(
    command: C,
    params: Params<C>,
    context: CallContext,
  ): Calling<C> {
    return calls[command](params, context)
  }

  function arrange(now: Surroundings): void {
    parcels.configure(now)
    sender.setOwnReceiver(now.ownReceiver)
  }

  function configure(changed: Surroundings): void {
    arrange(changed)
    forwards.reconfigured()
  }

  function followDeletions(): void {
    outbox.flush()
    ledger.followDeletions()
  }

  async function close(): Promise<void> {
    jobs.rest()
    await outbox.stop(GRACE_MS)
    await ports.leases?.close()
    changes.close()
  }

  return { forwards, call, configure, followDeletions, close }
}
export type Runner = ReturnType<typeof createRunner>

function found<T>(value: T | undefined, id: number): T {
  if (value === undefined) throw refused('not-found', 'no-attempt', { id })
  return value
}
