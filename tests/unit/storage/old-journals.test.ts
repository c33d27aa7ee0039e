import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { LogRecord } from '#core/ports.ts'
import { moveOldJournals } from '#storage/facade/old-journals.ts'
import { deliveryRecord } from '#storage/wire/record.ts'
import { FilingWriter, packed } from '../../support/filing-writer.ts'
import { aDelivery } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** Writes a spill journal in the format of 0.1. */
function leaveJournal(folder: string, number: number, ...bodies: readonly string[]): string {
  const path = join(folder, `spill-${number}.journal`)
  for (const body of bodies) {
    const { bytes } = packed(deliveryRecord(aDelivery({ body })))
    const entry = Buffer.concat([Buffer.alloc(16), bytes])
    entry.write('ACJ1')
    entry.writeUInt32LE(bytes.length, 8)
    entry.writeUInt32LE(crc32(bytes), 12)
    appendFileSync(path, entry)
  }
  return path
}

const moveJournals = (filing: FilingWriter) =>
  moveOldJournals(filing.folder, async (records: readonly LogRecord[]) => filing.append(...records))

test('journals of 0.1 are filed in order and removed, their torn ends passed over', async () => {
  const folder = tempFolder()
  const many = Array.from({ length: 1_200 }, (_, i) => `${i}`)
  const path = leaveJournal(folder, 1, ...many)
  leaveJournal(folder, 2, 'last')
  appendFileSync(path, readFileSync(path).subarray(0, 40))
  const filing = new FilingWriter(folder)
  expect(await moveJournals(filing)).toEqual([])
  expect(filing.close()).toEqual([...many, 'last'])
  expect(readdirSync(folder).filter((name) => name.includes('journal'))).toEqual([])
})

test('a crash before a journal is removed doubles no delivery of it', async () => {
  const folder = tempFolder()
  const path = leaveJournal(folder, 7, 'a', 'b')
  const whole = readFileSync(path)
  const filing = new FilingWriter(folder)
  await moveJournals(filing)
  writeFileSync(path, whole)
  await moveJournals(filing)
  expect(filing.close()).toEqual(['a', 'b'])
})

test('a damaged entry of a journal costs only itself, and the journal is kept', async () => {
  const folder = tempFolder()
  const path = leaveJournal(folder, 1, 'a', 'b', 'c')
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
  const filing = new FilingWriter(folder)
  await moveJournals(filing)
  expect(filing.close()).toEqual(['a', 'c'])
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
  leaveJournal(folder, 2, 'kept')
  const filing = new FilingWriter(folder)
  expect(await moveJournals(filing)).toEqual([
    { kind: 'journal', path, reason: expect.stringMatching(/remove it/) },
  ])
  expect(filing.close()).toEqual(['kept'])
  expect(readdirSync(folder)).toContain('spill-1.journal')
})
