import { createHash } from 'node:crypto'
import { mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { connectLocal } from '#hosts/local/client.ts'
import { type Cluster, streaming } from '#log/shared/cluster.ts'
import { Tail } from '#log/shared/tail.ts'
import { KIND, readRecord } from '#storage/wire/record.ts'
import { startedCli } from '../support/host.ts'
import { descendants, processFile } from '../support/processes.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { until } from '../support/until.ts'
import { words } from '../support/words.ts'
import { sentIn, startSenders } from './kill-rounds.ts'

const SENDERS = 4
const RECEIVERS = 2
/** Least size of a line of a sender's ledger. */
const LINE_BYTES = 75

/** The built `acuse receive`, as a process. */
export async function startReceiver(url: string, folder: string, name: string) {
  const own = words`--data ${join(folder, name)} --name ${name} --receiver-port 0`
  const { ready, pid, end } = await startedCli(['receive', '--log', url, ...own])
  return { url: `${ready.receiver}`, pid, end }
}

interface Stored {
  /** For each token of a sender, the digests of the bodies stored with it. */
  readonly digests: ReadonlyMap<string, readonly string[]>
  /** The path of each delivery, by its id. */
  readonly paths: ReadonlyMap<number, string>
}

/** Everything in the shared log. */
async function storedIn(url: string): Promise<Stored> {
  const digests = new Map<string, string[]>()
  const paths = new Map<number, string>()
  const tail = new Tail(url, 'check', 0)
  let last = 0
  for (let idle = 0; idle < 5; ) {
    const entries = await tail.next(500)
    idle = entries.length === 0 ? idle + 1 : 0
    for (const { place, kind, payload, whole } of entries) {
      if (place <= last || !whole) throw new Error(`place ${place} after ${last}, whole: ${whole}`)
      last = place
      if (kind !== KIND.delivery) continue
      const { url: path, body } = readRecord(payload)
      const token = path.slice('/ledger/'.length)
      const digest = createHash('sha256')
        .update(body ?? '')
        .digest('hex')
      digests.set(token, [...(digests.get(token) ?? []), digest])
      paths.set(place, path)
    }
    if (entries.length === 0) await wait(20)
  }
  tail.close()
  return { digests, paths }
}

export interface Outcome {
  readonly answered: number
  readonly refused: number
  readonly lost: number
  readonly doubled: number
}

async function compared(url: string, ledgers: readonly string[]): Promise<Outcome> {
  const { digests: stored } = await storedIn(url)
  const sent = sentIn(ledgers)
  const answered = sent.filter(({ taken }) => taken)
  return {
    answered: answered.length,
    refused: sent.length - answered.length,
    lost: answered.filter(({ token, digest }) => !stored.get(token)?.includes(digest)).length,
    doubled: [...stored.values()].filter(({ length }) => length > 1).length,
  }
}

/** Waits until all receivers tell that they have no single copies, after now. */
async function drained(world: SharedWorld): Promise<void> {
  const now = new Date().toISOString()
  const asked = `SELECT count(*) AS n FROM acuse.receiver WHERE single_copies = 0 AND seen_at > '${now}'`
  await until(async () => Number((await world.primary.query(asked))[0]?.n) === RECEIVERS)
}

/** Kills receivers under load, two in each round, starts each again on its folder, and compares the ledgers with the log at the end. */
export async function receiverKillRounds(rounds: number, random: () => number): Promise<Outcome> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const ledgers: string[] = []
  const start = () =>
    Promise.all(
      Array.from({ length: RECEIVERS }, (_, n) => startReceiver(world.url, folder.path, `receiver-${n}`)),
    )
  for (let round = 0; round < rounds; round++) {
    const receivers = await start()
    const senders = receivers.map(({ url }, n) =>
      startSenders(url, folder.path, SENDERS / RECEIVERS, `l-${round}-${n}-`),
    )
    const begun = senders.flatMap((one) => one.ledgers)
    ledgers.push(...begun)
    await until(() => begun.some(hasContent))
    await wait(50 + random() * 700)
    await Promise.all(receivers.map((receiver) => receiver.end('SIGKILL')))
    await Promise.all(senders.map(({ ended }) => ended))
  }
  // On a busy machine the last kill leaves single copies, which the next run of the receiver drains.
  const last = await start()
  await drained(world)
  await Promise.all(last.map((receiver) => receiver.end('SIGTERM')))
  return await compared(world.url, ledgers)
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
const hasContent = (file: string): boolean => sizeOf(file) > 0

async function loaded(world: SharedWorld, folder: string) {
  const receivers = await Promise.all(
    Array.from({ length: RECEIVERS }, (_, n) => startReceiver(world.url, folder, `receiver-${n}`)),
  )
  const senders = receivers.map(({ url }, n) => startSenders(url, folder, SENDERS / RECEIVERS, `l-${n}-`))
  const ledgers = senders.flatMap((one) => one.ledgers)
  await until(() => ledgers.every(hasContent))
  const written = () => ledgers.reduce((sum, file) => sum + sizeOf(file), 0)
  return {
    ledgers,
    answered: () => sentIn(ledgers).filter(({ taken }) => taken).length,
    /** Waits for further answers. */
    async goesOn() {
      const before = written()
      await until(() => written() > before + 20 * LINE_BYTES)
    },
    async endSenders() {
      await Promise.all(
        senders.flatMap(({ senders: all, ended }) => [...all.map((one) => one.kill()), ended]),
      )
    },
    /** Ends the senders and, once nothing waits in a spill, the receivers; then compares the ledgers with the log. */
    async end(): Promise<Outcome> {
      await this.endSenders()
      await drained(world)
      for (const receiver of receivers) await receiver.end('SIGTERM')
      return compared(world.url, ledgers)
    },
  }
}

/** Freezes the process of the standby that takes the log from the primary. */
function frozenWalReceiver(standby: Cluster): () => void {
  const pid = descendants(standby.pid).find((one) => processFile(one, 'cmdline').includes('walreceiver'))
  if (pid === undefined) throw new Error('the standby has no walreceiver')
  process.kill(pid, 'SIGSTOP')
  return () => killed(pid, 'SIGCONT')
}

/** Ends all processes of a server as a power cut does. */
function crash(server: Cluster): void {
  for (const pid of descendants(server.pid)) killed(pid, 'SIGKILL')
}

export type Failover = 'synchronous' | 'asynchronous' | 'cancelled'
/** Waits for the standby that an administrator cancels before each failover. */
const CANCELS = 10

/**
 * Again and again: kills the primary under load while the standby takes nothing from it, promotes the standby, lets the receivers go on,
 * and makes a new standby. Compares at the end, also what a follower has that ran all the time.
 * @param how `asynchronous`, as a control: then deliveries must be lost; `cancelled`: an administrator cancels waits for the standby
 */
export async function failoverRounds(rounds: number, random: () => number, how: Failover) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld(how !== 'asynchronous')
  const load = await loaded(world, folder.path)
  // Without replication a follower shows what the failover takes back.
  const follower =
    how === 'asynchronous' ? null : await startFollower(world.url, join(folder.path, 'follower'))
  let cancelled = 0
  for (let round = 1; round <= rounds; round++) {
    await wait(random() * 500)
    const thaw = frozenWalReceiver(world.standby)
    if (how === 'cancelled')
      await until(async () => {
        const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        cancelled += (await world.primary.query(cancel)).length
        return cancelled >= round * CANCELS
      })
    await wait(300 + random() * 400)
    crash(world.primary)
    await world.standby.query('SELECT pg_promote(false)')
    await wait(300)
    thaw()
    await until(
      async () => (await world.standby.query('SELECT pg_is_in_recovery() AS standby'))[0]?.standby === false,
    )
    // What a manager of clusters does when a primary has no standby left.
    await world.standby.query("ALTER SYSTEM SET synchronous_standby_names = ''")
    await world.standby.query('SELECT pg_reload_conf()')
    await load.goesOn()
    await world.renew()
  }
  const outcome = await load.end()
  const { paths } = await storedIn(world.url)
  return { ...outcome, cancelled, ...(await follower?.compared(paths)) }
}

/** Kills the standby under load and starts it again. */
export async function standbyKillRounds(rounds: number, random: () => number): Promise<Outcome> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const load = await loaded(world, folder.path)
  for (let round = 0; round < rounds; round++) {
    await wait(random() * 1_000)
    crash(world.standby)
    await wait(random() * 1_000)
    await world.standby.start()
    await streaming(world.primary, true)
    await load.goesOn()
  }
  return await load.end()
}

/** Stops both standbys for a while under load. @returns also how long the single copies took to reach the log after their return */
export async function outageRound(
  outageMs: number,
): Promise<Outcome & { readonly drainMs: number; readonly during: number }> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const third = await world.primary.standby('three')
  await using _ = { [Symbol.asyncDispose]: () => third.stop() }
  await world.primary.waitFor(world.standby.name, third.name)
  const load = await loaded(world, folder.path)
  await Promise.all([world.standby.stop(), third.stop()])
  const before = load.answered()
  await wait(outageMs)
  const during = load.answered() - before
  await Promise.all([world.standby.start(), third.start()])
  const returned = performance.now()
  await load.endSenders()
  await drained(world)
  const drainMs = performance.now() - returned
  return { ...(await load.end()), drainMs, during }
}

/** Starts `acuse follow` from the oldest delivery on, and waits until it is ready. */
export async function startFollower(url: string, dataDir: string) {
  const { end } = await startedCli(words`follow --log ${url} --data ${dataDir} --from oldest --no-ui`)
  return {
    end,
    /** Waits until it has as many deliveries as the log and ends it. @returns how many it lacks, and has besides */
    async compared(paths: Stored['paths']) {
      const client = await connectLocal(dataDir)
      await until(async () => Number((await client?.call('status.get', {}))?.counts.stored) >= paths.size)
      await client?.close()
      await end('SIGTERM')
      using database = new DatabaseSync(join(dataDir, 'captured.db'), { readOnly: true })
      const rows = database.prepare('SELECT id, url FROM delivery').all()
      const right = rows.filter(({ id, url: path }) => paths.get(Number(id)) === path).length
      return { followed: paths.size, missed: paths.size - right, more: rows.length - right }
    },
  }
}

/** Kills a follower again and again under load. @returns ids that it missed or has twice */
export async function followerKillRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const load = await loaded(world, folder.path)
  const dataDir = join(folder.path, 'follower')
  for (let round = 0; round < rounds; round++) {
    const follower = await startFollower(world.url, dataDir)
    await wait(random() * 400)
    await follower.end('SIGKILL')
  }
  await load.end()
  const { paths } = await storedIn(world.url)
  const last = await startFollower(world.url, dataDir)
  return await last.compared(paths)
}

function killed(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended with its parent.
  }
}
