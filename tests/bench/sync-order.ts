import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { aUuid } from '../support/events.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { invoiceBody } from './event.ts'
import { startAcuse } from './servers.ts'

/** Bytes of each write that strace prints: enough to find the delivery. */
const PRINTED = 20_000

/**
 * Traces the product's system calls: every 2xx must follow an fdatasync of a segment that began after the write of the
 * delivery to that segment. Needs strace.
 */
export async function syncOrder(seconds: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-strace-'))
  const trace = join(folder.path, 'trace')
  const server = await startAcuse({}, join(folder.path, 'data'), ['--no-ui'])
  const calls = 'trace=pwrite64,pwritev,pwritev2,fdatasync,fsync,write,writev,sendto,sendmsg,read,recvfrom'
  const watcher = spawn(
    'strace',
    ['-f', '-ttt', '-y', '-s', String(PRINTED), '-e', calls, '-o', trace, '-p', String(server.child.pid)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await once(watcher.stderr, 'data')
  await wait(500)
  // In sequence, each with a unique id, by which `judge` finds the delivery in the writes to the log.
  const port = Number(server.url.port)
  const until = performance.now() + seconds * 1_000
  for (let n = 1; performance.now() < until; n++)
    await raw({ port }, requestBytes('POST', '/', invoiceBody(aUuid(n + 0x10_000))))
  watcher.kill('SIGINT')
  await once(watcher, 'exit')
  await server.stop()
  return judge(readFileSync(trace, 'utf8').split('\n'))
}

/** Reads the trace in time order. Of `unfinished … resumed` pairs the end counts for syncs, and the start for answers. */
function judge(lines: readonly string[]) {
  let answers = 0
  /** Number of answers without an earlier sync that began after the delivery's write. */
  let early = 0
  let id = ''
  let stage: 'asked' | 'written' | 'synced' = 'asked'
  const syncing = new Set<string>()
  for (const line of lines) {
    const thread = line.slice(0, line.indexOf(' '))
    if (/(read|recvfrom)\(\d+<(TCP|socket)/.test(line) && line.includes('"POST ')) {
      id = ID.exec(line)?.[0] ?? ''
      stage = 'asked'
      syncing.clear()
    } else if (/pwrite(64|v|v2)\(\d+<[^>]*\.segment>/.test(line)) {
      if (id !== '' && stage === 'asked' && line.includes(id)) stage = 'written'
    } else if (/f(data)?sync\(\d+<[^>]*\.segment>/.test(line)) {
      if (stage !== 'written') continue
      if (line.includes('unfinished')) syncing.add(thread)
      else stage = 'synced'
    } else if (/f(data)?sync resumed/.test(line)) {
      if (syncing.delete(thread)) stage = 'synced'
    } else if (/(write|writev|sendto|sendmsg)\(\d+<(TCP|socket)/.test(line) && /HTTP\/1\.1 2/.test(line)) {
      answers++
      if (stage !== 'synced') early++
    }
  }
  return { answers, early }
}

const ID = /5f0c1d2e-3b4a-4c5d-8e6f-0000000[0-9a-f]{5}/
