import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { addJob, attempt, attemptOf, captured, counts, everything, ledgerIn, options } from './support.ts'

const CHILD = new URL('./committing-child.ts', import.meta.url).pathname
const COUNT = 2_000

interface Sent {
  readonly attempt: number
  readonly delivery: number
  readonly again: boolean
}

/** Runs a process that drains the job. @param lines after which it is killed; null: it comes to its end */
async function drain(folder: string, job: number, lines: number | null): Promise<void> {
  const child = spawn(process.execPath, [CHILD, folder, String(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text.split('\n').length - 1
    if (lines !== null && seen >= lines) child.kill('SIGKILL')
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(lines === null ? 0 : null)
}

function sentIn(folder: string): Sent[] {
  const lines = readFileSync(`${folder}/sent.txt`, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [id, delivery, again] = line.split(' ')
    return { attempt: Number(id), delivery: Number(delivery), again: again === 'true' }
  })
}

test('killed again and again: nothing is skipped, only what was on its way is sent again, and marked so', async () => {
  const { folder } = captured(COUNT)
  const ledger = ledgerIn(folder)
  const job = addJob(ledger, everything, options(), 0).id
  ledger.close()
  for (const lines of [1, 90, 200, 50, 100]) await drain(folder, job, lines)
  await drain(folder, job, null)
  const sent = sentIn(folder)

  const after = ledgerIn(folder)
  expect(after.recover()).toBe(0)
  const uncertain = after.counts(job).uncertain
  expect(uncertain).toBeGreaterThan(0)
  expect(uncertain).toBeLessThanOrEqual(5 * 4)
  expect(after.counts(job)).toEqual(counts({ total: COUNT, done: COUNT, uncertain }))
  expect(new Set(sent.map(({ delivery }) => delivery)).size).toBe(COUNT)
  expect(new Set(sent.map((one) => one.attempt)).size).toBe(sent.length)

  const rows = after.attempts({ of: { job }, limit: 10_000 })
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  // Each that went out was on disk before; a killed process may have had some on disk that it never came to send.
  for (const one of sent) expect(states.get(one.attempt)).toMatch(/answered|uncertain/)
  const doubtful = rows.filter(({ state }) => state === 'uncertain')
  expect(doubtful).toHaveLength(uncertain)
  for (const { deliveryId, id } of doubtful) {
    const later = rows.filter((row) => row.deliveryId === deliveryId && row.id > id)
    expect(later.length).toBeGreaterThan(0)
    expect(later.every(({ again }) => again)).toBe(true)
  }
  const repeated = rows
    .filter(({ again }) => !again)
    .map(({ deliveryId, tryNumber }) => `${deliveryId} ${tryNumber}`)
  expect(new Set(repeated).size).toBe(repeated.length)
  expect(rows.filter(({ state, ok }) => state === 'answered' && ok)).toHaveLength(rows.length - uncertain)
  after.close()
  using file = new DatabaseSync(storeFiles(folder).replays)
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
}, 60_000)

test('after a restart jobs that ran are paused by it, what was on its way waits again, attempts by hand are uncertain', () => {
  const { folder } = captured(3)
  const ledger = ledgerIn(folder)
  const ran = addJob(ledger, everything, options(), 0).id
  const paused = addJob(ledger, everything, options(), 0).id
  const stopped = addJob(ledger, everything, options(), 0).id
  const begunOnly = addJob(ledger, everything, options(), 0).id
  ledger.changeJob(ran, { state: 'running' })
  ledger.changeJob(paused, { pausedBy: 'user' })
  ledger.changeJob(stopped, { state: 'stopped' })
  const [item] = ledger.waiting(ran, 0, 1)
  if (!item) throw new Error('nothing waits')
  ledger.commit({ ended: [], begun: [attemptOf(1, item), attempt(2, { deliveryId: 3 })] })
  ledger.close()

  const next = ledgerIn(folder)
  expect(next.recover()).toBe(2)
  expect(
    [ran, paused, stopped, begunOnly].map((id) => [next.job(id)?.state, next.job(id)?.pausedBy]),
  ).toEqual([
    ['paused', 'restart'],
    ['paused', 'user'],
    ['stopped', null],
    ['paused', 'restart'],
  ])
  expect(next.counts(ran)).toEqual(counts({ total: 3, waiting: 3, uncertain: 1 }))
  expect(next.waiting(ran, 0, 1)).toEqual([{ ...item, tries: 1, again: true }])
  expect(next.attempt(2)).toMatchObject({ state: 'uncertain', ok: null, tookUs: null, answer: null })
  expect(next.attempts({ of: { job: ran }, failed: true, limit: 9 }).map(({ id }) => id)).toEqual([1])
})
