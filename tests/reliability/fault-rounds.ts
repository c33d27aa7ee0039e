import { mkdtempDisposableSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { connectLocal } from '#hosts/local/client.ts'
import { sizeOf } from '#storage/disk/files.ts'
import { startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { until } from '../support/until.ts'
import { join2xx, sentIn, startSenders } from './kill-rounds.ts'

const HOUR_MS = 3_600_000
const SENDERS = 6

interface Trouble {
  readonly name: string
  /** As faulty-disk.ts reads it. */
  readonly fault: string
  /** Whether another program removes the segments meanwhile. */
  readonly removes?: boolean
  /** Whether each delivery is refused until the fault ends. */
  readonly refuses: boolean
}

export const TROUBLES: readonly Trouble[] = [
  { name: 'EIO on each write', fault: 'write EIO', refuses: true },
  { name: 'EIO on a third of the writes', fault: 'write EIO 0.3', refuses: false },
  { name: 'EIO on each fdatasync', fault: 'sync EIO', refuses: true },
  { name: 'EIO on a third of the fdatasyncs', fault: 'sync EIO 0.3', refuses: false },
  { name: 'ENOSPC on each write', fault: 'write ENOSPC', refuses: true },
  { name: 'ENOSPC on a third of the writes', fault: 'write ENOSPC 0.3', refuses: false },
  { name: 'segments removed', fault: '', removes: true, refuses: false },
  { name: 'segments removed from a read-only folder', fault: 'folder EROFS', removes: true, refuses: true },
  { name: 'clock set back by an hour', fault: `clock ${HOUR_MS}`, refuses: false },
]

/** The built product on a disk and a clock whose faults the caller sets. */
async function faultyHost(folder: string) {
  const file = join(folder, 'fault')
  const layer = pathToFileURL(join(import.meta.dirname, '../support/faulty-disk.ts'))
  const dataDir = join(folder, 'data')
  const env = { ACUSE_TEST_FAULT: file, NODE_OPTIONS: `--import ${layer}` }
  const host = await startHost({ dataDir, args: ['--no-ui'], env })
  return { host, dataDir, set: (fault: string) => writeFileSync(file, fault) }
}

/** Senders at work during each trouble, and after it. @param ms duration of each @param troubles in turn, on the same data */
export async function faultRounds(ms: number, troubles = TROUBLES) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-faults-'))
  const { host, dataDir, set } = await faultyHost(folder.path)
  const all: string[] = []
  const send = async (prefix: string, during: () => unknown) => {
    const { ledgers, senders, ended } = startSenders(host.receiverUrl, folder.path, SENDERS, prefix)
    all.push(...ledgers)
    await until(() => ledgers.every((ledger) => sizeOf(ledger) > 0))
    await during()
    for (const sender of senders) sender.kill('SIGKILL')
    await ended
    const sent = sentIn(ledgers)
    const taken = sent.filter((one) => one.taken).length
    return { taken, refused: sent.length - taken }
  }
  const rounds = []
  for (const [nth, { name, fault, removes, refuses }] of troubles.entries()) {
    set(fault)
    if (removes)
      for (const segment of readdirSync(join(dataDir, 'log'))) rmSync(join(dataDir, 'log', segment))
    const during = await send(`during-${nth}-`, () => wait(ms))
    set('')
    const after = await send(`after-${nth}-`, () => wait(ms / 2))
    rounds.push({ name, refuses, during, after })
  }
  const client = await connectLocal(dataDir)
  if (!client) throw new Error('the host does not answer on its local socket')
  const { store } = await until(
    () => client.call('status.get', {}),
    ({ store, counts }) => store.state === 'ok' && counts.unfiled === 0,
  )
  await client.close()
  await host.kill()
  const outcome = await join2xx(dataDir, all)
  return { rounds, ...outcome, logProblems: store.logProblems }
}

/** Holds the syncs of the log while requests arrive. @returns how many were answered until the syncs went on, and afterwards */
export async function heldSyncs(requests: number, ms: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-held-'))
  const { host, set } = await faultyHost(folder.path)
  const port = Number(new URL(host.receiverUrl).port)
  set('sync held')
  let answered = 0
  const asked = Array.from({ length: requests }, async (_, n) => {
    const { answers } = await raw({ port }, requestBytes('POST', `/${n}`, '{}'))
    if (answers[0]?.status === 200) answered += 1
  })
  await wait(ms)
  const before = answered
  set('')
  await Promise.all(asked)
  await host.kill()
  return [before, answered]
}
