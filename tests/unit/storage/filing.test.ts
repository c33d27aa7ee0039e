import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { LogRecord, NewDelivery } from '#core/ports.ts'
import { moveOldJournals } from '#storage/facade/old-journals.ts'
import { deliveryRecord, KIND, pieceRecord, rawRecord } from '#storage/wire/record.ts'
import { enterState, extendTo } from '#storage/writer/coverage.ts'
import { trash } from '#storage/writer/deleting.ts'
import { FilingWriter } from '../../support/filing-writer.ts'
import { aDelivery } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Makes captured.db refuse every write, as another program's long transaction does. */
function lock(folder: string): DatabaseSync {
  const db = new DatabaseSync(join(folder, 'captured.db'))
  db.exec('BEGIN IMMEDIATE')
  return db
}

function bodies(folder: string): string[] {
  using db = new DatabaseSync(join(folder, 'captured.db'), { readOnly: true })
  return db
    .prepare('SELECT CAST(body AS TEXT) AS body FROM payload ORDER BY delivery_id')
    .all()
    .map(({ body }) => String(body))
}

/** The process ends without another word: its connections close, and nothing else happens. */
function kill({ writer, log }: FilingWriter): void {
  writer.captured.db.close()
  log.close()
}

test('deliveries wait in the log while the database is locked, and are filed in order when it is free', () => {
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  filing.deliver('before')
  const held = lock(folder)
  expect(filing.deliver('one')).toEqual([2])
  expect(filing.deliver('two', 'three')).toEqual([3, 4])
  filing.append(pieceRecord({ upload: 'upload-1', seq: 0, bytes: Buffer.from('piece') }))
  expect(filing.writer.status()).toMatchObject({ state: 'behind', highestId: 1, lost: null })
  filing.recover()
  expect(filing.writer.status().state).toBe('behind')
  held.close()
  filing.recover()
  expect(filing.writer.status()).toMatchObject({ state: 'ok', highestId: 4, stored: 4, reason: null })
  expect(filing.deliver('after')).toEqual([5])
  filing.close()
  expect(bodies(folder)).toEqual(['before', 'one', 'two', 'three', 'after'])
})

test('what a crash left in the log is filed at the next start, each delivery once', () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  first.deliver('a', 'b')
  const held = lock(folder)
  first.deliver('c', 'd')
  held.close()
  kill(first)
  const second = new FilingWriter(folder)
  expect(second.writer.status()).toMatchObject({ state: 'ok', stored: 4, highestId: 4 })
  kill(second)
  new FilingWriter(folder).close()
  expect(bodies(folder)).toEqual(['a', 'b', 'c', 'd'])
})

test.each([
  ['missing', (path: string) => rmSync(path)],
  ['damaged', (path: string) => writeFileSync(path, 'no database')],
])('a database that is %s at the start is followed by one with all that was not filed in it', (_, harm) => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  first.deliver('a', 'b')
  first.close()
  const second = new FilingWriter(folder)
  const held = lock(folder)
  second.deliver('c')
  held.close()
  kill(second)
  harm(join(folder, 'captured.db'))
  const third = new FilingWriter(folder)
  expect(third.deliver('d')).toEqual([4])
  third.close()
  expect(bodies(folder)).toEqual(['c', 'd'])
})

test('no delivery that a user deleted comes back from the log with a fresh database after a crash', async () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  first.deliver('a', 'b')
  await trash(first.writer, { ids: [2], filter: null, sparePinned: true, at: 1 })
  first.deliver('c')
  kill(first)
  writeFileSync(join(folder, 'captured.db'), 'no database')
  new FilingWriter(folder).close()
  expect(bodies(folder)).toEqual(['c'])
})

test('behind a fresh database nothing waits that was filed in the one before', () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  first.deliver('a', 'b')
  first.close()
  writeFileSync(join(folder, 'captured.db'), 'no database')
  const second = new FilingWriter(folder)
  expect(second.writer.status()).toMatchObject({ state: 'ok', stored: 0, highestId: 2 })
  second.close()
})

test('a log that is gone costs no filed delivery, and no id is given out again', () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  first.deliver('a', 'b')
  first.close()
  rmSync(join(folder, 'log'), { recursive: true })
  const second = new FilingWriter(folder)
  expect(second.deliver('c')).toEqual([3])
  second.close()
  expect(bodies(folder)).toEqual(['a', 'b', 'c'])
})

test('how long answers took is kept, whether they come before their delivery is filed or after', () => {
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  const { writer } = filing
  filing.deliver('a')
  writer.corrections.lasted([1, 11, 2, 22, 3, 33])
  const held = lock(folder)
  filing.deliver('b')
  held.close()
  filing.recover()
  filing.deliver('c')
  writer.idle()
  const rows = writer.captured.db.prepare('SELECT took_us FROM delivery ORDER BY id').all()
  expect(rows.map((row) => row.took_us)).toEqual([11, 22, 33])
  filing.close()
})

test('a segment is free for reuse only once all of it is in the database, and synced', () => {
  const folder = tempFolder()
  const told: unknown[][] = []
  const filing = new FilingWriter(folder, told)
  filing.deliver('x'.repeat(2_000_000))
  expect(told.some(([name]) => name === 'kept')).toBe(false)
  filing.writer.idle()
  expect(told).toContainEqual(['kept', [1]])
  filing.close()
})

test('a damaged record of the log is told, and costs no other one', () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  const held = lock(folder)
  for (const body of ['a', 'b b b b', 'c']) first.deliver(body)
  held.close()
  kill(first)
  const [segment = ''] = readdirSync(join(folder, 'log'))
  const path = join(folder, 'log', segment)
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('b b b b')] = 0
  writeFileSync(path, bytes)
  const told: unknown[][] = []
  new FilingWriter(folder, told).close()
  expect(bodies(folder)).toEqual(['a', 'c'])
  expect(told).toContainEqual(['logProblem', [{ kind: 'damaged', from: 2, to: 2 }]])
})

/** Stretches of when the receiver was listening, as the database has them. */
function stretches(folder: string): unknown[] {
  using db = new DatabaseSync(join(folder, 'captured.db'), { readOnly: true })
  return db
    .prepare('SELECT state, from_ms, to_ms FROM coverage ORDER BY id')
    .all()
    .map((row) => [row.state, row.from_ms, row.to_ms])
}

test.each([
  [
    'shows that it was listening until it came',
    ['listening', 1_000, 6_000],
    ['listening', 1_000, 9_001],
    ['off', 9_001, 20_000],
  ],
  [
    'leaves the record alone outside of every absence',
    ['port-lost', 1_000, 6_000],
    ['port-lost', 1_000, 6_000],
    ['off', 6_000, 20_000],
  ],
] as const)(
  'a delivery that a crash left unfiled %s (ports: Coverage)',
  (_, [state, from, to], ...wanted) => {
    const folder = tempFolder()
    const first = new FilingWriter(folder)
    enterState(first.writer.captured.statements, state, from)
    extendTo(first.writer.captured.statements, to)
    const held = lock(folder)
    for (const change of [
      { receivedAt: 8_000_001 },
      { receivedAt: 9_000_500 },
      { receivedAt: 12_000_000, synthetic: true },
    ])
      first.append(deliveryRecord(aDelivery(change)))
    held.close()
    kill(first)
    new FilingWriter(folder, [], 20_000).close()
    expect(stretches(folder)).toEqual(wanted)
  },
)

test('a database that is opened anew while the process lives makes no absence', () => {
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  enterState(filing.writer.captured.statements, 'listening', 1_000)
  const held = lock(folder)
  filing.deliver('one')
  held.close()
  filing.recover()
  extendTo(filing.writer.captured.statements, 9_000)
  filing.close()
  expect(stretches(folder)).toEqual([['listening', 1_000, 9_000]])
})

test('a full database lets deliveries wait, and files them by itself when there is room (reliability, row 5)', () => {
  const folder = tempFolder()
  const told: unknown[][] = []
  const filing = new FilingWriter(folder, told)
  // A full disk for the database alone.
  filing.writer.captured.db.exec('PRAGMA max_page_count=40')
  const sent = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(30_000)}`)
  for (const body of sent) filing.deliver(body)
  expect(told).toContainEqual(['status', [expect.objectContaining({ state: 'behind' })]])
  filing.recover()
  expect(filing.writer.status().state).toBe('ok')
  filing.close()
  expect(bodies(folder)).toEqual(sent)
})

test('one delivery that SQLite refuses does not hold up its neighbours, and is told', () => {
  const folder = tempFolder()
  const told: unknown[][] = []
  const filing = new FilingWriter(folder, told)
  filing.append(
    ...[{ body: 'a' }, { body: 'b', receivedAt: Number.NaN }, { body: 'c' }].map((change) =>
      deliveryRecord(aDelivery(change)),
    ),
  )
  expect(filing.deliver('d')).toEqual([4])
  filing.close()
  expect(bodies(folder)).toEqual(['a', 'c', 'd'])
  expect(told).toContainEqual(['logProblem', [{ kind: 'refused', id: 2, reason: expect.any(String) }]])
})

test('pieces without a delivery are swept after the next start, and those of a sender that left at once', () => {
  const folder = tempFolder()
  const first = new FilingWriter(folder)
  const piece = (upload: string) => pieceRecord({ upload, seq: 0, bytes: Buffer.from('whole') })
  first.append(piece('never-finished'), piece('finished'), piece('abandoned'))
  first.append(rawRecord(KIND.abandoned, Buffer.from('abandoned'), Buffer.alloc(0)))
  const uploads = ({ writer }: FilingWriter) =>
    writer.captured.db.prepare('SELECT DISTINCT upload FROM chunk ORDER BY id').all()
  expect(uploads(first)).toHaveLength(2)
  const held = lock(folder)
  first.append(deliveryRecord(aDelivery({ body: { upload: 'finished' }, bodySize: 5 })))
  held.close()
  kill(first)
  const second = new FilingWriter(folder)
  second.append(piece('under way'))
  second.writer.idle()
  second.writer.idle()
  expect(uploads(second)).toEqual([{ upload: 'finished' }, { upload: 'under way' }])
  second.close()
})

/** A spill journal as 0.1 wrote it. */
function leaveJournal(folder: string, number: number, ...deliveries: readonly NewDelivery[]): string {
  const path = join(folder, `spill-${number}.journal`)
  for (const delivery of deliveries) {
    const { size, write } = deliveryRecord(delivery)
    const entry = Buffer.alloc(16 + size)
    write(entry, 16)
    entry.write('ACJ1')
    entry.writeUInt32LE(size, 8)
    entry.writeUInt32LE(crc32(entry.subarray(16)), 12)
    appendFileSync(path, entry)
  }
  return path
}

const moveJournals = (folder: string, filing: FilingWriter) =>
  moveOldJournals(folder, async (records: readonly LogRecord[]) => filing.append(...records))

test('journals of 0.1 are filed in order and removed, their torn ends passed over', async () => {
  const folder = tempFolder()
  const path = leaveJournal(
    folder,
    1,
    ...Array.from({ length: 1_200 }, (_, i) => aDelivery({ body: `${i}` })),
  )
  leaveJournal(folder, 2, aDelivery({ body: 'last' }))
  appendFileSync(path, readFileSync(path).subarray(0, 40))
  const filing = new FilingWriter(folder)
  expect(await moveJournals(folder, filing)).toEqual([])
  filing.close()
  expect(bodies(folder)).toEqual([...Array.from({ length: 1_200 }, (_, i) => `${i}`), 'last'])
  expect(readdirSync(folder).filter((name) => name.includes('journal'))).toEqual([])
})

test('a crash before a journal is removed doubles no delivery of it', async () => {
  const folder = tempFolder()
  const path = leaveJournal(folder, 7, aDelivery({ body: 'a' }), aDelivery({ body: 'b' }))
  const whole = readFileSync(path)
  const filing = new FilingWriter(folder)
  await moveJournals(folder, filing)
  writeFileSync(path, whole)
  await moveJournals(folder, filing)
  filing.close()
  expect(bodies(folder)).toEqual(['a', 'b'])
})

test('a damaged entry of a journal costs only itself, and the journal is kept', async () => {
  const folder = tempFolder()
  const path = leaveJournal(folder, 1, ...['a', 'b', 'c'].map((body) => aDelivery({ body })))
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
  const filing = new FilingWriter(folder)
  await moveJournals(folder, filing)
  filing.close()
  expect(bodies(folder)).toEqual(['a', 'c'])
  expect(readdirSync(folder)).toContain('spill-1.journal.damaged')
})

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a pipe', (path: string) => spawnSync('mkfifo', [path])],
  ['a link to nowhere', (path: string) => symlinkSync('nowhere', path)],
])('%s in the place of a journal blocks no other one', async (_, place) => {
  const folder = tempFolder()
  const path = join(folder, 'spill-1.journal')
  place(path)
  leaveJournal(folder, 2, aDelivery({ body: 'kept' }))
  const filing = new FilingWriter(folder)
  expect(await moveJournals(folder, filing)).toEqual([
    { kind: 'journal', path, reason: expect.stringMatching(/take it away/) },
  ])
  filing.close()
  expect(bodies(folder)).toEqual(['kept'])
  expect(readdirSync(folder)).toContain('spill-1.journal')
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
test.runIf(canMount)(
  'a full disk gives no false yes: what was acknowledged is there, the rest was refused (reliability, row 5)',
  () => {
    const folder = tempFolder()
    const mount = join(folder, 'small')
    mkdirSync(mount)
    const script = new URL('../../support/full-disk-child.ts', import.meta.url).pathname
    const run = spawnSync(
      'unshare',
      [
        '-rm',
        'sh',
        '-c',
        `mount -t tmpfs -o size=8m none "${mount}" && exec "${process.execPath}" "${script}" "${mount}"`,
      ],
      { encoding: 'utf8' },
    )
    expect(run.stderr).toBe('')
    const result: unknown = JSON.parse(run.stdout)
    expect(result).toMatchObject({
      ...{ missing: [], state: 'ok', again: true, behind: true },
      refused: expect.toSatisfy((count: number) => count > 0 && count < 400),
      // The reserve went for what must be written down, and is there again.
      ...{ covered: 1, anew: true },
      reserved: expect.toSatisfy((bytes: number) => bytes > 100_000),
    })
    rmSync(mount, { recursive: true })
  },
)
