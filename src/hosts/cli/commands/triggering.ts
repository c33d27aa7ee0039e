import { setTimeout as pause } from 'node:timers/promises'
import type { Kind } from '#catalog/kinds.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { attempt } from '#sandbox/dispatch/attempt.ts'
import { readExactly } from '#sandbox/domain/json.ts'
import type { SandboxEvent } from '#sandbox/domain/records.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { urlProblem } from '#sandbox/records/subscriptions.ts'
import { openWorld, type World } from '#sandbox/world/world.ts'
import { dataDir } from '../../data-dir.ts'
import { runningSandbox } from '../../sandbox-word.ts'
import { defined } from '../shared/command.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import type { SandboxCall } from '../shared/sandbox-reach.ts'

export interface TriggerPlan {
  /** Exactly one of `kind` and `scenario` is set. */
  readonly kind: Kind | undefined
  readonly scenario: string | undefined
  readonly count: number | undefined
  readonly seed: number | undefined
  /** JSON by JSON pointer. */
  readonly set: ReadonlyMap<string, string>
  /** The body to emit, exactly; undefined: the sandbox makes it. */
  readonly body: string | undefined
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** A delivery attempt as `trigger --json` prints it; names and order are fixed, since users' scripts read them. */
function attemptOf({ seq, kind, subject, subscription, method, url, ...rest }: SandboxLogBrief): Triggered {
  const { outcome, status, durationMs, lost, laboratory, error } = rest
  const result = { outcome, status, durationMs, lost, laboratory, error }
  return { seq, kind, subject, subscription, method, url, ...result }
}
type Attempted = 'outcome' | 'status' | 'durationMs' | 'lost' | 'laboratory' | 'error'
export interface Triggered
  extends Pick<SandboxLogBrief, 'seq' | 'kind' | 'subject' | 'method' | 'url' | Attempted> {
  readonly subscription: SandboxLogBrief['subscription'] | null
}
type Tell = (one: Triggered) => Promise<void>

/** The sandbox's limit on events per call. */
const PER_CALL = 1_000
const POLL_MS = 25
const LOG_PAGE = { type: 'event', limit: 1_000 } as const

/** Waits until all attempts have ended. @param data the value of --data @returns the number of events @throws CommandFailure */
export async function triggerInSandbox(
  { kind, scenario: slug, count, seed, set, body }: TriggerPlan,
  data: string | undefined,
  tell: Tell,
): Promise<number> {
  const ready = await runningSandbox(dataDir(data))
  if (!ready)
    throw couldNot(
      'No sandbox runs on this data folder. Start one with "acuse sandbox" or "acuse serve --sandbox", or send straight to an address with --url.',
    )
  const address = { url: ready.sandbox, adminToken: ready.admin }
  const call: SandboxCall = (command, params) => callSandbox(address, command, params).catch(refuse)
  if (slug !== undefined) {
    const asked = { slug, background: true, ...defined({ count, seed }) }
    return follow(call, (await call('sandbox.scenario', asked)).run, tell)
  }
  const all = count ?? 1
  if (kind && body !== undefined) {
    for (let done = 0; done < all; done += 1)
      await follow(call, (await call('sandbox.send', { kind, body })).run, tell)
    return all
  }
  for (let done = 0; kind && done < all; done += PER_CALL) {
    const some = { kind, count: Math.min(PER_CALL, all - done), set: Object.fromEntries(valuesOf(set)) }
    const { run } = await call('sandbox.emit', {
      ...some,
      ...defined({ seed: seed === undefined ? seed : seed + done }),
    })
    await follow(call, run, tell)
  }
  return all
}

/** Maps a refusal of the sandbox to wrong usage, but not a failure to answer. */
function refuse(error: unknown): never {
  const ours = !(error instanceof AcuseError) || ['not-available', 'internal'].includes(error.code)
  throw ours ? error : wrongUsage(error.message)
}

/** Reports the attempts of a run as they end. @returns the number of events that the run made */
async function follow(call: SandboxCall, run: string, tell: Tell): Promise<number> {
  let after = 0
  for (;;) {
    // Before the log: an attempt that ends between the two calls is then on the page.
    const { running, events, error } = await call('sandbox.run', { run })
    const { entries, pending, next } = await call('sandbox.log', { ...LOG_PAGE, run, after })
    for (const entry of entries) {
      await tell(attemptOf(entry))
      after = entry.id
    }
    if (next !== null) continue
    if (!running && pending === 0) {
      if (error !== null) throw couldNot(`The scenario ended early: ${error.replace(/\.$/, '')}.`)
      return events
    }
    await pause(POLL_MS)
  }
}

/** Makes the events in a sandbox world of this process and sends each once to the address. @returns the number of events */
export async function triggerDirectly(plan: TriggerPlan, url: string, tell: Tell): Promise<number> {
  const problem = urlProblem(url)
  if (problem !== null) throw wrongUsage(`--url: ${problem}.`)
  const world = openWorld({ file: ':memory:', seed: plan.seed ?? 1, now: Date.now })
  let made = 0
  try {
    for (const event of eventsOf(world, plan)) {
      made += 1
      await tell(await sent(event, url, plan.headers))
    }
    return made
  } catch (error) {
    throw error instanceof Refusal ? wrongUsage(error.message) : error
  } finally {
    world.close()
  }
}

function* eventsOf(world: World, { kind, scenario, count, set, body }: TriggerPlan): Generator<SandboxEvent> {
  if (scenario !== undefined) {
    for (const { events } of world.scenario(scenario, defined({ count }))) yield* events
    return
  }
  for (let i = 0; kind && i < (count ?? 1); i += 1)
    yield body === undefined ? world.emit(kind, { overrides: valuesOf(set) }) : world.send(kind, body)
}

const valuesOf = (set: TriggerPlan['set']) =>
  new Map([...set].map(([pointer, json]) => [pointer, readExactly(json)]))

const DELIVERY_TIMEOUT_MS = 10_000

async function sent(event: SandboxEvent, url: string, headers: TriggerPlan['headers']): Promise<Triggered> {
  const body = Buffer.from(event.body)
  const made = await attempt({ method: 'POST', url, headers, body }, { timeoutMs: DELIVERY_TIMEOUT_MS })
  return {
    seq: event.seq,
    kind: event.kind,
    subject: event.subject,
    subscription: null,
    method: 'POST',
    url,
    outcome: made.outcome,
    status: made.answer?.status ?? null,
    durationMs: made.durationMs,
    lost: made.outcome !== 'delivered',
    laboratory: [],
    error: made.error?.message ?? null,
  }
}
