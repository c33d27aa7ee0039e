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

/** Bytes of each write that strace prints: a batch of more than 20 deliveries. */
const PRINTED = 65_536

/**
 * Traces the product's system calls: every 2xx must follow an fdatasync of a segment that began after the write of the
 * delivery to that segment. Needs strace.
 */
export async function syncOrder(seconds: number, connections: number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-strace-'))
  const trace = join(folder.path, 'trace')
  const server = await startAcuse({}, join(folder.path, 'data'), ['--no-ui'])
  const calls = 'trace=pwrite64,pwritev,pwritev2,fdatasync,fsync,write,writev,sendto,sendmsg,read,recvfrom'
  const watcher = spawn(
    'strace',
    [
      '-f',
      '-ttt',
      '-y',
      '-v',
      '-s',
      String(PRINTED),
      '-e',
      calls,
      '-o',
      trace,
      '-p',
      String(server.child.pid),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await once(watcher.stderr, 'data')
  await wait(500)
  // Each with a unique id, by which `judge` finds the delivery in the writes to the log.
  const port = Number(server.url.port)
  const until = performance.now() + seconds * 1_000
  let n = 0x10_000
  const send = async () => {
    while (performance.now() < until) await raw({ port }, requestBytes('POST', '/', invoiceBody(aUuid(n++))))
  }
  await Promise.all(Array.from({ length: connections }, send))
  watcher.kill('SIGINT')
  await once(watcher, 'exit')
  await server.stop()
  return { sent: n - 0x10_000, ...judge(readFileSync(trace, 'utf8').split('\n')) }
}

interface Asked {
  readonly id: string
  /** The segment that has it; undefined until it is written. */
  segment?: string
  synced?: boolean
}

/** Reads the trace in time order. Of `unfinished … resumed` pairs the end counts for syncs, and the start for answers. */
function judge(lines: readonly string[]) {
  let answers = 0
  /** Number of answers without an earlier sync that began after the delivery's write. */
  let early = 0
  /** By the descriptor of the connection. */
  const asked = new Map<string, Asked>()
  /** By thread: the connection that it reads. */
  const reading = new Map<string, string>()
  /** By thread: what a sync in progress covers. */
  const syncing = new Map<string, readonly Asked[]>()
  const finish = (covered: readonly Asked[] = []) => {
    for (const one of covered) one.synced = true
  }
  for (const line of lines) {
    const thread = line.slice(0, line.indexOf(' '))
    const [, connection = ''] = /\((\d+)<(?:TCP|socket)/.exec(line) ?? []
    const [, segment = ''] = /\(\d+<([^>]*\.segment)>/.exec(line) ?? []
    if (/(read|recvfrom)(\(| resumed)/.test(line)) {
      if (line.includes('unfinished')) reading.set(thread, connection)
      const [id] = line.includes('"POST ') ? (ID.exec(line) ?? []) : []
      if (id !== undefined) asked.set(connection || (reading.get(thread) ?? ''), { id })
    } else if (/pwrite(64|v|v2)\(/.test(line) && segment !== '') {
      for (const one of asked.values())
        if (one.segment === undefined && line.includes(one.id)) one.segment = segment
    } else if (/f(data)?sync\(/.test(line) && segment !== '') {
      const covered = [...asked.values()].filter((one) => one.segment === segment)
      if (line.includes('unfinished')) syncing.set(thread, covered)
      else finish(covered)
    } else if (/f(data)?sync resumed/.test(line)) {
      finish(syncing.get(thread))
      syncing.delete(thread)
    } else if (
      /(write|writev|sendto|sendmsg)\(/.test(line) &&
      connection !== '' &&
      /HTTP\/1\.1 2/.test(line)
    ) {
      answers++
      if (asked.get(connection)?.synced !== true) early++
    }
  }
  return { answers, early }
}

const ID = /5f0c1d2e-3b4a-4c5d-8e6f-0000000[0-9a-f]{5}/
