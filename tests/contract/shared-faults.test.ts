import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { LogRecord } from '#core/ports.ts'
import { LogThread } from '#log/log-thread.ts'
import { logIn } from '#log/reader.ts'
import { dropDays } from '#log/shared/administration.ts'
import { Lane } from '#log/shared/lane.ts'
import { DAY_MS, type KeyedRecord } from '#log/shared/rows.ts'
import { SharedLog } from '#log/shared/shared-log.ts'
import { Spill } from '#log/shared/spill.ts'
import { Tail } from '#log/shared/tail.ts'
import { cutNetwork, transactionPool } from '../support/cut-network.ts'
import { runCli } from '../support/host.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { threadFile } from '../support/threads.ts'
import { until } from '../support/until.ts'

let world: SharedWorld
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A log without a spill, so that a record that the database does not take is refused. */
function refusing(name: string, now: () => number = Date.now) {
  const log = new SharedLog({ url: world.url, name, spill: null, now, trouble() {} })
  onTestFinished(() => log.close())
  return log
}
const small: LogRecord = { kind: 1, numbered: true, size: 1, write: (into, at) => into.set([120], at) }
const keyed = (size = 1): KeyedRecord => ({
  origin: randomUUID(),
  seq: 1,
  day: Math.floor(Date.now() / DAY_MS),
  kind: 1,
  numbered: true,
  payload: Buffer.alloc(size, 'x'),
})
const connections = async (name: string) =>
  (await world.primary.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}'`)).length

test('a follower of another log leaves no connection behind, however often it tries', async () => {
  const tail = new Tail(world.url, 'stranger', 0, randomUUID())
  for (let tries = 0; tries < 3; tries++)
    await expect(tail.next(10)).rejects.toThrow('follows another shared log')
  await until(async () => (await connections('stranger')) === 0)
})

test('a network that hung leaves no connection of the attempts, once it is back', async () => {
  using network = await cutNetwork(world.primary.port)
  network.cut()
  const lane = new Lane(network.url, 'hung')
  for (let tries = 0; tries < 3; tries++)
    await expect(lane.store([keyed()], 100)).rejects.toThrow('did not answer')
  network.restore()
  await lane.store([keyed()], 60_000)
  await until(async () => (await connections('hung')) === 1)
  lane.close()
  await until(async () => (await connections('hung')) === 0)
})

test('batches and drains that wait for a lost standby in vain leave no connection behind', async () => {
  await world.standby.stop()
  const lane = new Lane(world.url, 'waiting')
  const records = [keyed(), keyed()]
  for (const act of [
    () => lane.store([keyed()], 1_000),
    () => lane.drain(records, 1_000),
    () => lane.drain([], 1_000),
  ])
    await expect(act()).rejects.toThrow('did not answer')
  await until(async () => (await connections('waiting')) === 0)
  await world.standby.start()
  await lane.drain(records, 60_000)
  lane.close()
})

test('a receiver and a follower go on after the server has ended their idle connections, and tell nothing', async () => {
  const log = refusing('idle')
  await Promise.all([log.append([small]), log.append([small])])
  const tail = new Tail(world.url, 'idle', 0)
  await tail.next(1)
  await world.primary.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle'",
  )
  await until(async () => (await connections('idle')) === 0)
  expect(await log.append([small])).toHaveLength(1)
  await tail.next(1)
  tail.close()
})

test('a receiver says once why the database refuses, and that it takes deliveries again when it does', async () => {
  const told: (string | null)[] = []
  const trouble = (reason: string | null) => void told.push(reason)
  const log = new SharedLog({ url: world.url, name: 'full', spill: null, trouble })
  onTestFinished(() => log.close())
  await world.primary.query(`CREATE SEQUENCE tries; CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file "base/%": No space left on device', nextval('tries'); END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON acuse.record EXECUTE FUNCTION full_disk()`)
  await expect(log.append([small])).rejects.toThrow('No space left on device')
  const tries = () => world.primary.query('SELECT last_value > 3 AS many FROM tries')
  await until(async () => told.includes(null) || (await tries())[0]?.many === true)
  expect(told).toEqual([expect.stringContaining('No space left on device')])
  await world.primary.query('DROP FUNCTION full_disk CASCADE')
  await until(() => told.at(-1) === null)
  expect(told).toHaveLength(2)
})

test('single copies reach the log over a link that is too slow for a full batch', {
  tags: 'long',
}, async () => {
  using network = await cutNetwork(world.primary.port, 3_000)
  const stored = async () =>
    (await world.primary.query('SELECT count(*) FROM acuse.record WHERE octet_length(payload) = 100000'))[0]
      ?.count
  const folder = tempFolder()
  const start = () => new Worker(threadFile('log/worker'))
  const disk = new LogThread({ start, folder, trouble() {}, problem() {} })
  await disk.open({ position: 0, id: 0 }, 0)
  onTestFinished(() => disk.close())
  const spill = new Spill(disk, logIn(folder), folder, () => {})
  await spill.add(Array.from({ length: 20 }, () => keyed(100_000)))
  const log = new SharedLog({ url: network.url, name: 'slow', spill, drainMs: 300, trouble() {} })
  await until(() => spill.waiting === 0)
  await log.close()
  expect(await stored()).toBe('20')
})

test('to note what is drained takes no room on a disk that its spill has filled', async () => {
  const folder = tempFolder()
  const start = () => new Worker(threadFile('log/worker'))
  const disk = new LogThread({ start, folder, trouble() {}, problem() {} })
  await disk.open({ position: 0, id: 0 }, 0)
  onTestFinished(() => disk.close())
  const spilling = () => new Spill(disk, logIn(folder), folder, () => {})
  const spill = spilling()
  await spill.add([keyed(), keyed()])
  const mark = () => {
    const { ino, size } = statSync(join(folder, 'drained'))
    return { ino, size }
  }
  const before = mark()
  spill.next(1, 1)?.done()
  expect(mark()).toEqual(before)
  spill.close()
  expect(spilling().waiting).toBe(1)
})

test('a receiver makes its day again that was dropped while it ran', async () => {
  const log = refusing('dropped')
  await log.append([small])
  await world.primary.withClient((client) => dropDays(client, '2999-01-01', false))
  await log.append([small]).catch(() => {})
  expect(await until(() => log.append([small]).catch(() => undefined))).toHaveLength(1)
})

test('the first deliveries of a day that come to several receivers at once are all stored', async () => {
  for (let day = 2; day < 6; day++) {
    const receivers = Array.from({ length: 8 }, (_, n) =>
      refusing(`dawn${n}`, () => Date.now() + day * DAY_MS),
    )
    const stored = await Promise.all(receivers.map((log) => log.append([small])))
    expect(new Set(stored.flat()).size).toBe(8)
    await Promise.all(receivers.map((log) => log.close()))
  }
})

test('a day is made, and another is dropped, beside a reader that does not end; receivers do not wait', async () => {
  const log = refusing('midnight')
  await log.append([small])
  await world.primary.query("SELECT acuse.open_day('2026-01-01')")
  await world.primary.withClient(async (reader) => {
    await reader.query('BEGIN; SELECT count(*) FROM acuse.record')
    const dropped = world.primary.withClient((client) => dropDays(client, '2026-01-02', false))
    const pending = 'SELECT 1 FROM pg_inherits WHERE inhdetachpending'
    await until(async () => (await world.primary.query(pending)).length === 1)
    const tomorrow = refusing('tomorrow', () => Date.now() + DAY_MS)
    expect(await Promise.all([tomorrow.append([small]), log.append([small])])).toHaveLength(2)
    await reader.query('COMMIT')
    expect(await dropped).toMatchObject({ dropped: ['2026-01-01'] })
  })
})

test('a drop that was killed is ended by the next one', async () => {
  await world.primary.query("SELECT acuse.open_day('2026-01-01')")
  await world.primary.query("SELECT acuse.open_day('2026-01-02')")
  await world.primary.query('ALTER TABLE acuse.record DETACH PARTITION acuse.record_20260101 CONCURRENTLY')
  await world.primary.withClient(async (reader) => {
    await reader.query('BEGIN; SELECT count(*) FROM acuse.record')
    await world.primary.withClient((client) =>
      expect(
        client.query(
          "SET lock_timeout = '100ms'; ALTER TABLE acuse.record DETACH PARTITION acuse.record_20260102 CONCURRENTLY",
        ),
      ).rejects.toThrow(),
    )
  })
  const dropped = await world.primary.withClient((client) => dropDays(client, '2026-01-03', false))
  expect(dropped.dropped).toEqual(['2026-01-01', '2026-01-02'])
  expect(
    await world.primary.query("SELECT 1 WHERE to_regclass('acuse.record_20260102') IS NOT NULL"),
  ).toEqual([])
})

test('a reader that has read a part of a day when it is dropped learns that it lacks it, once, and reads on', async () => {
  const log = refusing('retained', () => 0)
  const tail = new Tail(world.url, 'away', 0)
  const [first = 0] = await log.append([small])
  tail.rewind(first - 1)
  await log.append([small])
  const newer = await refusing('newer').append([small])
  await until(
    () => tail.next(1),
    ([one]) => one?.place === first,
  )
  await world.primary.withClient((client) => dropDays(client, '1970-01-02', false))
  const [read] = await until(
    () => tail.next(10),
    (entries) => entries.length > 0,
  )
  expect([read?.place, tail.lacks(), tail.lacks()]).toEqual([newer[0], true, false])
  await refusing('newest').append([small])
  await until(
    () => tail.next(10),
    (entries) => entries.length > 0,
  )
  expect(tail.lacks()).toBe(false)
  tail.close()
})

test('a reader says that the log was restored to an earlier moment than it has read', async () => {
  const tail = new Tail(world.url, 'restored', 0)
  const { after } = await tail.begin('newest')
  tail.rewind(after + 1)
  await expect(tail.next(1)).rejects.toThrow('restored to an earlier moment')
  tail.close()
})

test('large records are read a few at a time', async () => {
  const lane = new Lane(world.url, 'large')
  const tail = new Tail(world.url, 'reads large', 0)
  tail.rewind((await tail.begin('newest')).after)
  for (let sent = 0; sent < 3; sent++) await lane.store([keyed(9_000_000)], 60_000)
  const sizes: number[] = []
  await until(async () => {
    const entries = await tail.next(10)
    if (entries.length > 0) sizes.push(entries.length)
    return sizes.reduce((sum, one) => sum + one, 0) === 3
  })
  expect(sizes).toEqual([2, 1])
  lane.close()
  tail.close()
})

test('a pool of transactions is refused, since it would give the locks and settings of a session to others', async () => {
  using pool = await transactionPool(world.primary.port)
  const tail = new Tail(pool.url, 'pooled', 0)
  await expect(tail.next(1)).rejects.toThrow('set pool_mode = session in pgbouncer')
})

test('status says that the database does not answer, in time', { tags: 'long' }, async () => {
  await world.primary.withClient(async (holder) => {
    await holder.query('BEGIN; LOCK TABLE acuse.receiver')
    const { code, stderr } = await runCli(['shared', 'status', '--log', world.url])
    expect([code, stderr]).toEqual([3, expect.stringContaining('did not answer within 5 s')])
  })
})

test('a follower says what the owner of the tables lacks to see the standbys', async () => {
  await world.primary.query('CREATE ROLE plain LOGIN')
  await world.primary.query('CREATE DATABASE plain OWNER plain')
  const url = `postgres://plain@127.0.0.1:${world.primary.port}/plain`
  const made = await runCli(['shared', 'init', '--log', url])
  expect(made).toMatchObject({ code: 3, stderr: expect.stringContaining('GRANT pg_read_all_stats TO plain') })
  const tail = new Tail(url, 'plain', 0)
  await expect(tail.next(1)).rejects.toThrow('GRANT pg_read_all_stats TO plain')
  await world.primary.query('GRANT pg_read_all_stats TO plain')
  expect(await tail.next(1)).toEqual([])
  tail.close()
})
