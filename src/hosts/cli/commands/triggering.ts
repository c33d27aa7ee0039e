import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { attempt } from '#sandbox/dispatch/attempt.ts'
import type { SandboxEvent } from '#sandbox/domain/records.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { urlProblem } from '#sandbox/records/subscriptions.ts'
import { openWorld, type World } from '#sandbox/world/world.ts'
import { dataDir } from '../../data-dir.ts'
import { runningSandbox, type SandboxReady } from '../../sandbox-word.ts'
import { type CommandFailure, couldNot, wrongUsage } from '../shared/failures.ts'

export interface TriggerPlan {
  /** Exactly one of the two. */
  readonly kind: string | undefined
  readonly scenario: string | undefined
  readonly count: number | undefined
  readonly seed: number | undefined
  readonly set: ReadonlyMap<string, unknown>
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

/** One delivery attempt, as `trigger --json` prints it: names are fixed, people script against them. */
const triggered = z.object({
  seq: z.number().nullable(),
  kind: z.string(),
  subject: z.string().nullable(),
  subscription: z.object({ id: z.number(), name: z.string() }).nullable(),
  method: z.string(),
  url: z.string(),
  outcome: z.string(),
  status: z.number().nullable(),
  durationMs: z.number().nullable(),
  lost: z.boolean(),
  laboratory: z.array(z.string()),
  error: z.string().nullable(),
})
export type Triggered = z.infer<typeof triggered>

type Tell = (one: Triggered) => Promise<void>

/** What the sandbox takes at once (its own limit). */
const PER_CALL = 1_000
const LOOK_MS = 25

const started = z.object({ run: z.string() })
const progress = z.object({ running: z.boolean(), events: z.number(), error: z.string().nullable() })
const logPage = z.object({
  entries: z.array(triggered.extend({ id: z.number() })),
  pending: z.number(),
  next: z.number().nullable(),
})
const refused = z.object({ error: z.object({ message: z.string() }) })

/**
 * Fires through the sandbox of a data folder and follows the deliveries to their ends.
 * @param data the value of --data; @returns how many events occurred
 * @throws CommandFailure when no sandbox runs there or it refuses
 */
export async function triggerInSandbox(
  plan: TriggerPlan,
  data: string | undefined,
  tell: Tell,
): Promise<number> {
  const sandbox = await runningSandbox(dataDir(data))
  if (!sandbox)
    throw couldNot(
      'No sandbox runs on this data folder. Start one with "acuse sandbox" or "acuse serve --sandbox", or send straight to an address with --url.',
    )
  if (plan.scenario !== undefined) {
    const { run } = await call(sandbox, 'POST', `/scenarios/${encodeURIComponent(plan.scenario)}`, started, {
      background: true,
      ...given('count', plan.count),
      ...given('seed', plan.seed),
    })
    return follow(sandbox, run, tell)
  }
  const count = plan.count ?? 1
  for (let done = 0; done < count; done += PER_CALL) {
    const { run } = await call(sandbox, 'POST', '/emit', started, {
      kind: plan.kind,
      count: Math.min(PER_CALL, count - done),
      set: Object.fromEntries(plan.set),
      ...given('seed', plan.seed === undefined ? undefined : plan.seed + done),
    })
    await follow(sandbox, run, tell)
  }
  return count
}

/** Tells of the deliveries of a run as they end. @returns how many events it made */
async function follow(sandbox: SandboxReady, run: string, tell: Tell): Promise<number> {
  let after = 0
  for (;;) {
    // Asked first: what ends in between is on the page then.
    const { running, events, error } = await call(sandbox, 'GET', `/runs/${run}`, progress)
    const query = `run=${run}&type=event&brief=true&limit=1000&after=${after}`
    const { entries, pending, next } = await call(sandbox, 'GET', `/log?${query}`, logPage)
    for (const { id, ...entry } of entries) {
      await tell(entry)
      after = id
    }
    if (next !== null) continue
    if (!running && pending === 0) {
      if (error !== null) throw couldNot(`The scenario ended early: ${error.replace(/\.$/, '')}.`)
      return events
    }
    await pause(LOOK_MS)
  }
}

async function call<S extends z.ZodType>(
  { sandbox, admin }: SandboxReady,
  method: 'GET' | 'POST',
  path: string,
  schema: S,
  body?: unknown,
): Promise<z.output<S>> {
  const answer = await fetch(`${sandbox}/_sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw couldNot(`The sandbox at ${sandbox} cannot be reached: ${String(error)}`)
  })
  const content: unknown = await answer.json()
  if (answer.ok) return schema.parse(content)
  const { error } = refused.parse(content)
  throw answer.status < 500 ? wrongUsage(error.message) : couldNot(error.message)
}

/**
 * Makes the events in a sandbox world of this process and sends each once to the address.
 * @returns how many there were
 */
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
    throw asUsage(error) ?? error
  } finally {
    world.close()
  }
}

function* eventsOf(world: World, { kind, scenario, count, set }: TriggerPlan): Generator<SandboxEvent> {
  if (scenario !== undefined) {
    for (const { events } of world.scenario(scenario, given('count', count))) yield* events
    return
  }
  const spec: { readonly kind: Kind } | undefined = kindSpec(kind ?? '')
  for (let i = 0; spec && i < (count ?? 1); i += 1) yield world.emit(spec.kind, { overrides: set })
}

const DELIVERY_TIMEOUT_MS = 10_000

async function sent(event: SandboxEvent, url: string, headers: TriggerPlan['headers']): Promise<Triggered> {
  const body = Buffer.from(event.body)
  const made = await attempt({ method: 'POST', url, headers, body }, { timeoutMs: DELIVERY_TIMEOUT_MS })
  return {
    ...{ seq: event.seq, kind: event.kind, subject: event.subject, subscription: null, method: 'POST', url },
    ...{ outcome: made.outcome, status: made.answer?.status ?? null, durationMs: made.durationMs },
    ...{ lost: made.outcome !== 'delivered', laboratory: [], error: made.error?.message ?? null },
  }
}

const asUsage = (error: unknown): CommandFailure | undefined =>
  error instanceof Refusal ? wrongUsage(error.message) : undefined

const given = <N extends string>(name: N, value: number | undefined): Partial<Record<N, number>> =>
  value === undefined ? {} : ({ [name]: value } as Record<N, number>)
