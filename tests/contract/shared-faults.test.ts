import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { LogRecord } from '#core/ports.ts'
import { dropDays } from '#log/shared/administration.ts'
import { Lane } from '#log/shared/lane.ts'
import { DAY_MS, type KeyedRecord } from '#log/shared/rows.ts'
import { SharedLog } from '#log/shared/shared-log.ts'
import { Tail } from '#log/shared/tail.ts'
import { cutNetwork } from '../support/cut-network.ts'
import { runCli } from '../support/host.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
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

test('a receiver goes on after the server has ended its idle connections, and refuses nothing for it', async () => {
  const log = refusing('idle')
  await Promise.all([log.append([small]), log.append([small])])
  await world.primary.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'idle'",
  )
  await until(async () => (await connections('idle')) === 0)
  expect(await log.append([small])).toHaveLength(1)
})

test('a receiver makes its day again that was dropped while it ran', async () => {
  const log = refusing('dropped')
  await log.append([small])
  await world.primary.withClient((client) => dropDays(client, '2999-01-01', false))
  await log.append([small]).catch(() => {})
  expect(await until(() => log.append([small]).catch(() => undefined))).toHaveLength(1)
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

test('a reader that was away until a day was dropped learns that it lacks it, once, and reads on', async () => {
  const log = refusing('retained', () => 0)
  const tail = new Tail(world.url, 'away', 0)
  const [first = 0] = await log.append([small])
  tail.rewind(first - 1)
  const newer = await refusing('newer').append([small])
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
