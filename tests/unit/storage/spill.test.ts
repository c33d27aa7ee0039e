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
import { expect, test } from 'vitest'
import type { NewDelivery } from '#core/ports.ts'
import { Journal, JournalReader, journalsIn } from '#storage/disk/journal.ts'
import { packBatch } from '#storage/wire/record.ts'
import { enterState, extendTo } from '#storage/writer/coverage.ts'
import type { Writer } from '#storage/writer/writer.ts'
import { aDelivery } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { openWriter } from '../../support/writer.ts'

const batch = (...bodies: string[]) => packBatch(bodies.map((body) => aDelivery({ body })))

function leaveJournal(folder: string, number: number, ...deliveries: readonly NewDelivery[]): string {
  const journal = Journal.create(folder, number)
  for (const delivery of deliveries)
    journal.append([{ type: 'delivery', record: Buffer.from(packBatch([delivery]).bytes).subarray(4) }])
  journal.close()
  return journal.path
}

/** Makes captured.db refuse every write, as another program's long transaction does. */
function lock(folder: string): DatabaseSync {
  const db = new DatabaseSync(join(folder, 'captured.db'))
  db.exec('BEGIN IMMEDIATE')
  return db
}

function rowsIn(folder: string, sql: string) {
  using db = new DatabaseSync(join(folder, 'captured.db'), { readOnly: true })
  return db.prepare(sql).all()
}

const BODIES = 'SELECT CAST(body AS TEXT) AS body FROM payload ORDER BY delivery_id'
const bodies = (folder: string) => rowsIn(folder, BODIES).map(({ body }) => String(body))
const STRETCHES = 'SELECT state, from_ms, to_ms FROM coverage ORDER BY id'
const stretches = (folder: string) =>
  rowsIn(folder, STRETCHES).map((row) => [row.state, row.from_ms, row.to_ms])

function recover(writer: Writer): void {
  while (writer.recover());
}

test('a locked database sends deliveries to the journal, which is read back in order when it is free', () => {
  const folder = tempFolder()
  const writer = openWriter(folder)
  writer.append([batch('before')], [])
  const held = lock(folder)
  const outcomes = writer.append([batch('one'), batch('two', 'three')], [])
  expect(outcomes).toEqual([{ type: 'spilled' }, { type: 'spilled' }])
  writer.chunk('upload-1', 0, Buffer.from('piece'))
  expect(writer.status()).toMatchObject({ state: 'spilling', spilled: 4, lost: null })
  writer.recover()
  expect(writer.status().state).toBe('spilling')
  held.close()
  recover(writer)
  expect(writer.status()).toMatchObject({ state: 'ok', spilled: 0, stored: 4, reason: null })
  expect(writer.append([batch('after')], [])).toEqual([{ type: 'stored', firstId: 5 }])
  writer.close()
  expect(bodies(folder)).toEqual(['before', 'one', 'two', 'three', 'after'])
  expect(journalsIn(folder)).toEqual([])
})

test('a journal left by a crash is read back at the next open, its torn tail passed over', () => {
  const folder = tempFolder()
  openWriter(folder).close()
  const path = leaveJournal(folder, 1, aDelivery({ body: 'kept' }))
  appendFileSync(path, readFileSync(path).subarray(0, 40))
  const writer = openWriter(folder)
  expect(writer.status()).toMatchObject({ state: 'ok', stored: 1 })
  writer.close()
  expect(bodies(folder)).toEqual(['kept'])
  expect(readdirSync(folder).filter((name) => name.includes('journal'))).toEqual([])
})

test('what a crash left in a journal shows that it was listening until it came (ports: Coverage)', () => {
  const folder = tempFolder()
  const first = openWriter(folder)
  enterState(first.captured.statements, 'listening', 1_000)
  extendTo(first.captured.statements, 6_000)
  first.close()
  leaveJournal(
    folder,
    1,
    aDelivery({ receivedAt: 8_000_001 }),
    aDelivery({ receivedAt: 9_000_500 }),
    aDelivery({ receivedAt: 12_000_000, synthetic: true }),
  )
  openWriter(folder, [], 20_000).close()
  expect(stretches(folder)).toEqual([
    ['listening', 1_000, 9_001],
    ['off', 9_001, 20_000],
  ])
})

test('a journaled delivery outside of every absence leaves the record of listening alone', () => {
  const folder = tempFolder()
  const first = openWriter(folder)
  enterState(first.captured.statements, 'port-lost', 1_000)
  enterState(first.captured.statements, 'off', 2_000)
  extendTo(first.captured.statements, 6_000)
  first.close()
  leaveJournal(folder, 1, aDelivery({ receivedAt: 90_000_000 }))
  leaveJournal(folder, 2, aDelivery({ receivedAt: 4_000_000 }))
  openWriter(folder, [], 20_000).close()
  expect(stretches(folder).slice(0, 2)).toEqual([
    ['port-lost', 1_000, 2_000],
    ['off', 2_000, 6_000],
  ])
})

test('a database that is opened anew while the process lives makes no absence: it was listening into the journal', () => {
  const folder = tempFolder()
  const writer = openWriter(folder)
  enterState(writer.captured.statements, 'listening', 1_000)
  const held = lock(folder)
  writer.append([batch('one')], [])
  held.close()
  recover(writer)
  extendTo(writer.captured.statements, 9_000)
  writer.close()
  expect(stretches(folder)).toEqual([['listening', 1_000, 9_000]])
})

test('a crash in the middle of reading a journal back neither loses nor doubles a delivery', () => {
  const folder = tempFolder()
  openWriter(folder).close()
  const all = Array.from({ length: 1_200 }, (_, i) => `n${i}`)
  const path = leaveJournal(folder, 7, ...all.map((body) => aDelivery({ body })))
  const whole = readFileSync(path)
  // What the second slice would find if the process ended right behind the first: its rows, its mark, and the whole file.
  openWriter(folder).close()
  expect(bodies(folder)).toHaveLength(1_200)
  using db = new DatabaseSync(join(folder, 'captured.db'))
  db.exec(
    "DELETE FROM delivery WHERE id > 500; DELETE FROM payload WHERE delivery_id > 500; DELETE FROM meta WHERE key IN ('last_id', 'counted', 'counted_upto')",
  )
  writeFileSync(path, whole)
  const reader = new JournalReader(path, 0)
  for (let i = 0; i < 500; i += 1) reader.next()
  db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('replayed:7', reader.at)
  reader.close()
  db.close()
  openWriter(folder).close()
  expect(bodies(folder)).toEqual(all)
})

test('a damaged entry costs only itself, and the journal is kept', () => {
  const folder = tempFolder()
  openWriter(folder).close()
  const path = leaveJournal(folder, 1, ...['a', 'b', 'c'].map((body) => aDelivery({ body })))
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
  openWriter(folder).close()
  expect(bodies(folder)).toEqual(['a', 'c'])
  expect(readdirSync(folder)).toContain('spill-1.journal.damaged')
})

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a pipe', (path: string) => spawnSync('mkfifo', [path])],
  ['a link to nowhere', (path: string) => symlinkSync('nowhere', path)],
])('%s in the place of a journal blocks no other one, and no piece of a body is swept for it', (_, place) => {
  const folder = tempFolder()
  const first = openWriter(folder)
  first.chunk('its delivery may be in that journal', 0, Buffer.alloc(10))
  first.close()
  place(join(folder, 'spill-1.journal'))
  leaveJournal(folder, 2, aDelivery({ body: 'kept' }))
  const writer = openWriter(folder)
  const unread = { path: join(folder, 'spill-1.journal'), reason: expect.stringMatching(/take it away/) }
  expect(writer.status()).toMatchObject({ state: 'ok', stored: 1, unreadJournals: [unread] })
  const held = lock(folder)
  expect(writer.append([batch('after')], [])).toEqual([{ type: 'spilled' }])
  held.close()
  recover(writer)
  writer.idle([])
  writer.close()
  expect(bodies(folder)).toEqual(['kept', 'after'])
  expect(readdirSync(folder)).toContain('spill-1.journal')
  expect(rowsIn(folder, 'SELECT count(*) AS n FROM chunk')).toEqual([{ n: 1 }])
})

test('a full database spills, and recovers by itself when there is room (reliability, row 5)', () => {
  const folder = tempFolder()
  const told: unknown[][] = []
  const writer = openWriter(folder, told)
  // A full disk for the database alone.
  writer.captured.db.exec('PRAGMA max_page_count=40')
  const stored: string[] = []
  for (let i = 0; i < 60; i += 1) {
    const body = `${i} ${'x'.repeat(30_000)}`
    const [outcome] = writer.append([batch(body)], [])
    expect(outcome?.type).toMatch(/^(stored|spilled)$/)
    stored.push(body)
  }
  expect(told).toContainEqual(['status', [expect.objectContaining({ state: 'spilling' })]])
  recover(writer)
  expect(writer.status().state).toBe('ok')
  writer.close()
  expect(bodies(folder)).toEqual(stored)
})

test('when the journal fails too deliveries are refused, and taken again once it can be written', () => {
  const folder = tempFolder()
  const writer = openWriter(folder)
  const held = lock(folder)
  const away = `${folder}-away`
  // A folder that is not there fails for root too, whom file modes do not stop.
  spawnSync('mv', [folder, away])
  expect(writer.append([batch('lost')], [])).toMatchObject([{ type: 'refused' }])
  expect(writer.status().state).toBe('refusing')
  spawnSync('mv', [away, folder])
  expect(writer.append([batch('kept')], [])).toEqual([{ type: 'spilled' }])
  expect(writer.status().state).toBe('spilling')
  held.close()
  recover(writer)
  writer.close()
  expect(bodies(folder)).toEqual(['kept'])
})

test('one delivery that SQLite refuses does not fail its neighbours (architecture, group commit)', () => {
  const folder = tempFolder()
  const writer = openWriter(folder)
  const odd = aDelivery({ body: 'b', receivedAt: Number.NaN })
  const three = packBatch([aDelivery({ body: 'a' }), odd, aDelivery({ body: 'c' })])
  const [outcome] = writer.append([three], [])
  expect(outcome).toMatchObject({ type: 'mixed', ids: [1, null, 2] })
  writer.close()
  expect(bodies(folder)).toEqual(['a', 'c'])
})

test('pieces without a delivery are swept after the next open', () => {
  const folder = tempFolder()
  const first = openWriter(folder)
  first.chunk('never-finished', 0, Buffer.alloc(1_000))
  first.chunk('finished', 0, Buffer.from('whole'))
  first.append([packBatch([aDelivery({ body: { upload: 'finished' }, bodySize: 5 })])], [])
  first.close()
  const second = openWriter(folder)
  second.idle([])
  second.close()
  expect(rowsIn(folder, 'SELECT DISTINCT upload FROM chunk')).toEqual([{ upload: 'finished' }])
})

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
test.runIf(canMount)('a full disk gives no false yes, and goes on later (reliability, row 5)', () => {
  const folder = tempFolder()
  const mount = join(folder, 'small')
  mkdirSync(mount)
  const script = new URL('../../support/full-disk-child.ts', import.meta.url).pathname
  const started = `exec "${process.execPath}" "${script}" "${mount}"`
  const full = ['-rm', 'sh', '-c', `mount -t tmpfs -o size=8m none "${mount}" && ${started}`]
  const run = spawnSync('unshare', full, { encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toMatchObject({
    ...{ missing: [], state: 'ok', refusedSome: true, again: true },
    // The reserve went for the journal first, then for what must be written, and is there again.
    ...{ full: 'refusing', givenUp: true, covered: 1, anew: true },
    reserved: expect.toSatisfy((bytes: number) => bytes > 200_000),
  })
  rmSync(mount, { recursive: true })
})
