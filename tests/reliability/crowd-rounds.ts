import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { LEAN } from '#hosts/launch/project.mjs'
import { runCli, startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'

/** Interval between good deliveries, milliseconds. */
const EVERY_MS = 20
const LINE = `X: ${'y'.repeat(295)}\r\n`

const CROWDS = {
  'slow heads': 'POST /crowd HTTP/1.1\r\nX: ',
  'slow bodies': 'POST /crowd HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{',
  'long heads': `POST /crowd HTTP/1.1\r\n${LINE.repeat(3_300)}`,
  'half bodies': `POST /crowd HTTP/1.1\r\nContent-Length: 20000000\r\n\r\n${'x'.repeat(1_000_000)}`,
} as const
export type CrowdKind = keyof typeof CROWDS

interface CrowdPlan {
  readonly port: number
  readonly seconds: number
  /** Number of connections of each kind; a closed one connects again. */
  readonly counts: Readonly<Partial<Record<CrowdKind, number>>>
}
/** Longest life of a connection of each kind, milliseconds; 0 when none was closed. */
type Held = Partial<Record<CrowdKind, number>>

/** Starts the built product with a connection limit high enough for these rounds. */
async function crowdedHost(dataDir: string) {
  for (const name of ['maxConnections', 'maxConnectionsPerAddress'])
    await runCli(['config', 'set', `receiver.${name}`, '3000', '--data', dataDir])
  const env = { ...LEAN.env, NODE_OPTIONS: LEAN.flags.join(' ') }
  return startHost({ dataDir, args: ['--no-ui'], env })
}

/** Sends good deliveries in sequence while a crowd, in a separate process, connects. */
export async function crowdRound(dataDir: string, counts: CrowdPlan['counts'], seconds: number) {
  const host = await crowdedHost(dataDir)
  try {
    const port = Number(new URL(host.receiverUrl).port)
    const plan: CrowdPlan = { port, seconds, counts }
    const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let over = false
    const ended = text(child.stdout).finally(() => {
      over = true
    })
    const took: number[] = []
    /** Statuses other than 200 of good deliveries; 0 for no answer. */
    const statuses: number[] = []
    while (!over) {
      const began = performance.now()
      const { answers } = await raw({ port }, requestBytes('POST', '/good', '{}'), { timeoutMs: 60_000 })
      took.push(performance.now() - began)
      if (answers[0]?.status !== 200) statuses.push(answers[0]?.status ?? 0)
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
    const held = JSON.parse(await ended) as Held
    return { good: took.length, refused: statuses.length, statuses, ...spread(took), held }
  } finally {
    await host.stop()
  }
}

/** Row 8: sends deliveries over many connections and compares each with the store; `lost`: answered 2xx but not stored. */
export async function burstRound(dataDir: string, connections: number, each: number, seconds: number) {
  const host = await crowdedHost(dataDir)
  const digests = new Map<string, string>()
  const took: number[] = []
  let refused = 0
  try {
    const port = Number(new URL(host.receiverUrl).port)
    const gap = (seconds * 1_000) / each
    await Promise.all(
      Array.from({ length: connections }, async (_, place) => {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        socket.on('error', () => socket.destroy())
        const closed = new Promise<Buffer>((resolve) => socket.once('close', () => resolve(Buffer.alloc(0))))
        const began = performance.now()
        for (let n = 0; n < each; n++) {
          const due = began + gap * (n + place / connections)
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
          const text = 'ñ'.repeat((place * 7 + n) % 900)
          const body = Buffer.from(JSON.stringify({ Event: 'x', place, n, text }))
          const path = `/burst/${place}/${n}`
          const sent = performance.now()
          socket.write(requestBytes('POST', path, body))
          const answered = new Promise<Buffer>((resolve) => socket.once('data', resolve))
          const answer = await Promise.race([answered, closed])
          if (answer.toString('latin1', 9, 10) !== '2') {
            refused += each - n
            break
          }
          took.push(performance.now() - sent)
          digests.set(path, digestOf(body))
        }
        socket.destroy()
      }),
    )
  } finally {
    await host.stop()
  }
  const db = new DatabaseSync(join(dataDir, 'captured.db'), { readOnly: true })
  const rows = db.prepare(
    'SELECT d.url, p.body FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.answer_status BETWEEN 200 AND 299',
  )
  const answered = digests.size
  for (const { url, body } of rows.iterate())
    if (body instanceof Uint8Array && digests.get(String(url)) === digestOf(body)) digests.delete(String(url))
  db.close()
  return { answered, refused, lost: digests.size, ...spread(took) }
}

const digestOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

export function spread(took: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = [...took].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

async function crowd({ port, seconds, counts }: CrowdPlan): Promise<Held> {
  const until = performance.now() + seconds * 1_000
  const held: Held = {}
  const slow = async (kind: CrowdKind) => {
    const bytes = Buffer.from(CROWDS[kind])
    while (performance.now() < until) {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => socket.destroy())
      socket.resume()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      let began = Number.NaN
      socket.once('connect', () => {
        began = performance.now()
        socket.write(bytes)
      })
      const left = until - performance.now()
      const cut = await Promise.race([
        closed.then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), left).unref()),
      ])
      if (cut && !Number.isNaN(began)) held[kind] = Math.max(held[kind] ?? 0, performance.now() - began)
      socket.destroy()
      if (cut) await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const keep = setTimeout(() => {}, seconds * 1_000 + 1_000)
  await Promise.all(
    (Object.keys(counts) as CrowdKind[]).flatMap((kind) =>
      Array.from({ length: counts[kind] ?? 0 }, () => slow(kind)),
    ),
  )
  clearTimeout(keep)
  return held
}

if (process.argv[1] === import.meta.filename && process.argv[2]) {
  process.stdout.write(JSON.stringify(await crowd(JSON.parse(process.argv[2]) as CrowdPlan)))
  process.exit(0)
}
