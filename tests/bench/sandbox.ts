import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { ROUTES } from '#catalog/service.ts'
import { type Figure, median, report } from './report.ts'
import { startBare } from './servers.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DOCUMENTS = 100_000
const EVENTS = 5_000
const PAGES = 40

interface Ready {
  readonly sandbox: string
  readonly admin: string
  readonly apiKey: string
}

/** Row P15 and the sandbox's own figures: dispatch to a bare receiver, pages of 500 among 100,000 documents, memory. */
export async function sandbox(repeats: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-bench-sandbox-'))
  const args = ['out/main/cli.js', 'sandbox', '--data', folder, '--port', '0', '--json']
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const ready = JSON.parse(line) as Ready
  const ended = once(child, 'exit')
  try {
    const dispatched: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) dispatched.push(await dispatch(ready))
    await admin(ready, 'POST', '/scenarios/burst', { count: DOCUMENTS })
    const accounting = await pages(
      ready,
      ROUTES.accountingSync.path,
      '&from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z',
    )
    const treasury = await pages(ready, ROUTES.treasurySync.path, '')
    const memory =
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
    const figures: Figure[] = [
      ['–', 'events dispatched to a bare receiver', '–', '/s', dispatched],
      ['P15', `accounting-sync, page of 500 among ${DOCUMENTS} documents`, '≤ 25 ms', 'ms', accounting],
      ['P15', `treasury-sync, page of 500 among ${DOCUMENTS} documents`, '≤ 25 ms', 'ms', treasury],
      ['–', 'pages of 500 a second', '–', '/s', [1_000 / median(accounting), 1_000 / median(treasury)]],
      ['–', 'resident memory at the end', '–', 'MB', [memory]],
    ]
    report('sandbox', figures, { dispatched, accounting, treasury, memory })
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** @returns events per second from the call that makes them until the last is answered */
async function dispatch(ready: Ready): Promise<number> {
  const receiver = await startBare()
  const { id } = (await admin(ready, 'POST', '/subscriptions', { url: receiver.url.href })) as { id: number }
  const from = performance.now()
  await admin(ready, 'POST', '/scenarios/burst', { count: EVENTS })
  while (((await admin(ready, 'GET', '/log?limit=1&brief=true')) as { pending: number }).pending > 0)
    await wait(20)
  const seconds = (performance.now() - from) / 1_000
  await admin(ready, 'DELETE', `/subscriptions/${id}`)
  await receiver.stop()
  return EVENTS / seconds
}

/** Walks a route from its beginning. @returns milliseconds per page */
async function pages(ready: Ready, path: string, range: string): Promise<number[]> {
  const times: number[] = []
  let cursor = range
  for (let page = 0; page < PAGES; page++) {
    const began = performance.now()
    const answer = await fetch(`${ready.sandbox}${path}?pageSize=500${cursor}`, {
      headers: { 'X-Api-Key': ready.apiKey },
    })
    const body = (await answer.json()) as {
      items: { IssuedAt: string }[]
      hasMore: boolean
      nextFrom?: string
      nextAfterDocumentId?: string
    }
    times.push(performance.now() - began)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`)
    if (!body.hasMore) break
    const last = body.items.at(-1)?.IssuedAt ?? ''
    cursor = body.nextFrom
      ? `&from=${encodeURIComponent(body.nextFrom)}&afterDocumentId=${body.nextAfterDocumentId}`
      : `&from=${encodeURIComponent(last)}&to=2100-01-01T00:00:00Z`
  }
  return times
}

async function admin(ready: Ready, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${ready.sandbox}/_sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${ready.admin}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
