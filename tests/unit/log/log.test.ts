import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderOf } from '#log/disk.ts'
import { HEAD, LONGEST } from '#log/frame.ts'
import { SegmentLog } from '#log/log.ts'
import { logIn } from '#log/reader.ts'
import { nameOf } from '#log/segment.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { aLog, NOTHING, readAll, record, SEGMENT, SMALL } from './logs.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

// First epochs so near that each log's epochs are valid in the others.
const logs = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (original) => ({
  ...(await original<typeof import('node:crypto')>()),
  randomInt: () => 2 ** 38 - ++logs.count,
}))

test('gives ids without gaps to the numbered records only', () => {
  const { log } = aLog()
  expect(log.append([record('a'), record('piece', false), record('b')])).toEqual([1, 2])
  expect(log.append([record('c')])).toEqual([3])
  expect(log.place).toEqual({ position: 4, id: 3 })
})

test('keeps records over a restart in private files of the real disk, and goes on behind them', () => {
  const folder = join(tempFolder(), 'log')
  const disk = folderOf(folder)
  const first = new SegmentLog(disk, SMALL)
  const long = 'x'.repeat(3000)
  // More buffers than one system call takes.
  first.append(Array.from({ length: 1500 }, (_, index) => record(`${index}`)))
  for (let i = 0; i < 5; i++) first.append([record(`${i}${long}`)])
  first.close()

  const second = new SegmentLog(disk, SMALL)
  expect(second.append([record('after')])).toEqual([1506])
  expect(second.tornBytes).toBe(0)
  second.close()

  const { texts, gaps } = readAll(disk, 1506)
  expect(texts).toEqual([
    ...Array.from({ length: 1500 }, (_, index) => `${index}`),
    ...Array.from({ length: 5 }, (_, i) => `${i}${long}`),
    'after',
  ])
  expect(gaps).toEqual([])
  for (const name of disk.list()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test('reads segments that the system lets no program write', async () => {
  const folder = tempFolder()
  const path = join(folder, nameOf(1, 1))
  copyFileSync('/bin/sleep', path)
  chmodSync(path, 0o700)
  // The file of a running program cannot be written, not even by root.
  const program = spawn(path, ['60'])
  await once(program, 'spawn')
  expect(() => folderOf(folder).open(nameOf(1, 1))).toThrow('ETXTBSY')
  expect(logIn(folder).oldest()).toBeUndefined()
  program.kill()
})

test('begins its segment anew where all is elsewhere, and takes nothing older for new', () => {
  const { disk, log } = aLog('a', 'b', 'c')
  log.restart()
  expect(new SegmentLog(disk, SMALL).place).toEqual({ position: 3, id: 3 })
  log.append([record('d')])
  expect(new SegmentLog(disk, SMALL).place).toEqual({ position: 4, id: 4 })
  expect(readAll(disk, 4, 3)).toMatchObject({ texts: ['d'], gaps: [] })
})

test('refuses a record that no reader would take', () => {
  const log = new SegmentLog(new UnsyncedDisk(), { floor: NOTHING })
  expect(() => log.append([record(Buffer.alloc(LONGEST + 1))])).toThrow(RangeError)
  expect(log.append([record('next')])).toEqual([1])
})

test('uses trimmed segments again and never takes their old records for new ones', () => {
  const { disk, log } = aLog()
  for (let i = 1; i <= 200; i++) {
    log.append([record(`${i} ${'x'.repeat(i * 3)}`)])
    if (i % 10 === 0) log.trim(i - 5)
  }
  expect(disk.list().length).toBeLessThanOrEqual(4)
  const texts = readAll(disk, 200, 195).texts.map((text) => text.split(' ')[0])
  expect(texts).toEqual(Array.from({ length: 5 }, (_, i) => `${196 + i}`))
  const again = new SegmentLog(disk, SMALL)
  expect(again.place).toEqual({ position: 200, id: 200 })
  // A burst uses more segments; afterwards the present one and a spare remain.
  for (let i = 0; i < 40; i++) again.append([record('x'.repeat(900))])
  expect(disk.list().length).toBeGreaterThan(10)
  again.trim(240)
  expect(disk.list()).toHaveLength(2)
})

test('allocates ahead, and goes on there when its own room is used up', async () => {
  const { disk, log } = aLog('first')
  while (await log.prepare());
  const sizes = () => disk.list().map((name) => disk.open(name).size())
  for (let i = 0; i < 5; i++) log.append([record('y'.repeat(1000))])
  expect(sizes()).toEqual([HEAD + 5 + 2 * (HEAD + 1000) + 1, SEGMENT])
  expect(readAll(disk, 6).texts).toHaveLength(6)
})

test.each([
  ['write fails leaves its segment', { fault: 'write' }],
  ['sync fails leaves its segment', { fault: 'sync' }],
  ['write meets a full disk goes on in the same segment', { fault: 'write', code: 'ENOSPC' }],
] as const)('an append whose %s, and nothing of it counts', (_, failing) => {
  const { disk, log } = aLog('kept')
  const [refused] = disk.list()
  Object.assign(disk, failing)
  const lost = [record('lost'), record('lost too'), record('x'.repeat(500))]
  expect(() => log.append(lost)).toThrow('the disk refused')
  expect(log.append([record('next')])).toEqual([2])
  const leaves = !('code' in failing)
  expect(disk.list()).toHaveLength(leaves ? 2 : 1)
  expect(readAll(disk, 2).texts).toEqual(['kept', 'next'])
  expect(new SegmentLog(disk, SMALL).place).toEqual({ position: 2, id: 2 })
  log.trim(2)
  expect(disk.list().includes(refused ?? '')).toBe(!leaves)
})

test('makes its folder again when another program has removed it, but not the data folder', () => {
  const data = join(tempFolder(), 'data')
  const disk = folderOf(join(data, 'log'))
  const log = new SegmentLog(disk, SMALL)
  log.append([record('a')])
  rmSync(join(data, 'log'), { recursive: true })
  expect(log.append([record('b')])).toEqual([2])
  expect(readAll(disk, 2)).toMatchObject({ texts: ['a', 'b'], gaps: [] })
  rmSync(data, { recursive: true })
  expect(() => log.append([record('refused')])).toThrow('ENOENT')
  mkdirSync(data)
  expect(log.append([record('c')])).toEqual([3])
  expect(readAll(disk, 3)).toMatchObject({ texts: ['a', 'b', 'c'], gaps: [] })
})

test('gives a segment that another program removed its name and its records again', () => {
  const { disk, log } = aLog('a')
  disk.remove(disk.list()[0] ?? '')
  disk.fault = 'create'
  expect(() => log.append([record('refused')])).toThrow('the disk refused')
  expect(log.append([record('b')])).toEqual([2])
  expect(readAll(disk, 2)).toMatchObject({ texts: ['a', 'b'], gaps: [] })
  // The log no longer uses a missing spare.
  for (let i = 0; i < 5; i++) log.append([record('x'.repeat(1_500))])
  log.trim(4)
  disk.remove(disk.list()[0] ?? '')
  for (let i = 0; i < 5; i++) log.append([record('x'.repeat(1_500))])
  expect(log.place.position).toBe(12)
})

test('gives all removed segments their records again, also ended ones, and never the name of one of them', () => {
  const { disk, log } = aLog()
  const append = (n: number) => log.append([record(`${n}`.padEnd(1_500))])
  for (let n = 1; n <= 6; n++) append(n)
  // The oldest becomes the spare, which the log opens again by its name.
  log.trim(2)
  for (const name of disk.list()) disk.remove(name)
  for (let n = 7; n <= 12; n++) append(n)
  const { texts, gaps } = readAll(disk, 12, 2)
  expect([texts.map(Number), gaps]).toEqual([[3, 4, 5, 6, 7, 8, 9, 10, 11, 12], []])
})

test('removes a new segment of which nothing reached the disk', () => {
  const { disk, log } = aLog()
  for (let i = 0; i < 5; i++) {
    disk.fault = 'sync'
    expect(() => log.append([record('lost')])).toThrow()
  }
  expect(disk.list()).toEqual([])
  expect(log.append([record('kept')])).toEqual([1])
})

test('never gives a position or an id again that the database has seen, even without its segments', () => {
  const { disk } = aLog('old')
  const log = new SegmentLog(disk, { ...SMALL, floor: { position: 500, id: 300 } })
  expect(log.append([record('new')])).toEqual([301])
  expect(readAll(disk, 501, 500).texts).toEqual(['new'])
})
