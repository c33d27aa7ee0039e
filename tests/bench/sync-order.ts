import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { invoiceBody } from './event.ts'
import { load } from './load.ts'
import { startAcuse } from './servers.ts'

export interface SyncOrder {
  readonly answers: number
  /** Answers that were written although no sync had begun after the write that carried their delivery. */
  readonly early: number
}

/**
 * Watches the system calls of the running product: every 2xx must follow an fdatasync/fsync of the write-ahead log that began after the
 * log's write that holds its row. Needs strace.
 */
export async function syncOrder(seconds: number): Promise<SyncOrder> {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-strace-'))
  const trace = join(folder, 'trace')
  const server = await startAcuse({}, join(folder, 'data'), ['--no-ui'])
  const calls = 'trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg,read,recvfrom'
  const watcher = spawn(
    'strace',
    ['-f', '-ttt', '-y', '-s', '64', '-e', calls, '-o', trace, '-p', String(server.child.pid)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  await once(watcher.stderr, 'data')
  await wait(500)
  // One connection: answers are then in one order with the commits, which is what the trace can show without looking into the log.
  const plan = {
    host: server.url.hostname,
    port: Number(server.url.port),
    path: '/',
    connections: 1,
    seconds,
    body: invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d'),
  }
  await load(plan)
  watcher.kill('SIGINT')
  await once(watcher, 'exit')
  await server.stop()
  const outcome = judge(readFileSync(trace, 'utf8').split('\n'))
  rmSync(folder, { recursive: true, force: true })
  return outcome
}

/** Walks the trace in time order; `unfinished … resumed` pairs are taken at their end for syncs and at their start for answers. */
function judge(lines: readonly string[]): SyncOrder {
  let answers = 0
  let early = 0
  let requestSeen = false
  let written = false
  let synced = false
  const syncing = new Set<string>()
  for (const line of lines) {
    const thread = line.slice(0, line.indexOf(' '))
    if (/(read|recvfrom)\(\d+<(TCP|socket)/.test(line) && /"POST /.test(line)) {
      requestSeen = true
      written = false
      synced = false
    } else if (/pwrite64\(\d+<[^>]*captured\.db-wal>/.test(line)) {
      written = true
      synced = false
    } else if (/f(data)?sync\(\d+<[^>]*captured\.db-wal>/.test(line)) {
      if (line.includes('unfinished')) syncing.add(thread)
      else if (written) synced = true
    } else if (/f(data)?sync resumed/.test(line) && syncing.delete(thread)) {
      if (written) synced = true
    } else if (/(write|writev|sendto|sendmsg)\(\d+<(TCP|socket)/.test(line) && /HTTP\/1\.1 2/.test(line)) {
      answers++
      if (!(requestSeen && written && synced)) early++
    }
  }
  return { answers, early }
}
