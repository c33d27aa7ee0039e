import { randomFillSync } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { packBatch } from '#storage/wire/record.ts'
import { seeded } from '../support/random.ts'
import { aDelivery } from '../support/store.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openWriter } from '../support/writer.ts'

/*
 * What a power cut leaves: everything that was synced, and of what was written since any part, block by block, the last one torn. That
 * each answer comes behind its sync is watched by `npm run bench -- reliability` as the kernel sees it (row 2); here the cuts are made.
 */
const BLOCK = 4_096
const ROUNDS = 40
/** ACUSE_POWER_CUTS asks for more. */
const CUTS = Number(process.env.ACUSE_POWER_CUTS ?? 250)

interface Moment {
  readonly acknowledged: number
  /** Length of the write-ahead log when the last of them was acknowledged. */
  readonly synced: number
}

/** The blocks of `later` instead of those of `earlier`, each or not as chance has it; one of them torn in the middle. */
function mixed(earlier: Buffer, later: Buffer, random: () => number): Buffer {
  const result = Buffer.alloc(later.length)
  earlier.copy(result)
  const torn = Math.floor((random() * later.length) / BLOCK)
  for (let n = 0; n * BLOCK < later.length; n++) {
    if (random() < 0.5) later.copy(result, n * BLOCK, n * BLOCK, (n + 1) * BLOCK)
    if (n === torn) later.copy(result, n * BLOCK, n * BLOCK, Math.floor((n + random()) * BLOCK))
  }
  return result
}

/** Opens what was left as Acuse does at its start. @returns the bodies in the order of their ids, or what is wrong with the file */
function recovered(folder: string, database: Buffer, log: Buffer): string[] {
  const path = join(folder, 'captured.db')
  for (const suffix of ['-shm', '-wal', '']) rmSync(path + suffix, { force: true })
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, log)
  using db = new DatabaseSync(path)
  const check = db.prepare('PRAGMA integrity_check').get()?.integrity_check
  if (check !== 'ok') return [String(check)]
  return db
    .prepare('SELECT CAST(body AS TEXT) AS body FROM payload ORDER BY delivery_id')
    .all()
    .map(({ body }) => String(body))
}

test(`${CUTS} power cuts, torn blocks included, lose nothing that was answered and leave nothing unreadable (reliability, row 3)`, () => {
  const random = seeded(20_261_122)
  const folder = tempFolder()
  const writer = openWriter(folder)
  const path = join(folder, 'captured.db')
  const moments: Moment[] = []
  const sent: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = Array.from(
      { length: 1 + (round % 3) },
      (_, n) => `${round}.${n} ${'x'.repeat(random() * 9_000)}`,
    )
    expect(writer.append([packBatch(bodies.map((body) => aDelivery({ body })))], [])).toMatchObject([
      { type: 'stored' },
    ])
    sent.push(...bodies)
    moments.push({ acknowledged: sent.length, synced: statSync(`${path}-wal`).size })
  }
  const database = readFileSync(path)
  const log = readFileSync(`${path}-wal`)
  expect(moments.at(-1)?.synced).toBe(log.length)
  const left = tempFolder()
  const problems: string[] = []
  for (let cut = 0; cut < CUTS; cut++) {
    const { acknowledged, synced } = moments[Math.floor(random() * moments.length)] ?? {
      acknowledged: 0,
      synced: 0,
    }
    // Up to three commits further had been written, and not synced yet.
    const written = Math.min(
      log.length,
      synced + Math.floor(random() * 12) * BLOCK + Math.floor(random() * BLOCK),
    )
    const before = Buffer.alloc(written, cut % 2 ? 0 : randomFillSync(Buffer.alloc(64)))
    log.copy(before, 0, 0, synced)
    const after = mixed(before, log.subarray(0, written), random)
    log.copy(after, 0, 0, synced)
    const found = recovered(left, database, after)
    if (found.length < acknowledged || found.some((body, n) => body !== sent[n]))
      problems.push(`cut ${cut}: ${found.length} of ${acknowledged}, ${found[0]?.slice(0, 60)}`)
  }
  expect(problems).toEqual([])
  writer.close()
})

test('a power cut in the middle of a checkpoint loses nothing: the log stands until the database is synced (reliability, row 3)', () => {
  const random = seeded(7)
  const folder = tempFolder()
  const writer = openWriter(folder)
  const path = join(folder, 'captured.db')
  const sent: string[] = []
  for (let n = 0; n < 60; n++) {
    sent.push(`${n} ${'y'.repeat(random() * 9_000)}`)
    writer.append([packBatch([aDelivery({ body: sent.at(-1) ?? '' })])], [])
  }
  const before = readFileSync(path)
  const log = readFileSync(`${path}-wal`)
  {
    using other = new DatabaseSync(path)
    expect(other.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()).toMatchObject({ busy: 0 })
  }
  const after = readFileSync(path)
  expect(after.length).toBeGreaterThan(before.length)
  writer.close()
  const left = tempFolder()
  const lost: string[] = []
  for (let cut = 0; cut < 50; cut++) {
    const found = recovered(left, mixed(before, after, random), log)
    if (found.join() !== sent.join()) lost.push(`cut ${cut}: ${found.length}, ${found[0]?.slice(0, 60)}`)
  }
  expect(lost).toEqual([])
})
