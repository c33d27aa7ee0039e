import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { inProcess } from './load.ts'

export interface ClientPlan {
  readonly url: string
  readonly body: string
  readonly count: number
  readonly concurrency: number
}
const WARMING_UP = 5_000

/**
 * Upper bound for a sender on node:http: it sends the same headers and body on kept connections, discards answers, and neither reads
 * nor writes a database. A separate process, so that it can be pinned to the other sender's core.
 * @returns deliveries a second
 */
export const replayClient = (plan: ClientPlan, cpus?: string): Promise<number> =>
  inProcess(import.meta.filename, plan, cpus)

async function run({ url, body, count, concurrency }: ClientPlan): Promise<number> {
  const bytes = Buffer.from(body)
  const { host } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const send = (id: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = [
        ...['Host', host, 'Content-Type', 'application/json'],
        ...['Content-Length', String(bytes.length), 'X-Acuse-Replay', String(id)],
      ]
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`the target answered ${answer.statusCode}`))
        answer.on('end', resolve).on('error', reject).resume()
      })
      outgoing.on('error', reject).end(bytes)
    })
  const sendAll = async (total: number) => {
    let next = 0
    const lane = async () => {
      while (next < total) await send(next++)
    }
    await Promise.all(Array.from({ length: concurrency }, lane))
  }
  // Warm up first, as the compared sender does.
  await sendAll(WARMING_UP)
  const from = performance.now()
  await sendAll(count)
  const seconds = (performance.now() - from) / 1_000
  agent.destroy()
  return count / seconds
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as ClientPlan)))
