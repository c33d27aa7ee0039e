import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { type Disk, folderOf } from '#log/disk.ts'
import { HEAD, LONGEST } from '#log/frame.ts'
import { type NewRecord, SegmentLog } from '#log/log.ts'
import { LogReader } from '#log/reader.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

const NOTHING = { position: 0, id: 0 }
const SEGMENT = 4096
const SMALL = { floor: NOTHING, segmentBytes: SEGMENT }
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const record = (text: string, numbered = true): NewRecord => ({
  kind: numbered ? 1 : 2,
  numbered,
  bytes: Buffer.from(text),
})

function readAll(disk: Disk, upTo: number, after = 0) {
  const reader = new LogReader(disk, after)
  const frames = []
  const damaged = []
  for (let position = after; position < upTo; ) {
    const slice = reader.next(upTo, 1000)
    frames.push(...slice.frames)
    damaged.push(...slice.damaged)
    position = slice.position
  }
  reader.close()
  return { frames, damaged, texts: frames.map(({ payload }) => payload.toString()) }
}

test('gives ids without gaps to the numbered records only', () => {
  const log = new SegmentLog(new UnsyncedDisk(), SMALL)
  expect(log.append([record('a'), record('piece', false), record('b')])).toEqual([1, 2])
  expect(log.append([record('c')])).toEqual([3])
  expect(log.place).toEqual({ position: 4, id: 3 })
})

test('keeps records over a restart in private files of the real disk, and goes on behind them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-log-'))
  folders.push(folder)
  const disk = folderOf(join(folder, 'log'))
  const first = new SegmentLog(disk, SMALL)
  const long = 'x'.repeat(3000)
  // More buffers than the system takes at once.
  first.append(Array.from({ length: 1500 }, (_, index) => record(`${index}`)))
  for (let i = 0; i < 5; i++) first.append([record(`${i}${long}`)])
  first.close()

  const second = new SegmentLog(disk, SMALL)
  expect(second.append([record('after')])).toEqual([1506])
  expect(second.tornBytes).toBe(0)
  second.close()

  const { texts, damaged } = readAll(disk, 1506)
  expect(texts).toEqual([
    ...Array.from({ length: 1500 }, (_, index) => `${index}`),
    ...Array.from({ length: 5 }, (_, i) => `${i}${long}`),
    'after',
  ])
  expect(damaged).toEqual([])
  for (const name of disk.list()) expect(statSync(join(folder, 'log', name)).mode & 0o777).toBe(0o600)
})

test('refuses a record that no reader would take', () => {
  const log = new SegmentLog(new UnsyncedDisk(), { floor: NOTHING })
  expect(() => log.append([{ ...record(''), bytes: Buffer.alloc(LONGEST + 1) }])).toThrow(RangeError)
  expect(log.append([record('next')])).toEqual([1])
})

test('uses trimmed segments again and never takes their old records for new ones', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  for (let i = 1; i <= 200; i++) {
    log.append([record(`${i} ${'x'.repeat(i * 3)}`)])
    if (i % 10 === 0) log.trim(i - 5)
  }
  expect(disk.list().length).toBeLessThanOrEqual(4)
  const texts = readAll(disk, 200, 195).texts.map((text) => text.split(' ')[0])
  expect(texts).toEqual(Array.from({ length: 5 }, (_, i) => `${196 + i}`))
  const again = new SegmentLog(disk, SMALL)
  expect(again.place).toEqual({ position: 200, id: 200 })
})

test('allocates ahead while nothing is appended, and writes into what it allocated', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  log.append([record('first')])
  while (log.prepare());
  const sizes = () => disk.list().map((name) => disk.open(name).size())
  expect(sizes()).toEqual([SEGMENT, SEGMENT])
  for (let i = 0; i < 6; i++) log.append([record('y'.repeat(1000))])
  expect(sizes()).toEqual([SEGMENT, SEGMENT])
  expect(readAll(disk, 7).texts).toHaveLength(7)
})

test.each(['write', 'sync'] as const)(
  'counts nothing of an append whose %s failed, and leaves its segment',
  (fault) => {
    const disk = new UnsyncedDisk()
    const log = new SegmentLog(disk, SMALL)
    log.append([record('kept')])
    const [refused] = disk.list()
    disk.fault = fault
    expect(() => log.append([record('lost'), record('lost too')])).toThrow('the disk refused')
    expect(log.append([record('next')])).toEqual([2])
    expect(disk.list()).toHaveLength(2)
    expect(readAll(disk, 2).texts).toEqual(['kept', 'next'])
    expect(new SegmentLog(disk, SMALL).place).toEqual({ position: 2, id: 2 })
    log.trim(2)
    expect(disk.list()).not.toContain(refused)
  },
)

test('a reader follows into new segments, and takes no refused record for the one that has its position', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  const reader = new LogReader(disk, 0)
  const read: string[] = []
  for (let i = 1; i <= 40; i++) {
    if (i % 7 === 0) {
      disk.fault = 'sync'
      expect(() => log.append([record(`refused ${i}`)])).toThrow()
    }
    log.append([record(`${i} ${'x'.repeat(i * 20)}`)])
    const { frames, damaged } = reader.next(i, 1000)
    expect(damaged).toEqual([])
    read.push(...frames.map(({ payload }) => payload.toString().split(' ')[0] ?? ''))
    if (i % 5 === 0) log.trim(i - 2)
  }
  expect(read).toEqual(Array.from({ length: 40 }, (_, i) => `${i + 1}`))
})

test('goes on in the same segment after a write that a full disk refused, without what it left', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  log.append([record('kept')])
  disk.code = 'ENOSPC'
  disk.fault = 'write'
  expect(() => log.append([record('lost'), record('gone'), record('x'.repeat(500))])).toThrow(
    'the disk refused',
  )
  expect(log.append([record('next')])).toEqual([2])
  expect(disk.list()).toHaveLength(1)
  expect(readAll(disk, 2).texts).toEqual(['kept', 'next'])
  expect(new SegmentLog(disk, SMALL).place).toEqual({ position: 2, id: 2 })
})

test('gives a segment that another program removed its name and its records again', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  log.append([record('a')])
  disk.remove(disk.list()[0] ?? '')
  disk.fault = 'create'
  expect(() => log.append([record('refused')])).toThrow('the disk refused')
  expect(log.append([record('b')])).toEqual([2])
  expect(readAll(disk, 2)).toMatchObject({ texts: ['a', 'b'], damaged: [] })
})

test('removes a new segment of which nothing reached the disk', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  for (let i = 0; i < 5; i++) {
    disk.fault = 'sync'
    expect(() => log.append([record('lost')])).toThrow()
  }
  expect(disk.list()).toEqual([])
  expect(log.append([record('kept')])).toEqual([1])
})

test('never gives a position or an id again that the database has seen, even without its segments', () => {
  const disk = new UnsyncedDisk()
  new SegmentLog(disk, SMALL).append([record('old')])
  const log = new SegmentLog(disk, { ...SMALL, floor: { position: 500, id: 300 } })
  expect(log.append([record('new')])).toEqual([301])
  expect(readAll(disk, 501, 500).texts).toEqual(['new'])
})

test('says how much of an unfinished write it leaves behind', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  log.append([record('kept')])
  const [name = ''] = disk.list()
  const torn = new UnsyncedDisk()
  const before = disk.open(name).size()
  log.append([record('x'.repeat(100))])
  const bytes = Buffer.alloc(before + HEAD + 50)
  disk.open(name).read(bytes, 0)
  torn.create(name).write([bytes], 0)
  const opened = new SegmentLog(torn, SMALL)
  expect(opened.tornBytes).toBe(HEAD + 50)
  expect(opened.append([record('instead')])).toEqual([2])
  expect(readAll(torn, 2).texts).toEqual(['kept', 'instead'])
})

test('takes nothing of a payload for a record, where the record around it is damaged', () => {
  const disk = new UnsyncedDisk()
  const other = new UnsyncedDisk()
  const forger = new SegmentLog(other, { floor: { position: 1, id: 1 } })
  forger.append([record('forged')])
  const [forgedName = ''] = other.list()
  const forged = Buffer.alloc(200)
  const length = other.open(forgedName).read(forged, 0)
  const log = new SegmentLog(disk, { floor: NOTHING })
  log.append([record('one')])
  log.append([{ ...record(''), bytes: forged.subarray(0, length) }])
  log.append([record('three')])
  log.append([record('four')])
  const [name = ''] = disk.list()
  const at = HEAD + 3
  disk.open(name).write([Buffer.from([0xff])], at)
  expect(readAll(disk, 4)).toMatchObject({ texts: ['one', 'three', 'four'], damaged: [[2, 2]] })
})

const batches = fc.array(
  fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 1500 }), { minLength: 1, maxLength: 4 }),
    fault: fc.constantFrom<'write' | 'sync' | null>(null, null, null, null, 'write', 'sync'),
    trim: fc.boolean(),
    prepare: fc.boolean(),
    cut: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 1, maxLength: 25 },
)

test('loses no record that an append confirmed, and doubles none, whatever a power cut leaves of the rest', () => {
  fc.assert(
    fc.property(batches, fc.infiniteStream(fc.boolean()), (steps, keeps) => {
      let disk = new UnsyncedDisk()
      let floor = NOTHING
      let log = new SegmentLog(disk, { floor, segmentBytes: SEGMENT })
      const confirmed = new Map<number, string>()
      let filed = 0
      for (const [number, { sizes, fault, trim, prepare, cut }] of steps.entries()) {
        const texts = sizes.map((size, index) => `${number}.${index} ${'z'.repeat(size)}`)
        disk.fault = fault
        try {
          const ids = log.append(texts.map((text) => record(text)))
          for (const [index, id] of ids.entries()) {
            expect(confirmed.has(id)).toBe(false)
            confirmed.set(id, texts[index] ?? '')
          }
        } catch (error) {
          expect(String(error)).toContain('the disk refused')
        }
        disk.fault = null
        if (prepare) log.prepare()
        if (cut > 0 && trim) {
          const { frames } = readAll(disk, log.place.position, filed)
          for (const { id, payload } of frames)
            if (confirmed.has(id)) expect(payload.toString()).toBe(confirmed.get(id))
          filed = log.place.position
          floor = log.place
          log.trim(filed)
        }
        if (cut === 1) {
          disk = disk.cut(() => keeps.next().value ?? false)
          log = new SegmentLog(disk, { floor, segmentBytes: SEGMENT })
          // What no sender was told of may have survived: it takes part like the rest.
          for (const { id, payload } of readAll(disk, log.place.position, filed).frames) {
            expect(payload.toString()).toBe(confirmed.get(id) ?? payload.toString())
            confirmed.set(id, payload.toString())
          }
        }
      }
      const { frames, damaged } = readAll(disk, log.place.position, filed)
      expect(damaged).toEqual([])
      expect(new Map(frames.map(({ id, payload }) => [id, payload.toString()]))).toEqual(
        new Map([...confirmed].filter(([id]) => id > (frames[0]?.id ?? Number.POSITIVE_INFINITY) - 1)),
      )
      expect(frames.length).toBe(log.place.position - filed)
    }),
    { numRuns: process.env.ACUSE_TEST_DEPTH === 'full' ? 1000 : 150 },
  )
})

test('names each record in which a bit has flipped, and gives all others', () => {
  const disk = new UnsyncedDisk()
  const log = new SegmentLog(disk, SMALL)
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'w'.repeat(index * 17)}`)
  for (const text of texts) log.append([record(text)])
  // The last record of the log stays whole: a flip there cannot be told from a torn write.
  const places = disk.list().flatMap((name) => {
    const size = disk.open(name).size()
    return Array.from({ length: 100 }, (_, i) => ({ name, at: Math.floor((i * size) / 100) }))
  })
  let named = 0
  for (const { name, at } of places) {
    const damagedDisk = disk.cut(() => true)
    const file = damagedDisk.open(name)
    const byte = Buffer.alloc(1)
    file.read(byte, at)
    file.write([Buffer.from([(byte[0] ?? 0) ^ 0x10])], at)
    const { texts: left, damaged, frames } = readAll(damagedDisk, 40)
    const lost = new Set(
      damaged.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
    )
    expect(lost.size).toBeLessThanOrEqual(1)
    expect(left).toEqual(texts.filter((_, index) => !lost.has(index + 1)))
    expect(frames.length + lost.size).toBe(40)
    named += lost.size
  }
  expect(named).toBeGreaterThan(places.length / 2)
})
