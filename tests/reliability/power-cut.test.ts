import { randomFillSync } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { bodiesIn, FilingWriter } from '../support/filing-writer.ts'
import { seeded } from '../support/random.ts'
import { tempFolder } from '../support/temp-folder.ts'

/*
 * A power cut keeps all synced data and any subset of the blocks written since, with the last one torn. The log
 * is synced before each answer (tests/unit/log cuts it too; `npm run bench -- reliability` watches the order as the kernel sees it); of
 * captured.db all data since the last synced checkpoint may be missing.
 */
const BLOCK = 4_096
const ROUNDS = 40
/** Number of power cuts; ACUSE_POWER_CUTS sets another one. */
const CUTS = Number(process.env.ACUSE_POWER_CUTS ?? 100)

/** Replaces random blocks of `earlier` by those of `later`, and tears one of them in the middle. */
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

/** Opens the files as Acuse does at its start. @returns the bodies by id, or the errors of the file */
function recovered(folder: string, database: Buffer, wal: Buffer): string[] {
  const path = join(folder, 'captured.db')
  for (const suffix of ['-shm', '-wal', '']) rmSync(path + suffix, { force: true })
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, wal)
  new FilingWriter(folder).close()
  using db = new DatabaseSync(path)
  const check = db.prepare('PRAGMA integrity_check').get()?.integrity_check
  if (check !== 'ok') return [String(check)]
  return bodiesIn(db)
}

test(`whatever ${CUTS} power cuts leave of the database, the log has the rest: each delivery is filed once (reliability, row 3)`, () => {
  const random = seeded(20_261_122)
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  const path = join(folder, 'captured.db')
  const sent: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = Array.from(
      { length: 1 + (round % 3) },
      (_, n) => `${round}.${n} ${'x'.repeat(random() * 9_000)}`,
    )
    filing.deliver(...bodies)
    sent.push(...bodies)
  }
  const database = readFileSync(path)
  const wal = readFileSync(`${path}-wal`)
  const left = tempFolder()
  const problems: string[] = []
  for (let cut = 0; cut < CUTS; cut++) {
    rmSync(join(left, 'log'), { recursive: true, force: true })
    cpSync(join(folder, 'log'), join(left, 'log'), { recursive: true })
    const written = Math.floor(random() * wal.length)
    const before = Buffer.alloc(written, cut % 2 ? 0 : randomFillSync(Buffer.alloc(64)))
    const found = recovered(left, database, mixed(before, wal.subarray(0, written), random))
    if (found.join() !== sent.join()) problems.push(`cut ${cut}: ${found.length}, ${found[0]?.slice(0, 60)}`)
  }
  expect(problems).toEqual([])
  filing.close()
})

test('a power cut in the middle of a checkpoint loses nothing (reliability, row 3)', () => {
  const random = seeded(7)
  const folder = tempFolder()
  const filing = new FilingWriter(folder)
  const path = join(folder, 'captured.db')
  const sent = Array.from({ length: 60 }, (_, n) => `${n} ${'y'.repeat(random() * 9_000)}`)
  for (const body of sent) filing.deliver(body)
  const before = readFileSync(path)
  const wal = readFileSync(`${path}-wal`)
  {
    using other = new DatabaseSync(path)
    expect(other.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()).toMatchObject({ busy: 0 })
  }
  const after = readFileSync(path)
  expect(after.length).toBeGreaterThan(before.length)
  const left = tempFolder()
  cpSync(join(folder, 'log'), join(left, 'log'), { recursive: true })
  filing.close()
  const lost: string[] = []
  for (let cut = 0; cut < 50; cut++) {
    const found = recovered(left, mixed(before, after, random), wal)
    if (found.join() !== sent.join()) lost.push(`cut ${cut}: ${found.length}, ${found[0]?.slice(0, 60)}`)
  }
  expect(lost).toEqual([])
})
