import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { FilingWriter } from '../support/filing-writer.ts'
import { startHost } from '../support/host.ts'
import { everyRow, openTestStore } from '../support/store.ts'
import { until } from '../support/until.ts'

const SENDERS = 8

/**
 * In rounds on the same data: starts the built product, loads it, and kills it with SIGKILL at a random moment. Then compares
 * the senders' ledgers with the stored deliveries.
 * @param random gives numbers in [0, 1), seeded by the caller
 */
export async function killRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-kill-'))
  const dataDir = join(folder.path, 'data')
  const ledgers: string[] = []
  /** Number of rounds after which the database's integrity check failed. */
  let damaged = 0
  /** Longest time from a restart until the receiver listens, milliseconds. */
  let slowestStart = 0
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const host = await startHost({ dataDir, args: ['--no-ui'] })
    slowestStart = Math.max(slowestStart, performance.now() - startedAt)
    const begun = startSenders(host.receiverUrl, folder.path, SENDERS, `ledger-${round}-`)
    ledgers.push(...begun.ledgers)
    // Senders are processes: on a busy machine a kill would hit most of them before their first request.
    await answeredIn(begun.ledgers)
    await wait(50 + random() * 1450)
    await host.kill()
    await begun.ended
    if (!integrityOk(join(dataDir, 'captured.db'))) damaged++
  }
  const { lost, doubled, answered } = await join2xx(dataDir, ledgers)
  return { rounds, answered, lost, doubled, damaged, slowestStart }
}

/**
 * In rounds on the same folder: kills a process that appends, files, checkpoints and recycles segments, at a random moment. Then
 * compares its ledger with the filed deliveries.
 * @param random gives numbers in [0, 1), seeded by the caller
 */
export async function filingKillRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-filing-kill-'))
  const ledger = join(folder.path, 'ledger')
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const script = join(import.meta.dirname, '../support/filing-child.ts')
  for (let round = 0; round < rounds; round++) {
    const before = sizeOf(ledger)
    const child = spawn(process.execPath, [script, dataDir, ledger, String(round)], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await until(() => sizeOf(ledger) > before || child.exitCode !== null)
    await wait(random() * 500)
    child.kill('SIGKILL')
    await ended
  }
  const last = new FilingWriter(dataDir)
  last.writer.idle()
  const problems = last.told.filter(([name]) => name === 'logProblem')
  const filed = last.close().map((body) => `${body.split(' ')[0]} ${body.length}`)
  const log = join(dataDir, 'log')
  const room = readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0)
  const answered = linesIn(ledger)
  const known = new Set(filed)
  return {
    answered: answered.length,
    lost: answered.filter((line) => !known.has(line)),
    doubled: filed.length - known.size,
    problems,
    damaged: !integrityOk(join(dataDir, 'captured.db')),
    // How many times the log wrapped around.
    recycled: answered.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0) / room,
  }
}

/** Starts senders without pauses, each a process with its own ledger. `ended` resolves when all of them have ended. */
export function startSenders(receiver: string, folder: string, count: number, prefix = 'ledger-') {
  const { hostname, port } = new URL(receiver)
  const ledgers = Array.from({ length: count }, (_, n) => join(folder, prefix + n))
  const script = join(import.meta.dirname, '../support/ledger-sender.ts')
  const senders = ledgers.map((ledger) =>
    spawn(process.execPath, [script, hostname, port, ledger], { stdio: 'ignore' }),
  )
  return { ledgers, senders, ended: Promise.all(senders.map((sender) => once(sender, 'exit'))) }
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

export const answeredIn = (ledgers: readonly string[]) => until(() => ledgers.some(sizeOf))

function integrityOk(file: string): boolean {
  using database = new DatabaseSync(file)
  return database.prepare('pragma integrity_check').get()?.integrity_check === 'ok'
}

/** Counts answers: `answered` 2xx, `refused` other; `lost`: answered 2xx but not stored byte for byte. */
export async function join2xx(dataDir: string, ledgers: readonly string[]) {
  const stored = new Map<string, string[]>()
  await using opened = await openTestStore(dataDir)
  // Lists wait only a moment for what a kill left unfiled.
  await until(() => opened.store.status().counts.unfiled === 0)
  for (const row of await everyRow(opened.store)) {
    const slice = await opened.store.deliveries.body(row.id, 'raw', 0, row.size || 1)
    const digest = createHash('sha256')
      .update(Buffer.from(slice?.bytesBase64 ?? '', 'base64'))
      .digest('hex')
    const token = row.url.slice('/ledger/'.length)
    stored.set(token, [...(stored.get(token) ?? []), digest])
  }
  const sent = sentIn(ledgers)
  const answered = sent.filter(({ taken }) => taken)
  const lost = answered.filter(({ token, digest }) => !stored.get(token)?.includes(digest)).length
  const doubled = [...stored.values()].filter((digests) => digests.length > 1).length
  return { lost, doubled, refused: sent.length - answered.length, answered: answered.length }
}

const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** Parses the senders' ledgers; `taken`: answered 2xx. */
export const sentIn = (ledgers: readonly string[]) =>
  ledgers.flatMap(linesIn).map((line) => {
    const [token = '', digest = '', status = ''] = line.split(' ')
    return { token, digest, taken: status.startsWith('2') }
  })
