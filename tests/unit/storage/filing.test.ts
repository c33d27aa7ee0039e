import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deliveryRecord, KIND, pieceRecord, rawRecord } from '#storage/wire/record.ts'
import { enterState, extendTo } from '#storage/writer/coverage.ts'
import { trash } from '#storage/writer/deleting.ts'
import { FilingWriter } from '../../support/filing-writer.ts'
import { aDelivery } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('deliveries wait in the log while the database is locked, and are filed in order when it is free', () => {
  const filing = new FilingWriter(tempFolder())
  filing.deliver('before')
  filing.locked(() => {
    expect(filing.deliver('one')).toEqual([2])
    expect(filing.deliver('two', 'three')).toEqual([3, 4])
    filing.append(pieceRecord({ upload: 'upload-1', seq: 0, bytes: Buffer.from('piece') }))
    expect(filing.writer.status()).toMatchObject({ state: 'behind', highestId: 1, lost: null })
    filing.recover()
    expect(filing.writer.status().state).toBe('behind')
  })
  filing.recover()
  expect(filing.writer.status()).toMatchObject({ state: 'ok', highestId: 4, stored: 4, reason: null })
  expect(filing.deliver('after')).toEqual([5])
  expect(filing.close()).toEqual(['before', 'one', 'two', 'three', 'after'])
})

/** A folder after a crash: `filed` are in the database, `waiting` only in the log. */
function crashed(filed: readonly string[], ...waiting: readonly string[]): string {
  const filing = new FilingWriter(tempFolder())
  for (const body of filed) filing.deliver(body)
  filing.locked(() => waiting.map((body) => filing.deliver(body)))
  filing.kill()
  return filing.folder
}

test('what a crash left in the log is filed at the next start, each delivery once', () => {
  const folder = crashed(['a', 'b'], 'c', 'd')
  const second = new FilingWriter(folder)
  expect(second.writer.status()).toMatchObject({ state: 'ok', stored: 4, highestId: 4 })
  second.kill()
  expect(new FilingWriter(folder).close()).toEqual(['a', 'b', 'c', 'd'])
})

const damage = (folder: string) => writeFileSync(join(folder, 'captured.db'), 'no database')

const removeBut = (kept: string) => (folder: string) => {
  for (const name of readdirSync(folder)) if (name !== kept) rmSync(join(folder, name))
}

test.each([
  ['missing', 'the log still has', (folder: string) => rmSync(join(folder, 'captured.db')), 'abcd'],
  ['missing with all but the log', 'the log still has', removeBut('log'), 'abcd'],
  ['empty', 'the log still has', (folder: string) => truncateSync(join(folder, 'captured.db')), 'abcd'],
  ['damaged', 'was not filed in it', damage, 'cd'],
])(
  'a database that is %s at the start is told and followed by one with all that %s',
  (_, __, harm, bodies) => {
    const first = new FilingWriter(tempFolder())
    first.deliver('a', 'b')
    first.close()
    const second = new FilingWriter(first.folder)
    second.locked(() => second.deliver('c'))
    second.kill()
    harm(first.folder)
    const third = new FilingWriter(first.folder)
    expect(third.setAside).not.toBeNull()
    expect(third.deliver('d')).toEqual([4])
    expect(third.close().join('')).toBe(bodies)
  },
)

test('no delivery that a user deleted comes back from the log with a fresh database after a crash', async () => {
  const first = new FilingWriter(tempFolder())
  first.deliver('a', 'b')
  await trash(first.writer, { ids: [2], filter: null, sparePinned: true, at: 1 })
  first.deliver('c')
  first.kill()
  damage(first.folder)
  expect(new FilingWriter(first.folder).close()).toEqual(['c'])
})

test('behind a fresh database nothing waits that was filed in the one before', () => {
  const first = new FilingWriter(tempFolder())
  first.deliver('a', 'b')
  first.close()
  damage(first.folder)
  const second = new FilingWriter(first.folder)
  expect(second.writer.status()).toMatchObject({ state: 'ok', stored: 0, highestId: 2 })
  second.close()
})

test('a log that is gone costs no filed delivery, and no id is given out again', () => {
  const first = new FilingWriter(tempFolder())
  first.deliver('a', 'b')
  first.close()
  rmSync(join(first.folder, 'log'), { recursive: true })
  const second = new FilingWriter(first.folder)
  expect(second.deliver('c')).toEqual([3])
  expect(second.close()).toEqual(['a', 'b', 'c'])
})

test('what another program cut off the log after a crash is named, as far as filing knew of it', () => {
  const first = new FilingWriter(tempFolder(), Date.now(), 1_400_000)
  for (const body of ['a', 'b', 'c', 'd', 'e']) first.deliverLater(body.padEnd(700_000))
  first.writer.synced(first.log.place)
  first.writer.file()
  first.kill()
  const segments = readdirSync(join(first.folder, 'log')).filter((name) => name.endsWith('segment'))
  rmSync(join(first.folder, 'log', segments.sort().at(-1) ?? ''))
  const second = new FilingWriter(first.folder)
  expect(second.deliver('f')[0]).toBeGreaterThan(5)
  expect(second.log.cut).toMatchObject({ from: 5 })
  expect(second.told).toContainEqual(['logProblem', [{ kind: 'damaged', from: 5, to: 5 }]])
  expect(second.close().map((body) => body[0])).toEqual(['a', 'b', 'c', 'd', 'f'])
})

test('how long answers took is kept, whether they come before their delivery is filed or after', () => {
  const filing = new FilingWriter(tempFolder())
  const { writer } = filing
  filing.deliver('a')
  writer.corrections.lasted([1, 11, 2, 22, 3, 33])
  filing.locked(() => filing.deliver('b'))
  filing.recover()
  filing.deliver('c')
  writer.idle()
  const rows = writer.captured.db.prepare('SELECT took_us FROM delivery ORDER BY id').all()
  expect(rows.map((row) => row.took_us)).toEqual([11, 22, 33])
  filing.close()
})

test('a segment is free for reuse only once all of it is in the database, and synced', () => {
  const filing = new FilingWriter(tempFolder())
  filing.deliver('x'.repeat(2_000_000))
  expect(filing.told.some(([name]) => name === 'kept')).toBe(false)
  filing.writer.idle()
  expect(filing.told).toContainEqual(['kept', [1]])
  filing.close()
})

test('a damaged record of the log is told, and costs no other one, also of its own append', () => {
  const first = new FilingWriter(tempFolder())
  first.locked(() => {
    for (const body of ['a', 'b b b b', 'c']) first.deliver(body)
    first.deliver('d', 'e e e e', 'f')
  })
  first.kill()
  const [segment = ''] = readdirSync(join(first.folder, 'log'))
  const path = join(first.folder, 'log', segment)
  const bytes = readFileSync(path)
  for (const body of ['b b b b', 'e e e e']) bytes[bytes.indexOf(body)] = 0
  writeFileSync(path, bytes)
  const filing = new FilingWriter(first.folder)
  expect(filing.close()).toEqual(['a', 'c', 'd', 'f'])
  expect(filing.told.filter(([name]) => name === 'logProblem')).toEqual([
    ['logProblem', [{ kind: 'damaged', from: 2, to: 2 }]],
    ['logProblem', [{ kind: 'partial', from: 5, to: 5 }]],
  ])
})

test('a damaged first record of the log is told, also beside a fresh database', () => {
  const first = new FilingWriter(tempFolder())
  first.locked(() => ['a a a a', 'b'].map((body) => first.deliver(body)))
  first.kill()
  const [path = ''] = readdirSync(join(first.folder, 'log')).map((name) => join(first.folder, 'log', name))
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('a a a a')] = 0
  writeFileSync(path, bytes)
  damage(first.folder)
  const filing = new FilingWriter(first.folder)
  expect(filing.close()).toEqual(['b'])
  expect(filing.told).toContainEqual(['logProblem', [{ kind: 'damaged', from: 1, to: 1 }]])
})

test('a fresh database gets what is being written to the log as it opens', () => {
  const filing = new FilingWriter(tempFolder())
  const sent = ['a', 'b', 'c', 'd']
  filing.deliverLater(...sent)
  const [segment = ''] = readdirSync(join(filing.folder, 'log'))
  const path = join(filing.folder, 'log', segment)
  const whole = readFileSync(path)
  // Another thread may see any part of a write in progress.
  writeFileSync(path, Buffer.from(whole).fill(0, 0, whole.indexOf('b')))
  filing.writer.captured.db.exec("DELETE FROM meta WHERE key IN ('log', 'filed')")
  filing.writer.follow(
    { folder: join(filing.folder, 'log'), identity: filing.log.identity, opened: 0, lastId: 0 },
    false,
  )
  filing.writer.file()
  writeFileSync(path, whole)
  filing.file()
  expect(filing.close()).toEqual(sent)
})

test('what another program removed of the log while it was not filed is filed, once the log has named it again', () => {
  const filing = new FilingWriter(tempFolder())
  filing.deliver('a')
  const remove = () => {
    for (const name of readdirSync(join(filing.folder, 'log'))) rmSync(join(filing.folder, 'log', name))
  }
  filing.locked(() => filing.deliver('b'))
  remove()
  filing.recover()
  expect(filing.writer.status()).toMatchObject({
    state: 'behind',
    reason: 'Records of the log cannot be read.',
  })
  filing.log.check()
  filing.recover()
  expect(filing.writer.status()).toMatchObject({ state: 'ok', stored: 2, highestId: 2 })
  // A segment that no process has open is reported as lost after some seconds, and then blocks nothing.
  filing.locked(() => filing.deliver('c'))
  remove()
  filing.log.close()
  filing.recover()
  filing.deliver('d')
  filing.recover()
  expect(filing.told.filter(([name]) => name === 'logProblem')).toEqual([])
  const now = performance.now() + 3_000
  vi.spyOn(performance, 'now').mockReturnValue(now)
  onTestFinished(() => void vi.restoreAllMocks())
  filing.recover()
  expect(filing.told).toContainEqual(['logProblem', [{ kind: 'damaged', from: 3, to: 3 }]])
  expect(filing.close()).toEqual(['a', 'b', 'd'])
})

/** @returns the coverage in the database */
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
    const first = new FilingWriter(tempFolder())
    enterState(first.writer.captured.statements, state, from)
    extendTo(first.writer.captured.statements, to)
    const late = [{ receivedAt: 8_000_001 }, { receivedAt: 9_000_500 }]
    const made = [...late, { receivedAt: 12_000_000, synthetic: true }].map((one) => aDelivery(one))
    first.locked(() => first.append(...made.map(deliveryRecord)))
    first.kill()
    new FilingWriter(first.folder, 20_000).close()
    expect(stretches(first.folder)).toEqual(wanted)
  },
)

test('a database that is opened anew while the process lives makes no absence', () => {
  const filing = new FilingWriter(tempFolder())
  enterState(filing.writer.captured.statements, 'listening', 1_000)
  filing.locked(() => filing.deliver('one'))
  filing.recover()
  extendTo(filing.writer.captured.statements, 9_000)
  filing.close()
  expect(stretches(filing.folder)).toEqual([['listening', 1_000, 9_000]])
})

test('a full database lets deliveries wait, and files them by itself when there is room (reliability, row 5)', () => {
  const filing = new FilingWriter(tempFolder())
  // Simulates a full disk for the database alone.
  filing.writer.captured.db.exec('PRAGMA max_page_count=40')
  const sent = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(30_000)}`)
  for (const body of sent) filing.deliver(body)
  expect(filing.told).toContainEqual(['status', [expect.objectContaining({ state: 'behind' })]])
  filing.recover()
  expect(filing.writer.status().state).toBe('ok')
  expect(filing.close()).toEqual(sent)
})

test('one delivery that SQLite refuses does not hold up its neighbours, and is told', () => {
  const filing = new FilingWriter(tempFolder())
  const three = [{ body: 'a' }, { body: 'b', receivedAt: Number.NaN }, { body: 'c' }]
  filing.append(...three.map((one) => deliveryRecord(aDelivery(one))))
  expect(filing.deliver('d')).toEqual([4])
  expect(filing.close()).toEqual(['a', 'c', 'd'])
  const problem = { kind: 'refused', id: 2, reason: expect.any(String) }
  expect(filing.told).toContainEqual(['logProblem', [problem]])
})

test('pieces without a delivery are swept after the next start, and those of a sender that left at once', () => {
  const first = new FilingWriter(tempFolder())
  const piece = (upload: string) => pieceRecord({ upload, seq: 0, bytes: Buffer.from('whole') })
  first.append(piece('never-finished'), piece('finished'), piece('abandoned'))
  first.append(rawRecord(KIND.abandoned, Buffer.from('abandoned')))
  const uploads = ({ writer }: FilingWriter) =>
    writer.captured.db.prepare('SELECT DISTINCT upload FROM chunk ORDER BY id').all()
  expect(uploads(first)).toHaveLength(2)
  first.locked(() => first.append(deliveryRecord(aDelivery({ body: { upload: 'finished' }, bodySize: 5 }))))
  first.kill()
  const second = new FilingWriter(first.folder)
  second.append(piece('under way'))
  second.writer.idle()
  second.writer.idle()
  expect(uploads(second)).toEqual([{ upload: 'finished' }, { upload: 'under way' }])
  second.close()
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
test.runIf(canMount)(
  'a full disk gives no false yes: what was acknowledged is there, the rest was refused (reliability, row 5)',
  () => {
    const folder = tempFolder()
    const mount = join(folder, 'small')
    mkdirSync(mount)
    const script = new URL('../../support/full-disk-child.ts', import.meta.url).pathname
    const inMount = `mount -t tmpfs -o size=8m none "${mount}" && exec "${process.execPath}" "${script}" "${mount}"`
    const run = spawnSync('unshare', ['-rm', 'sh', '-c', inMount], { encoding: 'utf8' })
    expect(run.stderr).toBe('')
    const result: unknown = JSON.parse(run.stdout)
    expect(result).toMatchObject({
      ...{ missing: [], state: 'ok', again: true, behind: true },
      refused: expect.toSatisfy((count: number) => count > 0 && count < 400),
      // The reserve gave room for the required writes, and exists again.
      ...{ covered: 1, anew: true },
      reserved: expect.toSatisfy((bytes: number) => bytes > 100_000),
    })
    rmSync(mount, { recursive: true })
  },
)
