import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log, LogPlace, LogRecord } from '#core/ports.ts'
import { LogThread } from '#log/log-thread.ts'
import { logIn } from '#log/reader.ts'
import { Lane } from '#log/shared/lane.ts'
import { DAY_MS, type KeyedRecord } from '#log/shared/rows.ts'
import { SharedLog } from '#log/shared/shared-log.ts'
import { Tail } from '#log/shared/tail.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { sharedFolder } from '../support/temp-folder.ts'
import { threadFile } from '../support/threads.ts'
import { until } from '../support/until.ts'

interface Entry {
  readonly id: number
  readonly kind: number
  readonly text: string
}
/** A log with a reader of its own, which begins at its end. */
interface Opened {
  readonly log: Log & { close(): Promise<void> }
  /** The records appended since, numbered or not. */
  read(count: number): Promise<readonly Entry[]>
}

const record = (text: string, numbered = true): LogRecord => ({
  kind: numbered ? 1 : 2,
  numbered,
  size: Buffer.byteLength(text),
  write: (into, at) => into.set(Buffer.from(text), at),
})

let world: SharedWorld
let folder: string
beforeAll(async () => {
  folder = sharedFolder()
  world = await sharedWorld()
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function embedded(name: string): Promise<Opened> {
  const path = join(folder, name)
  const log = new LogThread({
    start: () => new Worker(threadFile('log/worker')),
    folder: path,
    trouble() {},
    problem() {},
  })
  await log.open({ position: 0, id: 0 }, 0)
  const after = log.place.position
  return {
    log,
    async read(count) {
      const reading = logIn(path).read(after)
      const found: Entry[] = []
      while (found.length < count)
        for (const { id, kind, payload } of reading.next(log.place.position, 100_000).entries)
          found.push({ id, kind, text: Buffer.from(payload).toString() })
      reading.close()
      return found
    },
  }
}

async function shared(name: string): Promise<Opened> {
  const begun = new Tail(world.url, 'test', 0)
  const { after } = await begun.begin('newest')
  begun.close()
  const log = new SharedLog({ url: world.url, name, spill: null, trouble() {} })
  return {
    log,
    async read(count) {
      const tail = new Tail(world.url, 'test', after)
      const found: Entry[] = []
      while (found.length < count) {
        for (const { place, kind, payload, whole } of await tail.next(100)) {
          expect(whole).toBe(true)
          found.push({ id: place, kind, text: payload.toString() })
        }
        await pause(5)
      }
      tail.close()
      return found
    },
  }
}

describe.each([
  ['embedded', embedded],
  ['shared', shared],
] as const)('the %s log', (_, open) => {
  test('gives rising ids to numbered records, and has all records in that order', async () => {
    const { log, read } = await open('order')
    const first = await log.append([record('a'), record('piece', false), record('b')])
    const second = await log.append([record('c')])
    const entries = await read(4)
    expect(entries.map(({ text }) => text)).toEqual(['a', 'piece', 'b', 'c'])
    expect(entries.filter(({ kind }) => kind === 1).map(({ id }) => id)).toEqual([...first, ...second])
    expect(Number(first[1])).toBeGreaterThan(Number(first[0]))
    await log.close()
  })

  test('has each of many concurrent appends once, under the id that its append returned', async () => {
    const { log, read } = await open('many')
    const texts = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(index * 7)}`)
    const ids = await Promise.all(texts.map((text) => log.append([record(text)])))
    const entries = await read(500)
    const wanted = texts.map((text, index) => ({ id: Number(ids[index]?.[0]), kind: 1, text }))
    expect(entries).toEqual(wanted.toSorted((a, b) => a.id - b.id))
    await log.close()
  })

  test('keeps bytes of every value, and records of no byte and of a megabyte', async () => {
    const { log, read } = await open('bytes')
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value))
    const sizes = [Buffer.alloc(0), bytes, Buffer.alloc(1024 * 1024, 0xa5)]
    await log.append(
      sizes.map((payload) => ({
        kind: 1,
        numbered: true,
        size: payload.byteLength,
        write: (into, at) => into.set(payload, at),
      })),
    )
    expect((await read(3)).map(({ text }) => text)).toEqual(sizes.map((payload) => payload.toString()))
    await log.close()
  })

  test('stores nothing of an append that fails, and goes on with the next one', async () => {
    const { log, read } = await open('failure')
    const broken = {
      ...record('broken'),
      write() {
        throw new Error('no bytes')
      },
    }
    await expect(log.append([record('before'), broken])).rejects.toThrow('no bytes')
    await log.append([record('after')])
    expect((await read(1)).map(({ text }) => text)).toEqual(['after'])
    await log.close()
  })

  test('keeps what is not trimmed', async () => {
    const { log, read } = await open('trim')
    await log.append([record('a')])
    const { position } = log.place
    await log.append([record('b')])
    log.trim(position)
    await log.append([record('c')])
    expect((await read(3)).slice(1).map(({ text }) => text)).toEqual(['b', 'c'])
    await log.close()
  })

  test('takes no more once it is closed, and gives higher ids when it is opened again', async () => {
    const { log, read } = await open('close')
    const ids = await log.append([record('a'), record('b')])
    await log.close()
    await expect(log.append([record('late')])).rejects.toThrow()
    expect((await read(2)).map(({ text }) => text)).toEqual(['a', 'b'])
    const again = await open('close')
    const [next] = await again.log.append([record('c')])
    expect(next).toBeGreaterThan(Math.max(...ids))
    await again.log.close()
  })

  test('calls its follower before an append resolves', async () => {
    const { log } = await open('follow')
    const seen: LogPlace[] = []
    log.follow((place) => seen.push(place))
    const [id] = await log.append([record('a')])
    expect(seen.at(-1)?.id).toBe(id)
    expect(log.place.id).toBe(id)
    await log.close()
  })
})

describe('a lane to a shared log', () => {
  let seq = 0
  const origin = randomUUID()
  const keyed = (payload = 'x'): KeyedRecord => ({
    ...{ origin, seq: ++seq, day: Math.floor(Date.now() / DAY_MS), kind: 1, numbered: true },
    payload: Buffer.from(payload),
  })
  const known = keyed('known')
  const storedOf = (records: readonly KeyedRecord[]) =>
    world.primary.query(
      `SELECT place FROM acuse.record WHERE origin = '${origin}' AND seq IN (${records.map((one) => one.seq)}) ORDER BY place`,
    )
  const waiting = (event: string) =>
    until(
      () => world.primary.query(`SELECT pid FROM pg_stat_activity WHERE wait_event = '${event}'`),
      ([one]) => one !== undefined,
    ).then(([one]) => Number(one?.pid))

  test.each<
    [failure: string, said: string, stored: number, fail: (lane: Lane, own: KeyedRecord[]) => unknown]
  >([
    ['a record is there already', 'duplicate key', 0, (lane, own) => lane.store([...own, known], 9_000)],
    [
      'a record has no valid key',
      'not an integer',
      0,
      (lane, own) => lane.store([...own, { ...keyed(), seq: 0.5 }], 9_000),
    ],
    [
      'the connection is cut after the places are taken',
      'terminat',
      0,
      (lane, own) =>
        world.primary.withClient(async (client) => {
          await client.query('BEGIN; LOCK TABLE acuse.record IN ACCESS EXCLUSIVE MODE')
          const storing = lane.store(own, 9_000)
          storing.catch(() => {})
          await client.query(`SELECT pg_terminate_backend(${await waiting('relation')})`)
          await client.query('COMMIT')
          await storing
        }),
    ],
    [
      'the wait for the standby is cancelled',
      'single copy',
      2,
      async (lane, own) => {
        await world.standby.stop()
        const storing = lane.store(own, 9_000)
        storing.catch(() => {})
        const pid = await waiting('SyncRep')
        await world.primary.query(`SELECT pg_cancel_backend(${pid})`)
        await storing.finally(() => world.standby.start())
      },
    ],
  ])('fails when %s, and the next batch is stored', async (_, said, stored, fail) => {
    const lane = new Lane(world.url, 'lane')
    const own = [keyed('a'), keyed('b')]
    await lane.store([known], 9_000).catch(() => {})
    await expect(fail(lane, own)).rejects.toThrow(said)
    expect(await storedOf(own)).toHaveLength(stored)
    const next = Array.from({ length: 300 }, (_, n) => keyed('y'.repeat(n * 200)))
    const places = await lane.store(next, 60_000)
    expect((await storedOf(next)).map(({ place }) => BigInt(Number(place)))).toEqual(places)
    lane.close()
  })
})

describe('the tail of a shared log', () => {
  test('waits for an earlier place whose transaction is still open, and then has both in order', async () => {
    const begun = new Tail(world.url, 'test', 0)
    const { after } = await begun.begin('newest')
    begun.close()
    const tail = new Tail(world.url, 'test', after)
    const { log } = await shared('open')
    const insert = (place: number) =>
      `INSERT INTO acuse.record SELECT ${place}, current_date, gen_random_uuid(), 1, 1, 0, ''`
    await world.primary.withClient(async (client) => {
      await client.query('BEGIN')
      const { rows } = await client.query('SELECT acuse.take(1) AS place')
      const place = Number(rows[0]?.place)
      const [later] = await log.append([record('later')])
      expect(later).toBe(place + 1)
      for (let i = 0; i < 5; i++) expect(await tail.next(10)).toEqual([])
      await client.query(insert(place))
      await client.query('COMMIT')
      const found = await until(
        () => tail.next(10),
        (entries) => entries.length > 0,
      )
      expect(found.map((entry) => entry.place)).toEqual([place, later])
      tail.close()
      await log.close()
    })
  })

  test('marks a record whose bytes are not those that the receiver sent', async () => {
    const { log } = await shared('damage')
    const [id] = await log.append([record('as sent')])
    await world.primary.query(`UPDATE acuse.record SET payload = 'as sEnt' WHERE place = ${id}`)
    const tail = new Tail(world.url, 'test', Number(id) - 1)
    const found = await until(
      () => tail.next(10),
      (entries) => entries.length > 0,
    )
    expect(found).toMatchObject([{ place: id, whole: false }])
    tail.close()
    await log.close()
  })
})
