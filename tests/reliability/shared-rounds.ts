import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Tail } from '#log/shared/tail.ts'
import { KIND, readRecord } from '#storage/wire/record.ts'
import { spawnCli } from '../support/host.ts'
import type { Cluster } from '../support/postgres-cluster.ts'
import { descendants, processFile } from '../support/processes.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { until } from '../support/until.ts'
import { sentIn, startSenders } from './kill-rounds.ts'

const SENDERS = 4
const RECEIVERS = 2

/** The built `acuse receive`, as a process. */
async function startReceiver(url: string, folder: string, name: string, args: readonly string[] = []) {
  const child = spawnCli([
    'receive',
    '--log',
    url,
    '--data',
    join(folder, name),
    '--name',
    name,
    '--receiver-port',
    '0',
    '--json',
    ...args,
  ])
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`acuse receive ended with ${code}: ${errors}`)
  })
  ended.catch(() => {})
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  return {
    name,
    url: String(JSON.parse(line).receiver),
    stderr: () => errors,
    async end(signal: NodeJS.Signals) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}

/** Everything in the shared log: for each token of a sender, the digests of the bodies stored with it. */
async function storedIn(url: string): Promise<Map<string, string[]>> {
  const stored = new Map<string, string[]>()
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
      stored.set(token, [...(stored.get(token) ?? []), digest])
    }
    if (entries.length === 0) await wait(20)
  }
  tail.close()
  return stored
}

export interface Outcome {
  readonly answered: number
  readonly refused: number
  readonly lost: number
  readonly doubled: number
}

async function compared(url: string, ledgers: readonly string[]): Promise<Outcome> {
  const stored = await storedIn(url)
  const sent = sentIn(ledgers)
  const answered = sent.filter(({ taken }) => taken)
  return {
    answered: answered.length,
    refused: sent.length - answered.length,
    lost: answered.filter(({ token, digest }) => !stored.get(token)?.includes(digest)).length,
    doubled: [...stored.values()].filter((digests) => digests.length > 1).length,
  }
}

/** Waits until all receivers tell that they have no single copies. */
const drained = (world: SharedWorld) =>
  until(async () => {
    const [row] = await world.primary.query(
      "SELECT count(*) AS n FROM acuse.receiver WHERE single_copies = 0 AND seen_at > now() - interval '2 s'",
    )
    return Number(row?.n) === RECEIVERS
  })

/** Kills receivers under load, starts each again on its folder, and compares the ledgers with the log at the end. */
export async function receiverKillRounds(rounds: number, random: () => number): Promise<Outcome> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const ledgers: string[] = []
  for (let round = 0; round < rounds; round++) {
    const receivers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, n) => startReceiver(world.url, folder.path, `receiver-${n}`)),
    )
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
  return await compared(world.url, ledgers)
}

const hasContent = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

async function loaded(world: SharedWorld, folder: string) {
  const receivers = await Promise.all(
    Array.from({ length: RECEIVERS }, (_, n) => startReceiver(world.url, folder, `receiver-${n}`)),
  )
  const senders = receivers.map(({ url }, n) => startSenders(url, folder, SENDERS / RECEIVERS, `l-${n}-`))
  const ledgers = senders.flatMap((one) => one.ledgers)
  await until(() => ledgers.every(hasContent))
  return {
    ledgers,
    answered: () => sentIn(ledgers).filter(({ taken }) => taken).length,
    async endSenders() {
      await Promise.all(
        senders.flatMap(({ senders: all, ended }) => [...all.map((one) => one.kill()), ended]),
      )
    },
    async end() {
      for (const receiver of receivers) await receiver.end('SIGTERM')
    },
  }
}

/** Freezes the process of the standby that takes the log from the primary. */
function frozenWalReceiver(standby: Cluster): () => void {
  const pid = descendants(standby.pid ?? 0).find((one) => processFile(one, 'cmdline').includes('walreceiver'))
  if (pid === undefined) throw new Error('the standby has no walreceiver')
  process.kill(pid, 'SIGSTOP')
  return () => killed(pid, 'SIGCONT')
}

export type Failover = 'synchronous' | 'asynchronous' | 'cancelled'

/**
 * Kills the primary under load while the standby takes nothing from it, promotes the standby, lets the receivers go on, and compares.
 * @param how `asynchronous`, as a control: then deliveries must be lost; `cancelled`: an administrator cancels the waits for the standby
 */
export async function failoverRound(random: () => number, how: Failover): Promise<Outcome> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld(how !== 'asynchronous')
  const load = await loaded(world, folder.path)
  await wait(random() * 500)
  const thaw = frozenWalReceiver(world.standby)
  if (how === 'cancelled')
    await until(async () => {
      const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      return (await world.primary.query(cancel)).length >= RECEIVERS
    })
  await wait(300 + random() * 400)
  for (const pid of descendants(world.primary.pid ?? 0)) killed(pid, 'SIGKILL')
  await world.standby.query('SELECT pg_promote(false)')
  await wait(300)
  thaw()
  await until(
    async () => (await world.standby.query('SELECT pg_is_in_recovery() AS standby'))[0]?.standby === false,
  )
  // What a manager of clusters does when a primary has no standby left.
  await world.standby.query("ALTER SYSTEM SET synchronous_standby_names = ''")
  await world.standby.query('SELECT pg_reload_conf()')
  world.primary = world.standby
  const before = load.answered()
  await until(() => load.answered() > before + 20)
  await load.endSenders()
  // The beats before now may not count the last single copies.
  await wait(2_500)
  await drained(world)
  await load.end()
  return await compared(world.url, load.ledgers)
}

/** Stops the standby for a while under load. @returns also how long the single copies took to reach the log after its return */
export async function outageRound(
  outageMs: number,
): Promise<Outcome & { readonly drainMs: number; readonly during: number }> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const load = await loaded(world, folder.path)
  await world.standby.stop()
  const before = load.answered()
  await wait(outageMs)
  const during = load.answered() - before
  await world.standby.start()
  const returned = performance.now()
  await load.endSenders()
  // The beats before now may not count the last single copies.
  await wait(2_500)
  await drained(world)
  const drainMs = performance.now() - returned
  await load.end()
  return { ...(await compared(world.url, load.ledgers)), drainMs, during }
}

/** Kills a follower again and again under load. @returns ids that it missed or has twice */
export async function followerKillRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-shared-'))
  await using world = await sharedWorld()
  const load = await loaded(world, folder.path)
  const dataDir = join(folder.path, 'follower')
  const start = () =>
    spawnCli(['follow', '--log', world.url, '--data', dataDir, '--from', 'oldest', '--no-ui', '--json'])
  for (let round = 0; round < rounds; round++) {
    const child = start()
    await once(createInterface(child.stdout), 'line')
    await wait(random() * 400)
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await load.endSenders()
  await load.end()
  const ids = await world.primary.query(
    `SELECT place FROM acuse.record WHERE kind = ${KIND.delivery} ORDER BY place`,
  )
  const wanted = ids.map(({ place }) => Number(place))
  const child = start()
  const has = () => {
    using database = new DatabaseSync(join(dataDir, 'captured.db'), { readOnly: true })
    return database
      .prepare('SELECT id FROM delivery ORDER BY id')
      .all()
      .map(({ id }) => Number(id))
  }
  const followed = await until(has, (list) => list.length >= wanted.length)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
  const known = new Set(followed)
  return {
    wanted: wanted.length,
    missed: wanted.filter((id) => !known.has(id)).length,
    more: followed.length - wanted.length,
  }
}

function killed(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended with its parent.
  }
}
