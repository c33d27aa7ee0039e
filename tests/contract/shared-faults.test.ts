import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { LogRecord } from '#core/ports.ts'
import { dropDays } from '#log/shared/administration.ts'
import { Lane } from '#log/shared/lane.ts'
import { DAY_MS, type KeyedRecord } from '#log/shared/rows.ts'
import { SharedLog } from '#log/shared/shared-log.ts'
import { Tail } from '#log/shared/tail.ts'
import { cutNetwork } from '../support/cut-network.ts'
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
