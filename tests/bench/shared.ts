import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectLocal } from '#hosts/local/client.ts'
import {
  failoverRounds,
  followerKillRounds,
  outageRound,
  receiverKillRounds,
  standbyKillRounds,
  startFollower,
  startReceiver,
} from '../reliability/shared-rounds.ts'
import { seeded } from '../support/random.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { until } from '../support/until.ts'
import { invoiceBody } from './event.ts'
import { type LoadResult, load } from './load.ts'
import { type Figure, percentile, report } from './report.ts'
import { startAcuse } from './servers.ts'

const OUTAGE_MS = 30_000
/** Shares of the number of rounds: of 200 kills of receivers, 50 of primaries, … */
const PRIMARIES = 1 / 4
const STANDBYS = 1 / 10
const FOLLOWERS = 1 / 2
/** Two receivers are killed at once, and ten waits for the standby cancelled before a failover. */
const RECEIVERS = 1 / 2
const CANCELLED = 1 / 20
const CONTROLS = 1 / 50

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const CONNECTIONS = 64
const REPEATS = 3
/** Segments of 16 MB that the database has before its intake is measured: more than 5 s fill. */
const WAL_SEGMENTS = 24
/** Deliveries a second, and the duration, of the way to a follower. */
const RATE = 200
const SECONDS = 12
/** Of an endpoint, and of a note. */
const CHANGES = 50
/** The first delivery of a process waits for connections and for code that was never run. */
const COLD_SECONDS = 2

const twoReceivers = (log: string, folder: string) =>
  Promise.all(['one', 'two'].map((name) => startReceiver(log, folder, name)))

const shoot = (url: string, connections: number) => load({ url, connections, seconds: 5, bodies: [BODY] })

/**
 * Leaves both servers segments of their write-ahead log to write again, as servers have that have been at work for a while. A new server
 * fills each segment with zeros first, while receivers wait. The embedded log allocates its segments when it is made.
 */
async function settle({ primary, standby }: SharedWorld): Promise<void> {
  const configuration = "ALTER SYSTEM SET min_wal_size = '512MB'"
  for (const query of [configuration, 'SELECT pg_reload_conf()']) await primary.query(query)
  standby.configure("min_wal_size = '512MB'\n")
  await standby.query('SELECT pg_reload_conf()')
  for (let segment = 0; segment < WAL_SEGMENTS; segment++) {
    await primary.query("SELECT pg_logical_emit_message(true, 'bench', '')")
    await primary.query('SELECT pg_switch_wal()')
  }
  await primary.query('CHECKPOINT')
  // The standby gives its segments back at the checkpoint that it has replayed.
  const [at] = await primary.query('SELECT pg_current_wal_lsn() AS lsn')
  await until(async () => {
    const [row] = await standby.query(`SELECT pg_last_wal_replay_lsn() >= '${at?.lsn}' AS replayed`)
    return row?.replayed === true
  })
  await standby.query('CHECKPOINT')
}

type Row = readonly [what: string, target: string, value: number | readonly number[], unit?: string]

const of = (rounds: number, share: number): number => Math.max(1, Math.round(rounds * share))
const random = seeded(Date.now())

/** What the rounds returned, for the file of all values. */
const raw: unknown[] = []
const noted = <T>(seen: T): T => {
  raw.push(seen)
  console.log(JSON.stringify(seen))
  return seen
}

/** Parts of the proof of the shared log; each returns its rows. @param kills of receivers; the other numbers are shares of it */
const PARTS: Readonly<Record<string, (kills: number) => Promise<readonly Row[]>>> = {
  async receivers(kills) {
    const rounds = of(kills, RECEIVERS)
    const { answered, lost, doubled } = noted(await receiverKillRounds(rounds, random))
    return [
      [`receivers killed ${rounds * 2} times, ${answered} answered: lost or doubled`, '0', lost + doubled],
    ]
  },
  async primaries(kills) {
    const rounds = of(kills, PRIMARIES)
    const seen = noted(await failoverRounds(rounds, random, 'synchronous'))
    const what = `primaries killed ${rounds} times, ${seen.answered} answered`
    return [
      [`${what}: lost or doubled`, '0', seen.lost + seen.doubled],
      [`${what}: missed by a follower, or shown and taken back`, '0', (seen.missed ?? 0) + (seen.more ?? 0)],
    ]
  },
  async cancelled(kills) {
    const { answered, cancelled, lost, doubled } = noted(
      await failoverRounds(of(kills, CANCELLED), random, 'cancelled'),
    )
    return [
      [
        `waits for the standby cancelled ${cancelled} times, ${answered} answered: lost or doubled`,
        '0',
        lost + doubled,
      ],
    ]
  },
  async control(kills) {
    const rounds = of(kills, CONTROLS)
    const { answered, lost } = noted(await failoverRounds(rounds, random, 'asynchronous'))
    return [[`primaries killed ${rounds} times without replication, ${answered} answered: lost`, '> 0', lost]]
  },
  async standbys(kills) {
    const rounds = of(kills, STANDBYS)
    const { answered, lost, doubled } = noted(await standbyKillRounds(rounds, random))
    return [[`standbys killed ${rounds} times, ${answered} answered: lost or doubled`, '0', lost + doubled]]
  },
  async outage() {
    const { answered, during, lost, doubled, refused, drainMs } = noted(await outageRound(OUTAGE_MS))
    return [
      [
        `both standbys away for 30 s, ${during} of ${answered} answered then: lost, doubled or refused`,
        '0',
        lost + doubled + refused,
      ],
      ['single copies drained after their return', '≤ 10 s', drainMs / 1_000, 's'],
    ]
  },
  async followers(kills) {
    const rounds = of(kills, FOLLOWERS)
    const { followed, missed, more } = noted(await followerKillRounds(rounds, random))
    return [
      [`a follower killed ${rounds} times, ${followed} deliveries: missed or twice`, '0', missed + more],
    ]
  },
  async intake() {
    const shared: LoadResult[] = []
    const embedded: LoadResult[] = []
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const server = await startAcuse()
      embedded.push(await shoot(server.url.href, CONNECTIONS))
      await server.stop()
      await using world = await sharedWorld()
      await settle(world)
      using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
      const receivers = await twoReceivers(world.url, folder.path)
      const [one, two] = await Promise.all(receivers.map(({ url }) => shoot(url, CONNECTIONS / 2)))
      if (one && two)
        shared.push({
          ...one,
          perSecond: one.perSecond + two.perSecond,
          p99: Math.max(one.p99, two.p99),
          errors: one.errors + two.errors,
        })
      for (const receiver of receivers) await receiver.end('SIGTERM')
    }
    noted({ shared, embedded })
    const of = (key: keyof LoadResult, all = shared) => all.map((one) => one[key])
    const what = 'two receivers, synchronous standby, 64 connections'
    return [
      [
        `${what}: intake / embedded`,
        '≥ 0.6',
        of('perSecond').map((rate, n) => rate / (embedded[n]?.perSecond ?? Number.NaN)),
        '×',
      ],
      [`${what}: intake`, '', of('perSecond'), '/s'],
      [`${what}: 99th percentile`, '≤ 100 ms', of('p99'), 'ms'],
      [`${what}: errors`, '0', of('errors')],
    ]
  },
  async screen() {
    await using world = await sharedWorld()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
    const receivers = await twoReceivers(world.url, folder.path)
    const dataDir = join(folder.path, 'follower')
    const follower = await startFollower(world.url, dataDir)
    const client = await connectLocal(dataDir)
    const seen = new Map<string, number>()
    await client?.subscribe(({ push, payload }) => {
      const now = performance.now()
      for (const { url } of push === 'deliveries.changed' ? payload.rows : [])
        if (!seen.has(url)) seen.set(url, now)
    })
    const sent = new Map<string, number>()
    const began = performance.now()
    for (let n = 0; n < RATE * SECONDS; n++) {
      const early = began + (n * 1_000) / RATE - performance.now()
      if (early > 1) await wait(early)
      sent.set(`/screen/${n}`, performance.now())
      void fetch(new URL(`/screen/${n}`, receivers[n % 2]?.url), { method: 'POST', body: BODY }).catch(
        () => {},
      )
    }
    await wait(2_000)
    await client?.close()
    await follower.end('SIGTERM')
    for (const receiver of receivers) await receiver.end('SIGTERM')
    const delays = [...sent].map(([path, at]) => (seen.get(path) ?? Number.NaN) - at)
    const [cold, warm] = [delays.slice(0, RATE * COLD_SECONDS), delays.slice(RATE * COLD_SECONDS)]
    noted({ seen: seen.size, medians: [percentile(cold, 0.5), percentile(warm, 0.5)] })
    const what = `wire to the push of a follower at ${RATE}/s, 99th percentile`
    return [
      [what, '≤ 300 ms', percentile(warm, 0.99), 'ms'],
      [`${what}, first ${COLD_SECONDS} s`, '', percentile(cold, 0.99), 'ms'],
      ['seen, of those sent', '', (100 * seen.size) / sent.size, '%'],
    ]
  },
  async changes() {
    // The commands take it from their environment.
    process.env.ACUSE_LOG_KEY = 'a passphrase of the team'
    await using world = await sharedWorld()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
    const receivers = await twoReceivers(world.url, folder.path)
    const [one, two] = receivers
    const dataDirs = ['ana', 'eva'].map((name) => join(folder.path, name))
    const followers = await Promise.all(dataDirs.map((dataDir) => startFollower(world.url, dataDir)))
    const [ana, eva] = await Promise.all(dataDirs.map((dataDir) => connectLocal(dataDir)))
    if (!one || !two || !ana || !eva) throw new Error('a receiver or a follower does not answer')
    await fetch(one.url, { method: 'POST', body: BODY })
    // The first place of the log.
    const id = 1
    await until(async () => await eva.call('deliveries.get', { id }).catch(() => null))
    const [endpoint] = (await ana.call('settings.get', {})).endpoints
    if (!endpoint) throw new Error('there is no endpoint')
    const { secret: _, ...kept } = endpoint
    const { name } = kept
    const times: Record<'rule' | 'secret' | 'said', number[]> = { rule: [], secret: [], said: [] }
    const timed = async (
      kind: keyof typeof times,
      change: Promise<unknown>,
      seen: () => Promise<unknown>,
    ) => {
      await change
      const changed = performance.now()
      await seen()
      times[kind].push(performance.now() - changed)
    }
    /** Waits until both receivers answer with a status. */
    const answer = (status: number) =>
      Promise.all(
        [one, two].map(({ url }) =>
          until(async () => (await fetch(url, { method: 'POST', body: BODY })).status === status),
        ),
      )
    for (let n = 0; n < CHANGES; n++) {
      const status = n % 2 === 0 ? 202 : 200
      const saved = { ...kept, previousName: name, answer: { ...kept.answer, status } }
      await timed('rule', ana.call('endpoints.save', saved), () => answer(status))
      const [header, value] = ['X-Bench', `value ${n}`]
      await timed(
        'secret',
        ana.call('endpoints.set-secret', { name, header, value, keepPrevious: false }),
        () => answer(401),
      )
      await timed('secret', ana.call('endpoints.clear-secret', { name, which: 'all' }), () => answer(status))
      const said = { note: `note ${n}`, addTags: [`tag-${n}`], removeTags: [`tag-${n - 1}`] }
      const eve = () => eva.call('deliveries.get', { id })
      await timed('said', ana.call('deliveries.annotate', { ids: [id], ...said }), () =>
        until(async () => {
          const { noteText, tags } = (await eve()) ?? {}
          return noteText?.text === said.note && `${tags}` === said.addTags[0]
        }),
      )
      const pinned = n % 2 === 0
      await timed('said', ana.call('deliveries.pin', { ids: [id], pinned }), () =>
        until(async () => (await eve())?.marks.includes('pinned') === pinned),
      )
    }
    noted(times)
    await Promise.all([ana.close(), eva.close()])
    for (const each of [...followers, ...receivers]) await each.end('SIGTERM')
    return [
      [
        'change of an endpoint until both receivers answer by it, 99th percentile',
        '≤ 2 s',
        percentile(times.rule, 0.99),
        'ms',
      ],
      [
        'secret set or cleared until both receivers demand it or not, 99th percentile',
        '≤ 2 s',
        percentile(times.secret, 0.99),
        'ms',
      ],
      [
        'note and tag, or pin, until another follower shows them, 99th percentile',
        '≤ 2 s',
        percentile(times.said, 0.99),
        'ms',
      ],
    ]
  },
}

/** Kills receivers, databases and followers of a shared log under load. @param chosen parts to run; empty: all */
export async function shared(kills: number, chosen: readonly string[] = []): Promise<void> {
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for (const [what, target, value, unit = ''] of await run(kills)) {
      console.log(`${what}: ${value} ${unit}`)
      figures.push(['–', what, target, unit, [value].flat()])
    }
  }
  if (figures.length > 0) report('shared', figures, raw)
  else console.error(`Nothing was measured; the parts are ${Object.keys(PARTS).join(', ')}.`)
}
