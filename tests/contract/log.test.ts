import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Log, LogPlace, LogRecord } from '#core/ports.ts'
import { LogThread } from '#log/log-thread.ts'
import { logIn } from '#log/reader.ts'
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
    unfinished() {},
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
