import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Disk } from '#log/disk.ts'
import { HEAD } from '#log/frame.ts'
import { SegmentLog } from '#log/log.ts'
import { LogReader, oldestIn } from '#log/reader.ts'
import { aLog, contentOf, lastFrame, NOTHING, readAll, record, SEGMENT, SMALL } from './logs.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

// First epochs so near that each log's epochs are valid in the others.
const logs = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  randomInt: () => 2 ** 38 - ++logs.count,
}))

test('says how much of an unfinished write it leaves behind', () => {
  const { disk, log } = aLog('kept')
  const [name = ''] = disk.list()
  const torn = new UnsyncedDisk()
  const before = disk.open(name).size() - 1
  log.append([record('x'.repeat(100))])
  const bytes = Buffer.alloc(before + HEAD + 50)
  disk.open(name).read(bytes, 0)
  torn.create(name).write(bytes, 0)
  const opened = new SegmentLog(torn, SMALL)
  expect(opened.tornBytes).toBe(HEAD + 50)
  expect(opened.append([record('instead')])).toEqual([2])
  expect(readAll(torn, 2).texts).toEqual(['kept', 'instead'])
})

test.each([
  ['was cut in the middle of a record', 0, (_: Buffer, from: number) => from + HEAD + 1, 0, 2],
  ['was cut between two records', 0, (_: Buffer, from: number) => from, 0, 2],
  ['was emptied', 0, () => 0, 0, 1],
  ['was emptied, behind another', SEGMENT / 2, () => 0, 0, 2],
  ['lacks what is in the database', 0, (whole: Buffer, from: number) => whole.fill(0, from).length, 2, 3],
] as const)('assigns no id again and says which, when the file %s', (_, padding, cutTo, filed, from) => {
  const { disk } = aLog(...['kept', 'cut'].map((text) => text.padEnd(padding)))
  const [name, at] = lastFrame(disk, 2)
  const whole = contentOf(disk, name)
  const left = whole.subarray(0, cutTo(whole, at))
  Object.assign(disk.files.get(name) ?? {}, { seen: left })
  const floor = { position: filed, id: filed }
  const log = new SegmentLog(disk, { ...SMALL, floor, promised: 50 })
  expect(log.cut).toEqual({ from, to: 50 })
  // After an orderly end, the promise names the last id, so that nothing is missing.
  expect(new SegmentLog(disk, { ...SMALL, floor, promised: from - 1 }).cut).toBeUndefined()
  expect(log.append([record('new')])).toEqual([51])
  expect(readAll(disk, log.place.position, filed).texts.at(-1)).toBe('new')
})

test('takes no kill in the middle of a write for a cut', () => {
  const { disk, log } = aLog('kept')
  disk.fault = 'write'
  expect(() => log.append([record('refused'.repeat(99))])).toThrow()
  const next = new SegmentLog(disk, { ...SMALL, promised: 50 })
  expect([next.cut, next.append([record('new')])]).toEqual([undefined, [2]])
})

test.each([
  ['behind another', ['one', 'last']],
  ['alone in the log', ['last']],
  ['alone in a segment that is used again', Array.from({ length: 10 }, () => 'last'.padStart(1_000))],
])('tells of the last record %s, whichever of its bytes has changed', (_, texts) => {
  const { disk, log } = aLog()
  for (const text of texts) {
    log.append([record(text)])
    log.trim(log.place.position - 1)
  }
  const [name = '', from = 0] = lastFrame(disk, texts.length)
  const length = HEAD + (texts.at(-1)?.length ?? 0)
  const silent: number[] = []
  for (let at = from; at < from + length; at++) {
    const damaged = disk.cut(() => true)
    damaged.open(name).write(Buffer.from([(contentOf(disk, name)[at] ?? 0) ^ 0x10]), at)
    const floor = { position: texts.length - 1, id: texts.length - 1 }
    if (new SegmentLog(damaged, { ...SMALL, floor }).tornBytes === 0) silent.push(at - from)
  }
  expect(silent).toEqual([])
})

test('says nothing of a damaged last record that is filed', () => {
  const { disk } = aLog('one', 'two')
  const [name = ''] = disk.list()
  disk.open(name).write(Buffer.from('x'), contentOf(disk, name).indexOf('two'))
  const log = new SegmentLog(disk, { ...SMALL, floor: { position: 2, id: 2 } })
  expect([log.tornBytes, log.append([record('three')])]).toEqual([0, [3]])
})

test('takes nothing of a payload for a record, where the record around it is damaged', () => {
  const other = new UnsyncedDisk()
  const forger = new SegmentLog(other, { floor: { position: 1, id: 1 } })
  forger.append([record('forged')])
  const [forgedName = ''] = other.list()
  const forged = Buffer.alloc(200)
  const length = other.open(forgedName).read(forged, 0)
  const { disk, log } = aLog('one')
  log.append([record(forged.subarray(0, length))])
  log.append([record('three')])
  log.append([record('four')])
  const [name = ''] = disk.list()
  const at = HEAD + 3
  disk.open(name).write(Buffer.from([0xff]), at)
  expect(readAll(disk, 4)).toMatchObject({
    texts: ['one', 'three', 'four'],
    gaps: [{ from: 2, to: 2, answered: true }],
  })
})

test('reads on behind a damaged record of the last append, and does not say that its sender was answered', () => {
  const disk = new UnsyncedDisk()
  new SegmentLog(disk, SMALL).append(['one', 'two', 'three', 'four', 'five'].map((text) => record(text)))
  disk.open(disk.list()[0] ?? '').write(Buffer.from('x'), 3 * HEAD + 'onetwo'.length)
  const log = new SegmentLog(disk, SMALL)
  const rest = { texts: ['one', 'two', 'four', 'five'], gaps: [{ from: 3, to: 3, answered: false }] }
  expect(readAll(disk, log.place.position)).toMatchObject(rest)
  expect(log.append([record('six')])).toEqual([6])
  log.append([record('seven')])
  expect(readAll(disk, 7).gaps).toEqual(rest.gaps)
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

test('loses no record that an append confirmed, and doubles none, whatever a power cut leaves of the rest', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.infiniteStream(fc.boolean()), async (steps, keeps) => {
      let disk = new UnsyncedDisk()
      let floor = NOTHING
      let log = new SegmentLog(disk, { floor, segmentBytes: SEGMENT })
      const confirmed = new Map<number, string>()
      let filed = 0
      const compare = () => {
        const { frames, gaps } = readAll(disk, log.place.position, filed)
        expect(frames.map(({ id, payload }) => [id, payload.toString()])).toEqual(
          [...confirmed].filter(([id]) => id > floor.id),
        )
        // No gap contains a confirmed delivery, so a power cut never looks like damage.
        expect(gaps.filter(({ answered }) => answered)).toEqual([])
        const missing = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)
        expect(frames.length + missing).toBe(log.place.position - filed)
      }
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
        if (prepare) await log.prepare()
        if (cut > 0 && trim) {
          compare()
          filed = log.place.position
          floor = log.place
          log.trim(filed)
        }
        if (cut === 1) {
          disk = disk.cut(() => keeps.next().value ?? false)
          log = new SegmentLog(disk, { floor, segmentBytes: SEGMENT })
          // Unconfirmed records may survive and count like others.
          for (const { id, payload } of readAll(disk, log.place.position, filed).frames)
            if (!confirmed.has(id)) confirmed.set(id, payload.toString())
          compare()
        }
      }
      compare()
    }),
    { numRuns: process.env.ACUSE_TEST_DEPTH === 'full' ? 1000 : 150 },
  )
})

/** A disk with a concurrent thread: `meanwhile` runs before each step. */
function beside(disk: Disk, meanwhile: () => void): Disk {
  const late = <A extends unknown[], R>(work: (...args: A) => R) => {
    return (...args: A) => {
      meanwhile()
      return work(...args)
    }
  }
  const list = late(() => disk.list())
  const open = late((name: string) => {
    const file = disk.open(name)
    return { ...file, read: late(file.read), size: late(file.size) }
  })
  return { ...disk, list, open }
}

test.each([
  ['small', SEGMENT, 900, 30, 200],
  ['larger than what is read at once', 3 * 1024 * 1024, 1_200_000, 5, 20],
])(
  'readers beside the writer, in %s segments, get every record once and call none damaged',
  (_, segmentBytes, longest, fewest, runs) => {
    const step = fc.constantFrom('append', 'append', 'append', 'trim', 'refused', 'full', 'prepare', 'reopen')
    const size = fc.integer({ min: 0, max: longest })
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), step, size), {
      minLength: fewest,
      maxLength: 60,
    })
    const property = fc.property(steps, fc.option(size), (script, same) => {
      const disk = new UnsyncedDisk()
      const open = () => new SegmentLog(disk, { ...SMALL, segmentBytes })
      let log = open()
      const told = new Map<number, string>()
      let filed = 0
      const append = (length: number) => {
        const { position } = log.place
        const texts = ['a', 'b'].map((name) => `${name}${position} `.padEnd(same ?? length, 'x'))
        log.append(texts.map((text) => record(text)))
        for (const [index, text] of texts.entries()) told.set(position + 1 + index, text)
      }
      let at = 0
      let wait = 0
      const meanwhile = () => {
        while (at < script.length && wait-- <= 0) {
          const [pause, what, length] = script[at++] ?? [0, 'trim', 0]
          wait = pause
          if (what === 'append') append(length)
          else if (what === 'trim') log.trim(filed)
          else if (what === 'prepare') void log.prepare()
          else if (what === 'reopen') log = open()
          else {
            disk.fault = what === 'full' || length % 2 ? 'write' : 'sync'
            disk.code = what === 'full' ? 'ENOSPC' : 'EIO'
            expect(() => append(length)).toThrow('the disk refused')
          }
        }
      }
      const own = beside(disk, meanwhile)
      const filing = new LogReader(own, 0)
      const proving = new LogReader(own, 0)
      let proved = 0
      const read = (reader: LogReader, after: number) => {
        const { entries: frames, gaps, position } = reader.next(log.place.position, segmentBytes / 4)
        for (const frame of frames)
          expect(frame.payload.equals(Buffer.from(told.get(frame.position) ?? frame.payload))).toBe(true)
        expect(new Set(frames.map((frame) => frame.position)).size).toBe(frames.length)
        return { gaps, count: frames.length, position, whole: position - after }
      }
      while (at < script.length || filed < log.place.position) {
        meanwhile()
        const { gaps, count, position, whole } = read(filing, filed)
        expect([gaps, count]).toEqual([[], whole])
        filed = position
        const { gaps: missing, position: to } = read(proving, proved)
        proved = to
        const oldest = oldestIn(disk) ?? filed + 1
        expect(missing.filter((gap) => gap.to >= oldest)).toEqual([])
      }
    })
    fc.assert(property, { numRuns: process.env.ACUSE_TEST_DEPTH === 'full' ? runs : runs / 10 })
  },
)

test('names each record in which a bit has flipped, and gives all others', () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${index} ${'w'.repeat(index * 17)}`)
  const { disk } = aLog(...texts)
  // Spare the last record, since a flip there looks like a torn write.
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
    file.write(Buffer.from([(byte[0] ?? 0) ^ 0x10]), at)
    const { texts: left, gaps, frames } = readAll(damagedDisk, 40)
    const lost = new Set(
      gaps.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i)),
    )
    expect(lost.size).toBeLessThanOrEqual(1)
    expect(left).toEqual(texts.filter((_, index) => !lost.has(index + 1)))
    expect(frames.length + lost.size).toBe(40)
    named += lost.size
  }
  expect(named).toBeGreaterThan(places.length / 2)
})
