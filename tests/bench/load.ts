import { connect, type Socket } from 'node:net'
import { inProcess } from './in-process.ts'

export interface LoadPlan {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly seconds: number
  readonly body: string
  /** Requests per second of all connections together; absent: each sends its next as soon as it is answered. */
  readonly rate?: number
}
export interface LoadResult {
  readonly perSecond: number
  readonly requests: number
  readonly errors: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/**
 * Load on keep-alive connections: each sends its next request when the answer to the last has come, and with a rate not before it is
 * due. Latencies in milliseconds, not corrected for coordinated omission. Runs in a process of its own so that it can be pinned beside the server.
 */
export function load(plan: LoadPlan, cpus?: string): Promise<LoadResult> {
  return inProcess(import.meta.filename, plan, cpus)
}

async function run(plan: LoadPlan): Promise<LoadResult> {
  const body = Buffer.from(plan.body)
  const head = `POST ${plan.path} HTTP/1.1\r\nHost: ${plan.host}:${plan.port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const request = Buffer.concat([Buffer.from(head), body])
  const latencies: number[] = []
  let errors = 0
  const began = performance.now()
  const until = began + plan.seconds * 1000
  const gap = plan.rate === undefined ? 0 : (plan.connections * 1000) / plan.rate
  await Promise.all(
    Array.from(
      { length: plan.connections },
      (_, place) =>
        new Promise<void>((done) => {
          const socket: Socket = connect({ host: plan.host, port: plan.port, noDelay: true })
          let sentAt = 0
          let due = began + (gap * place) / plan.connections
          const send = () => {
            sentAt = performance.now()
            socket.write(request)
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
            // "HTTP/1.1 2": anything but a 2xx is an error; the answers have no body, so one piece is one answer.
            if (answer[9] !== 0x32) errors++
            if (now < until) whenDue(now)
            else socket.end()
          })
          socket.on('error', () => {
            errors++
          })
          socket.on('close', () => done())
        }),
    ),
  )
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return {
    perSecond: latencies.length / plan.seconds,
    requests: latencies.length,
    errors,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
  }
}

if (process.argv[1] === import.meta.filename && process.argv[2])
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]) as LoadPlan)))
