import { once } from 'node:events'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import { rebuiltIds } from '#core/reconcile/rebuild.ts'
import { connectLocal } from '#hosts/local/client.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import { cutNetwork } from '../support/cut-network.ts'
import { startedCli } from '../support/host.ts'
import { aConnection } from '../support/records.ts'
import { SandboxClient } from '../support/sandbox-client.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { until } from '../support/until.ts'

/** A target that notes what it gets, and answers a little later. */
async function startTarget(answerMs: number) {
  const notes: { readonly alert: string; readonly event: string }[] = []
  const got: { readonly n: number; readonly at: number }[] = []
  const recovered: string[] = []
  const server = createServer((request, response) => {
    const at = performance.now()
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (request.url === '/alerts') notes.push(JSON.parse(body))
      else if (request.url === '/recovered') {
        const { Event, data } = JSON.parse(body)
        recovered.push(`${Event} ${data.DocumentId}`)
      } else got.push({ n: Number(body), at })
      setTimeout(() => response.end('ok'), answerMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    got,
    notes,
    recovered,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Two followers of one shared log, a receiver of it, and a target. */
async function workWorld(answerMs = 5) {
  await using started = new AsyncDisposableStack()
  const folder = started.use(mkdtempDisposableSync(join(tmpdir(), 'acuse-work-')))
  const world: SharedWorld = started.use(await sharedWorld())
  const target = started.use(await startTarget(answerMs))
  const receive = () =>
    startedCli([
      'receive',
      '--log',
      world.url,
      '--data',
      join(folder.path, 'receiver'),
      '--receiver-port',
      '0',
    ])
  let receiver = await receive()
  started.defer(async () => void (await receiver.end('SIGKILL')))
  const dataOf = (name: string) => join(folder.path, name)
  const follow = async (name: string, url = world.url) => {
    const follower = await startedCli([
      ...['follow', '--log', url, '--name', name, '--data', dataOf(name), '--from', 'oldest', '--no-ui'],
    ])
    running.defer(async () => void (await follower.end('SIGKILL')))
    const client = await connectLocal(dataOf(name))
    if (!client) throw new Error(`${name} does not answer`)
    running.defer(() => client.close())
    return { ...follower, name, call: client.call }
  }
  const running = started.move()
  return {
    world,
    target,
    dataOf,
    follow,
    endReceiver: () => receiver.end('SIGKILL'),
    async startReceiver() {
      receiver = await receive()
    },
    /** Sends deliveries with the numbers `from` to `to` as bodies. */
    async deliver(from: number, to: number) {
      for (let n = from; n <= to; n++) {
        const { status } = await fetch(`${receiver.ready.receiver}`, { method: 'POST', body: `${n}` })
        if (status !== 200) throw new Error(`answered ${status}`)
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

type World = Awaited<ReturnType<typeof workWorld>>
type FollowerProcess = Awaited<ReturnType<World['follow']>>

/** Sets the same forward on a follower. */
async function forwardTo({ call }: FollowerProcess, url: string): Promise<void> {
  await call('forwards.save', {
    ...{ name: 'team', enabled: true, filter: '', targets: [url], concurrency: 1, whenDown: 'queue' },
    ...{ answerFrom: null, answerTimeoutMs: 5_000, temporary: false },
  })
}

/** Who does the forward, as a follower's status says. */
async function holderSeenBy({ call }: FollowerProcess, wanted = 'forward'): Promise<string | null> {
  const { following } = await call('status.get', {})
  return following?.work.find(({ kind }) => kind === wanted)?.holder ?? null
}

/** Milliseconds in which the target got nothing while one holder took over from another. */
const longestGap = (world: World, since: number): number => {
  const times = [since, ...world.target.got.map(({ at }) => at).filter((at) => at > since)]
  return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)))
}

/** Two followers watch the same things; the one that tells of the first is killed. @returns the messages that were sent */
export async function alertRound(): Promise<readonly string[]> {
  await using world = await workWorld()
  const [ana, eva] = [await world.follow('ana'), await world.follow('eva')]
  const followers = [ana, eva]
  const usual = {
    enabled: true,
    filter: '',
    hours: null,
    target: `${world.target.url}/alerts`,
    program: null,
  }
  for (const { call } of followers) {
    await call('alerts.save', { ...usual, name: 'broken', cause: 'invalid', minutes: 60 })
    await call('alerts.save', { ...usual, name: 'off', cause: 'receiver-off', minutes: 0 })
  }
  const notes = () => world.target.notes.map(({ alert, event }) => `${alert} ${event}`)
  const name = await until(() => holderSeenBy(ana, 'alert'))
  await world.deliver(1, 1)
  await until(() => notes().includes('broken opened'))
  // A holder that is killed between sending and recording repeats its message, with the same incident, as after any crash.
  await until(async () => {
    const lists = await Promise.all(followers.map(({ call }) => call('alerts.list', {})))
    return lists.every(({ alerts }) =>
      alerts.some(({ alert, lastSentAt }) => alert.name === 'broken' && lastSentAt !== null),
    )
  })
  await followers.find((one) => one.name === name)?.end('SIGKILL')
  await world.deliver(2, 2)
  await world.endReceiver()
  await until(() => notes().includes('off opened'))
  await world.startReceiver()
  await until(() => notes().includes('off recovered'))
  // A second message would come with the next look.
  await wait(3_000)
  return notes()
}

export interface WorkOutcome {
  readonly twice: readonly number[]
  readonly missed: readonly number[]
  readonly unordered: number
  /** As the shared log and the attempts of the followers tell. */
  readonly uncertain: readonly number[]
  readonly takeoverMs: number
}

export type Failure = 'none' | 'killed' | 'stopped' | 'restarted' | 'cut'

/** Forwards deliveries by two followers with the same rule while the holder, or the database, fails in the middle. */
export async function forwardRound(failure: Failure, count = 200): Promise<WorkOutcome> {
  await using world = await workWorld()
  using ana = await cutNetwork(world.world.primary.port)
  using eva = await cutNetwork(world.world.primary.port)
  const followers = [await world.follow('ana', ana.url), await world.follow('eva', eva.url)]
  for (const follower of followers) await forwardTo(follower, world.target.url)
  const [first] = followers
  if (!first) throw new Error('no follower')
  const holder = await until(() => holderSeenBy(first))
  const failing = followers.find(({ name }) => name === holder)
  const other = followers.find(({ name }) => name !== holder)
  if (!failing || !other) throw new Error(`held by ${holder}`)
  const delivered = world.deliver(1, count)
  await until(() => world.target.got.length >= count / 4)
  const since = performance.now()
  if (failure === 'killed') await failing.end('SIGKILL')
  if (failure === 'stopped') failing.signal('SIGSTOP')
  const network = failing.name === 'ana' ? ana : eva
  if (failure === 'cut') network.cut()
  if (failure === 'restarted') {
    await world.world.primary.stop()
    await world.world.primary.start()
  }
  await delivered
  const uncertain = async () => {
    const [row] = await world.world.primary.query(
      "SELECT coalesce(sum(uncertain), 0) AS n FROM acuse.work WHERE kind = 'forward'",
    )
    return Number(row?.n)
  }
  await until(async () => new Set(world.target.got.map(({ n }) => n)).size + (await uncertain()) >= count)
  const takeoverMs = longestGap(world, since)
  if (failure === 'stopped') {
    await wait(Math.max(0, 10_000 - (performance.now() - since)))
    failing.signal('SIGCONT')
    await wait(2_000)
  }
  if (failure === 'cut') {
    const unreachable = async () => (await failing.call('status.get', {})).following?.reason
    await until(async () => (await unreachable()) !== null)
    network.restore()
    await until(async () => (await unreachable()) === null)
  }
  await world.deliver(count + 1, count + 1)
  await until(() => world.target.got.some(({ n }) => n > count))
  const work = world.target.got.map(({ n }) => n)
  const known = new Set(work)
  const { attempts } = await other.call('attempts.list', { of: { forward: 'team' }, limit: 1_000 })
  const doubted = attempts.filter(({ state }) => state === 'uncertain')
  const bodies = await Promise.all(
    doubted.map(async ({ deliveryId: id }) => {
      const found = await other.call('deliveries.body', { id, view: 'raw', from: 0, length: 20 })
      return Number(atob(found.bytesBase64))
    }),
  )
  return {
    twice: work.filter((n, index) => work.indexOf(n) !== index),
    missed: Array.from({ length: count }, (_, index) => index + 1).filter((n) => !known.has(n)),
    unordered: work.filter((n, index) => n < (work[index - 1] ?? 0)).length,
    uncertain: bodies,
    takeoverMs,
  }
}

/** When a holder of a scheduled sweep is killed: never, before the sweep is due, or during it. */
export type SweepFailure = 'never' | 'before' | 'during'

const HOUR_MS = 3_600_000
/** Enough to start two followers and to kill one of them. */
const LEAD_MS = 20_000

/**
 * Two followers with the same schedule; at the end, the one that has swept is killed too.
 * @returns the states of the sweeps of the holder and of the other, and whether each knows the run
 */
export async function sweepRound(killed: SweepFailure) {
  await using world = await workWorld()
  await using started = new AsyncDisposableStack()
  const service = await createSandbox({ file: ':memory:', seed: 1, port: 0 })
  started.defer(() => service.close())
  const admin = new SandboxClient(service)
  const slow = { sync: { fault: 'slow', slowMs: 60_000, share: 1 } }
  if (killed === 'during') await admin.admin('PUT', '/laboratory', slow)
  const since = killed === 'before' ? Date.now() - HOUR_MS + LEAD_MS : 1
  const runsOf = (name: string) => join(world.dataOf(name), 'schedule-runs.json')
  const start = async (name: string) => {
    const setting = await world.follow(name)
    const { url: baseUrl, apiKey, pluginToken } = service
    await setting.call('connections.save', aConnection({ baseUrl, apiKey, pluginToken }))
    await setting.call('schedules.save', { ...DEFAULT_SCHEDULE, connection: 'main', time: { every: 60 } })
    await setting.end('SIGTERM')
    const memory = { since, last: null, sweptTo: {}, told: [], underWay: null, sending: null }
    writeFileSync(runsOf(name), JSON.stringify({ main: memory }))
    return world.follow(name)
  }
  const [ana, eva] = await Promise.all([start('ana'), start('eva')])
  const holder = await until(() => holderSeenBy(ana, 'sweep'))
  const [first, other] = holder === 'ana' ? [ana, eva] : [eva, ana]
  const statesOf = async ({ call }: FollowerProcess) =>
    (await call('sweeps.list', {})).sweeps.map(({ state }) => state)
  const lastOf = async ({ call }: FollowerProcess) => (await call('schedules.list', {})).schedules[0]?.last
  const taken = async (by: FollowerProcess) => {
    const since = performance.now()
    await until(async () => (await holderSeenBy(by, 'sweep')) === by.name)
    return performance.now() - since
  }
  if (killed === 'during') await until(async () => (await statesOf(first)).includes('running'))
  if (killed !== 'never') await first.end('SIGKILL')
  await admin.admin('DELETE', '/laboratory')
  const takeovers = killed === 'never' ? [] : [await taken(other)]
  const [runner, idle] = killed === 'never' ? [first, other] : [other, await world.follow(first.name)]
  const run = await until(() => lastOf(runner))
  await until(async () => (await lastOf(idle))?.endedAt === run?.endedAt)
  const swept = await statesOf(runner)
  await runner.end('SIGKILL')
  takeovers.push(await taken(idle))
  const next = await until(async () => (await idle.call('schedules.list', {})).schedules[0]?.nextRun)
  return {
    swept,
    /** Of the other one, which holds the schedule in the end. */
    idle: await statesOf(idle),
    waits: next === (run?.startedAt ?? 0) + HOUR_MS,
    takeoverMs: Math.max(...takeovers),
  }
}

const DOCUMENTS = 300

/**
 * Two followers recover by schedule what no one received. The holder fails while it sends; the other one takes over; the first one
 * comes back, and holds the schedule again when the other one is killed in turn.
 * @returns the events that all missed, and after each step how many the target got, and how many more than once
 */
export async function recoveryRound(failure: 'killed' | 'stopped') {
  await using world = await workWorld(20)
  await using started = new AsyncDisposableStack()
  const service = await createSandbox({ file: ':memory:', seed: 1, port: 0 })
  started.defer(() => service.close())
  const admin = new SandboxClient(service)
  const { body } = await admin.admin('POST', '/scenarios/month', { count: DOCUMENTS, seed: 3 })
  await until(
    () => admin.admin('GET', `/runs/${body.run}`),
    ({ body: run }) => run.pending === 0 && !run.running,
  )
  const recovering = async (name: string) => {
    const follower = await world.follow(name)
    const { url: baseUrl, apiKey, pluginToken } = service
    await follower.call('connections.save', aConnection({ baseUrl, apiKey, pluginToken }))
    await follower.call('targets.save', {
      ...DEFAULT_TARGET,
      name: 'handler',
      url: `${world.target.url}/recovered`,
    })
    const often = { overlapMinutes: 40 * 1_440, lookBackDays: 40, time: { every: 43_200 } }
    await follower.call('schedules.save', {
      ...DEFAULT_SCHEDULE,
      ...often,
      connection: 'main',
      recoverTo: 'handler',
    })
    return follower
  }
  const [ana, eva] = [await recovering('ana'), await recovering('eva')]
  const { recovered } = world.target
  const holder = await until(() => holderSeenBy(ana, 'sweep'))
  const [first, other] = holder === 'ana' ? [ana, eva] : [eva, ana]
  const runsOut = (by: FollowerProcess) =>
    until(
      async () => (await by.call('schedules.list', {})).schedules[0],
      (state) => state?.running === false && state.last !== null,
    )
  const seen = () => {
    const times = Map.groupBy(recovered, (event) => event)
    return { events: times.size, repeated: [...times.values()].filter((all) => all.length > 1).length }
  }
  const allQuiet = async ({ call }: FollowerProcess) =>
    until(
      () => call('jobs.list', {}),
      ({ jobs }) => jobs.every(({ state }) => state === 'done'),
    )
  await first.call('schedules.run-now', { connection: 'main' })
  await until(() => recovered.length > 100)
  const [sweep] = (await first.call('sweeps.list', {})).sweeps
  const everything = { first: 1, last: Number.MAX_SAFE_INTEGER }
  const missed = await rebuiltIds(
    (params) => first.call('recovery.deliveries', params),
    sweep?.id ?? 0,
    everything,
  )
  if (failure === 'killed') await first.end('SIGKILL')
  else first.signal('SIGSTOP')
  await until(async () => (await holderSeenBy(other, 'sweep')) === other.name)
  await other.call('schedules.run-now', { connection: 'main' })
  await runsOut(other)
  await allQuiet(other)
  const withoutFirst = seen()
  if (failure === 'stopped') first.signal('SIGCONT')
  const back = failure === 'killed' ? await world.follow(first.name) : first
  await allQuiet(back)
  const withFirst = seen()
  await other.end('SIGKILL')
  await until(async () => (await holderSeenBy(back, 'sweep')) === back.name)
  await back.call('schedules.run-now', { connection: 'main' })
  await until(async () => (await back.call('schedules.list', {})).schedules[0]?.last?.recovery === null)
  return { missed: missed.length, withoutFirst, withFirst, again: seen() }
}
