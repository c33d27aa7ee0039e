import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { percentile } from './report.ts'

export interface LoadPlan {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly bodies: readonly string[]
  /** Whether the first UUID of each body changes in every round, so that documents are new and no delivery is a duplicate. */
  readonly renewed?: boolean
  /** Requests per second over all connections; default: each connection sends as soon as it has an answer. */
  readonly rate?: number
}
export interface LoadResult {
  readonly perSecond: number
  readonly requests: number
  readonly errors: number
  readonly p50: number
  readonly p99: number
}

/**
 * Load on keep-alive connections: each sends its next request after the last answer, and with a rate not before the request is
 * due. Latencies in milliseconds, not corrected for coordinated omission.
 * @param stop ends it before its time
 */
export const load = (plan: LoadPlan, cpus?: string, stop?: AbortSignal): Promise<LoadResult> =>
  inProcess(import.meta.filename, plan, cpus, stop)

/** Runs a plan in a separate process, which can be pinned to another core than the server. */
export async function inProcess<Result>(
  file: string,
  plan: object,
  cpus?: string,
  stop?: AbortSignal,
): Promise<Result> {
  const node = [process.execPath, file]
  const [command, ...args] =
    cpus !== undefined && process.platform === 'linux' ? ['taskset', '-c', cpus, ...node] : node
  const child = spawn(command ?? process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(plan))
  stop?.addEventListener('abort', () => child.kill('SIGTERM'))
  const [result] = await Promise.all([json(child.stdout), once(child, 'exit')])
  return result as Result
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/

async function run({ url, bodies, renewed, connections, seconds, rate }: LoadPlan): Promise<LoadResult> {
  const { hostname, port, host, pathname } = new URL(url)
  const requests = bodies.map((body) =>
    Buffer.from(
      `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const ids = requests.map((request) => (renewed ? request.toString('latin1').search(UUID) : -1))
  // Other digits than in an earlier run: a second has fewer rounds than steps of this number.
  let round = Math.floor((Date.now() / 1_000) * 256)
  const next = (): Buffer => {
    const place = sent++ % requests.length
    if (place === 0) round++
    const [request = Buffer.alloc(0), id = -1] = [requests[place], ids[place]]
    if (id >= 0) request.write((round >>> 0).toString(16).padStart(8, '0'), id, 'latin1')
    return request
  }
  const latencies: number[] = []
  let [errors, sent] = [0, 0]
  const began = performance.now()
  let until = began + seconds * 1000
  process.on('SIGTERM', () => {
    until = 0
  })
  const gap = rate === undefined ? 0 : (connections * 1000) / rate
  const sender = (place: number) =>
    new Promise<void>((done) => {
      const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let sentAt = 0
      let due = began + (gap * place) / connections
      const send = () => {
        sentAt = performance.now()
        socket.write(next())
      }
      const whenDue = (now: number) => {
        due += gap
        if (due > now) setTimeout(send, due - now)
        else send()
      }
      socket.on('connect', () => whenDue(performance.now()))
      socket.on('data', (answer) => {
        const now = performance.now()
        latencies.push(now - sentAt)
        // "HTTP/1.1 2": other statuses than 2xx are errors. Answers have no body, so each piece is a whole answer.
        if (answer[9] !== 0x32) errors++
        if (now < until) whenDue(now)
        else socket.end()
      })
      socket.on('error', () => {
        errors++
      })
      socket.on('close', () => done())
    })
  await Promise.all(Array.from({ length: connections }, (_, place) => sender(place)))
  const perSecond = latencies.length / Math.min(seconds, (performance.now() - began) / 1_000)
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  return { perSecond, requests: latencies.length, errors, p50, p99 }
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as LoadPlan)))
