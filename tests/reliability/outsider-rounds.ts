import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectLocal } from '#hosts/local/client.ts'
import { runCli, startHost } from '../support/host.ts'
import { until } from '../support/until.ts'
import { overwrite } from './damage-rounds.ts'
import { answeredIn, join2xx, sentIn, startSenders } from './kill-rounds.ts'

const LOOK_MS = 50

/** Starts the built product in a folder, with four senders that have been answered. */
async function loaded(folder: string) {
  const dataDir = join(folder, 'data')
  const host = await startHost({ dataDir, args: ['--no-ui'] })
  const load = startSenders(host.receiverUrl, folder, 4)
  await answeredIn(load.ledgers)
  // By then the side files and the reading threads' locks exist.
  await wait(1_000)
  return { ...load, host, dataDir, file: join(dataDir, 'captured.db') }
}

const locking = (file: string, lockMs: number, pauseMs: string) => {
  const script = join(import.meta.dirname, '../support/outside-connection.ts')
  return program(process.execPath, [script, file, String(lockMs), pauseMs])
}

/**
 * Loads the built product while other programs use its database: node:sqlite throughout, python3 and the sqlite3 shell where they are
 * installed. Then kills it with SIGKILL and compares the senders' ledgers with the stored deliveries.
 * @param firstLockMs duration of the first lock; longer than the writer waits, so that it closes its connection and opens another
 */
export async function outsiderRounds(durationMs: number, firstLockMs: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-outsider-'))
  const { dataDir, host, file, ledgers, ended, senders } = await loaded(folder.path)
  const inodes = () => ['', '-wal', '-shm'].map((suffix) => inodeOf(file + suffix))
  const before = inodes()
  /** Number of rounds in which another program locked, read and closed captured.db. */
  let rounds = 0
  const outsider = locking(file, firstLockMs, '40')
  outsider.stdout?.on('data', (text: Buffer) => {
    rounds += text.toString().split('locked').length - 1
  })
  const end = performance.now() + durationMs
  let looks = 0
  /** Number of checks of /proc/locks without a lock of ours on captured.db. */
  let unlocked = 0
  for (let turn = 0; performance.now() < end; turn++) {
    await wait(LOOK_MS)
    if (turn % 20 === 10) otherPrograms(file)
    if (!existsSync('/proc/locks')) continue
    looks += 1
    if (!isLocked(host.pid, before[0] ?? '')) unlocked += 1
  }
  outsider.kill('SIGKILL')
  await once(outsider, 'exit')
  for (const sender of senders) sender.kill('SIGKILL')
  await ended
  // captured.db or side files that are no longer the same file.
  const replaced = ['', '-wal', '-shm'].filter((_, index) => inodes()[index] !== before[index])
  // Answered 2xx, but not listed while Acuse still runs.
  const unlisted = await missingFromLists(dataDir, ledgers)
  await host.kill()
  const setAside = readdirSync(dataDir).filter((name) => name.includes('damaged'))
  const { lost, doubled, refused, answered } = await join2xx(dataDir, ledgers)
  return { rounds, answered, unlocked, looks, replaced, setAside, unlisted, lost, doubled, refused }
}

/**
 * Loads the built product while another program locks its database, which is replaced and damaged meanwhile. Compares the senders'
 * ledgers with the deliveries that are stored at the end.
 */
export async function replacedRound(lockMs: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-replaced-'))
  const { dataDir, host, file, ledgers, ended, senders } = await loaded(folder.path)
  copyFileSync(file, join(folder.path, 'other'))
  const outsider = locking(file, lockMs, '0')
  // The first line comes at the end of the lock.
  const over = once(outsider.stdout ?? outsider, 'data')
  await wait(lockMs / 2)
  renameSync(join(folder.path, 'other'), file)
  overwrite(file, 0, Buffer.alloc(100, 0xa5))
  await over
  outsider.kill('SIGKILL')
  const client = await connectLocal(dataDir)
  if (!client) throw new Error('the host does not answer on its local socket')
  const status = () => client.call('status.get', {})
  await until(status, ({ store }) => store.state === 'ok' && store.incidents.length > 0)
  await wait(1_000)
  for (const sender of senders) sender.kill('SIGKILL')
  await ended
  const { store } = await until(status, ({ counts }) => counts.unfiled === 0)
  await client.close()
  await host.kill()
  const kinds = store.incidents.map(({ kind }) => kind)
  return { kinds, logProblems: store.logProblems, ...(await join2xx(dataDir, ledgers)) }
}

const inodeOf = (path: string): string => String(statSync(path, { throwIfNoEntry: false })?.ino)

const program = (command: string, args: readonly string[]): ChildProcess =>
  spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })

function otherPrograms(file: string): void {
  const sql = 'BEGIN IMMEDIATE; SELECT count(*) FROM delivery; COMMIT;'
  spawnSync('sqlite3', [file, sql], { stdio: 'ignore' })
  const script =
    'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("SELECT count(*) FROM delivery").fetchall(); c.close()'
  spawnSync('python3', ['-c', script, file], { stdio: 'ignore' })
}

/** Linux lists every POSIX lock with its process and inode: `1: POSIX ADVISORY READ 4711 00:2a:8915 1073741826 1073742335`. */
function isLocked(pid: number, inode: string): boolean {
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => {
      const [, , , , owner, file] = line.trim().split(/\s+/)
      return owner === String(pid) && file?.split(':')[2] === inode
    })
}

/** Polls the running product until it lists all answered deliveries, at most 20 s. @returns the number of missing ones */
async function missingFromLists(dataDir: string, ledgers: readonly string[]): Promise<number> {
  const answered = sentIn(ledgers).filter(({ taken }) => taken)
  let missing = answered.length
  const end = performance.now() + 20_000
  while (missing > 0 && performance.now() < end) {
    const { stdout } = await runCli(['events', '--data', dataDir, '--json'])
    const listed = new Set([...stdout.matchAll(/"url":"\/ledger\/([^"]+)"/g)].map(([, token]) => token))
    missing = answered.filter(({ token }) => !listed.has(token)).length
  }
  return missing
}
