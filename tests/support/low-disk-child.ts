import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import { assembled } from './assembled.ts'
import { opened } from './listening-port.ts'
import { aConnection, aForward } from './records.ts'
import { until } from './until.ts'

/** Runs a host with a small file system as its temporary folder: the disk becomes nearly full, then has room again. */
const MIB = 1024 * 1024
const ballast = join(tmpdir(), 'ballast')
const sent: string[] = []
const server = createServer((request, response) => {
  sent.push(request.url?.replace(/^\/sync.*/, '/sync') ?? '')
  request.resume()
  response.setHeader('Content-Type', 'application/json')
  response.end('{"items":[],"count":0,"hasMore":false}')
})
const url = `http://127.0.0.1:${await opened(server)}`

const { host, receiverUrl, close } = await assembled()
const { call } = host.engine
const post = async () => (await fetch(receiverUrl, { method: 'POST', body: '{}' })).status

await post()
const file = openSync(ballast, 'w')
const free = () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  return bavail * bsize
}
while (free() > 40 * MIB) writeSync(file, Buffer.alloc(MIB))
closeSync(file)

const options = { ...DEFAULT_JOB_OPTIONS, to: { target: `${url}/job` } }
const { id } = await call('jobs.start', { source: { type: 'ids', ids: [1] }, options })
await call('forwards.save', aForward({ targets: [`${url}/live`] }))
await call('connections.save', aConnection({ baseUrl: `${url}/sync`, apiKey: 'k' }))
const day = { from: '2026-11-20', to: '2026-11-20' }
const range = { route: 'accounting', ...day, documentTypeId: null, pageSize: 200 } as const
const sweep = await call('sweeps.start', { connection: 'main', range })
const readJob = () => call('jobs.get', { id })
const readLane = async () => (await call('forwards.list', {})).forwards[0]?.lanes[0]
const readSweep = () => call('sweeps.get', { id: sweep.id })

const answered = await post()
const low = {
  answered,
  job: (await until(readJob, ({ stall }) => stall !== null)).stall?.message,
  lane: (await until(readLane, (lane) => lane?.state === 'stalled' && lane.waiting === 1))?.stall?.message,
  sweep: (await until(readSweep, ({ problems }) => problems.length > 0)).problems[0]?.message,
  sent: [...sent],
}
rmSync(ballast)
const job = await until(readJob, ({ state }) => state === 'done')
const lane = await until(readLane, (one) => one?.sent === 1)
const swept = await until(readSweep, ({ state }) => state !== 'running')
const after = { job: job.stall, lane: lane?.stall, sweep: swept.state, sent: sent.toSorted() }
await close()
server.close()
process.stdout.write(JSON.stringify({ low, after }))
