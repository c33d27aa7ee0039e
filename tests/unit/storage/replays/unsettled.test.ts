import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { EndedAttempt, Item, ItemEnd, NewAttempt } from '#core/replay/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { seeded } from '../../../support/random.ts'
import { addJob, attempt, attemptOf, captured, commit, ended, ledgerIn, ledgerOver } from './support.ts'

const LOG = 'attempts'
/** The only segment of the log. */
const segmentIn = (folder: string) => `${folder}/${LOG}/${readdirSync(`${folder}/${LOG}`)[0]}`
const logged = (folder: string) =>
  readdirSync(`${folder}/${LOG}`)
    .map((name) => readFileSync(`${folder}/${LOG}/${name}`, 'latin1'))
    .join('')
const rowsIn = (folder: string) => {
  using file = new DatabaseSync(storeFiles(folder).replays, { readOnly: true })
  return ['attempt', 'item', 'lane', 'body'].map((table) => file.prepare(`SELECT * FROM ${table}`).all())
}

/** Copies the ledger's files as the end of the process would leave them, with `count` deliveries. */
function copyOf(folder: string, count: number): string {
  const copy = captured(count).folder
  for (const file of ['replays.db', 'replays.db-wal', LOG])
    cpSync(`${folder}/${file}`, `${copy}/${file}`, { recursive: true })
  return copy
}

/** Runs a job with retries and failures, several items at a time. @param each called after each commit */
function drain(folder: string, seed: number, each: (job: number, look: () => void) => void): void {
  const random = seeded(seed)
  const ledger = ledgerIn(folder)
  const job = addJob(ledger).id
  ledger.clearWaiting(addJob(ledger).id)
  const ready: Item[] = [...ledger.waiting(job, 0, 1_000)]
  let flying: { readonly one: NewAttempt; readonly item: Item }[] = []
  let id = 1
  while (ready.length + flying.length > 0) {
    const landed = flying.filter(() => random() < 0.6)
    flying = flying.filter((one) => !landed.includes(one))
    const ends = landed.map(({ one, item }): EndedAttempt => {
      const end: ItemEnd = random() < 0.7 ? 'done' : item.tries < 2 && random() < 0.6 ? 'waiting' : 'failed'
      if (end === 'waiting') ready.unshift({ ...item, tries: item.tries + 1 })
      return ended(one, end, end === 'done' ? 200 : 503)
    })
    const next = ready.splice(0, Math.floor(random() * 5))
    const starting = next.map((item) => ({ one: attemptOf(id++, item), item }))
    flying.push(...starting)
    ledger.commit({ ended: ends, begun: starting.map(({ one }) => one) })
    each(job, () => ledger.counts(job))
  }
  ledger.close()
}

test.each([1, 2, 3])('many commits taken together leave what they leave one by one (seed %i)', (seed) => {
  const [together, single] = [captured(60).folder, captured(60).folder]
  drain(together, seed, () => {})
  drain(single, seed, (_, look) => look())
  expect(rowsIn(together)).toEqual(rowsIn(single))
  expect(rowsIn(together)[0]?.length).toBeGreaterThan(60)
})

test('what was committed and not settled is there when the process ended without closing, once', () => {
  const { folder, ledger: killed } = ledgerOver(3)
  const job = addJob(killed).id
  const [first, second, third] = killed.waiting(job, 0, 3)
  if (!first || !second || !third) throw new Error('nothing waits')
  const one = attemptOf(1, first)
  killed.commit({ ended: [], begun: [one, attemptOf(2, second)] })
  const odd = attempt(3, { deliveryId: 3, headers: ['X', 'caf\xe9 \x80'] })
  killed.commit({ ended: [ended(one)], begun: [odd] })
  const copy = copyOf(folder, 3)

  for (const uncertain of [2, 0]) {
    const next = ledgerIn(copy)
    expect(next.recover()).toBe(uncertain)
    expect(next.attempt(1)).toMatchObject({ state: 'answered', ok: true })
    expect(next.attempt(2)).toMatchObject({ state: 'uncertain' })
    const request = { headers: [{ name: 'X', value: 'caf\xe9 \x80' }] }
    expect(next.attempt(3)).toMatchObject({ state: 'uncertain', request })
    expect(next.waiting(job, 0, 9).map(({ deliveryId, again }) => [deliveryId, again])).toEqual([
      [second.deliveryId, true],
      [third.deliveryId, false],
    ])
    expect(next.counts(job)).toMatchObject({ done: 1, waiting: 2, sending: 0, uncertain: 1 })
    next.close()
  }
})

test('what 0.1 had not taken into its database is taken over, once', () => {
  const { folder, ledger: killed } = ledgerOver(1)
  killed.commit({ ended: [], begun: [attempt(1)] })
  const copy = copyOf(folder, 1)
  const segment = readFileSync(segmentIn(copy))
  const text = segment.subarray(48, 48 + segment.readUInt32LE(8))
  const entry = Buffer.concat([Buffer.alloc(16), text])
  entry.writeUInt32LE(text.length, 0)
  entry.writeDoubleLE(7, 8)
  entry.writeUInt32LE(crc32(entry.subarray(8)), 4)
  writeFileSync(`${copy}/unsettled-attempts`, Buffer.concat([entry, Buffer.alloc(40, 1)]))
  rmSync(`${copy}/${LOG}`, { recursive: true })
  {
    using db = new DatabaseSync(storeFiles(copy).replays)
    db.exec("DELETE FROM followed; INSERT INTO followed VALUES ('generation', 7)")
  }
  const next = ledgerIn(copy)
  expect(next.attempt(1)).toMatchObject({ state: 'sending' })
  expect(existsSync(`${copy}/unsettled-attempts`)).toBe(false)
  next.close()
  expect(ledgerIn(copy).recover()).toBe(1)
})

test('a log that belongs to another database is left alone', () => {
  const { folder, ledger: killed } = ledgerOver(1)
  killed.commit({ ended: [], begun: [attempt(1)] })
  const other = captured(1).folder
  cpSync(`${folder}/${LOG}`, `${other}/${LOG}`, { recursive: true })
  const fresh = ledgerIn(other)
  expect(fresh.attempt(1)).toBeUndefined()
  fresh.commit({ ended: [], begun: [attempt(2)] })
  expect(fresh.attempt(2)).toMatchObject({ state: 'sending' })
})

test('large answers and edited bodies go straight into the database', () => {
  const { folder, ledger } = ledgerOver(1)
  const edited = attempt(1, { editedBody: Buffer.alloc(100_000, 'secret'), edited: true })
  ledger.commit({ ended: [], begun: [edited] })
  expect(logged(folder)).not.toContain('secret')
  expect(ledger.attempt(1)).toMatchObject({ state: 'sending', edited: true })
})

test('nothing of a deleted delivery stays in the log', () => {
  const { store: made, ledger } = ledgerOver(3)
  const one = attempt(1, { headers: ['Authorization', 'very-secret'] })
  commit(ledger, [one], [ended(one)])
  expect(logged(made.folder)).toContain('very-secret')
  made.delete(1)
  ledger.followDeletions()
  expect(logged(made.folder)).toBe('')
})
