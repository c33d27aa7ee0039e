import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryRow } from '#contract/delivery.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { startHost } from '../support/host.ts'
import { openTestStore } from '../support/store.ts'

const SENDERS = 8

/**
 * Starts the built product, loads it, kills it with SIGKILL at a random moment, starts it again on the same data, and so on; then joins
 * the senders' ledgers with what is stored.
 * @param random gives numbers in [0, 1), seeded by the caller
 */
export async function killRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-kill-'))
  const dataDir = join(folder.path, 'data')
  const ledgers: string[] = []
  /** Rounds after which the database's integrity check said anything but ok. */
  let damaged = 0
  /** From the restart until it listened again, milliseconds. */
  let slowestStart = 0
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const host = await startHost({ dataDir, args: ['--no-ui'] })
    slowestStart = Math.max(slowestStart, performance.now() - startedAt)
    const begun = startSenders(host.receiverUrl, folder.path, SENDERS, `ledger-${round}-`)
    ledgers.push(...begun.ledgers)
    // Senders are programs that have to start: on a busy machine most of them would be killed before their first word.
    await answeredIn(begun.ledgers)
    await wait(50 + random() * 1450)
    await host.kill()
    await begun.ended
    if (!integrityOk(join(dataDir, 'captured.db'))) damaged++
  }
  const { lost, doubled, answered } = await join2xx(dataDir, ledgers)
  return { rounds, answered, lost, doubled, damaged, slowestStart }
}

/** Senders as fast as the answers, each a process with a ledger of its own. `ended` resolves when all of them have ended. */
export function startSenders(receiver: string, folder: string, count: number, prefix = 'ledger-') {
  const { hostname, port } = new URL(receiver)
  const ledgers = Array.from({ length: count }, (_, n) => join(folder, prefix + n))
  const script = join(import.meta.dirname, '../support/ledger-sender.ts')
  const senders = ledgers.map((ledger) =>
    spawn(process.execPath, [script, hostname, port, ledger], { stdio: 'ignore' }),
  )
  return { ledgers, senders, ended: Promise.all(senders.map((sender) => once(sender, 'exit'))) }
}

export async function answeredIn(ledgers: readonly string[]): Promise<void> {
  const until = performance.now() + 20_000
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  while (performance.now() < until && !ledgers.some((file) => size(file) > 0)) await wait(20)
}

function integrityOk(file: string): boolean {
  using database = new DatabaseSync(file)
  return database.prepare('pragma integrity_check').get()?.integrity_check === 'ok'
}

/** What was answered 2xx; `lost`: of that, what is not in the store byte for byte. */
export async function join2xx(dataDir: string, ledgers: readonly string[]) {
  const stored = new Map<string, string[]>()
  await using opened = await openTestStore(dataDir)
  const { deliveries } = opened.store
  for (let after: number | null = null; ; ) {
    const rows: DeliveryRow[] = await deliveries.scan(EVERYTHING, { after, limit: 1_000 })
    for (const row of rows) {
      const slice = await deliveries.body(row.id, 'raw', 0, row.size || 1)
      const digest = createHash('sha256')
        .update(Buffer.from(slice?.bytesBase64 ?? '', 'base64'))
        .digest('hex')
      const token = row.url.slice('/ledger/'.length)
      stored.set(token, [...(stored.get(token) ?? []), digest])
    }
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  let lost = 0
  let answered = 0
  for (const ledger of ledgers)
    for (const line of readFileSync(ledger, 'utf8').split('\n').filter(Boolean)) {
      const [token = '', digest = '', status = ''] = line.split(' ')
      if (!status.startsWith('2')) continue
      answered++
      if (!stored.get(token)?.includes(digest)) lost++
    }
  const doubled = [...stored.values()].filter((digests) => digests.length > 1).length
  return { lost, doubled, answered }
}
