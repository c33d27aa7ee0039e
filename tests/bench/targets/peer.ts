import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A peer of row P2 that answers every POST with 200 and keeps what came the way it does; arguments: its name and where it is installed. */
const [name, installed = ''] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'acuse-peer-'))
const port = await freePort()

interface Mockttp {
  start(port: number): Promise<void>
  forAnyRequest(): { thenReply(status: number): Promise<unknown> }
}

async function mockttp(): Promise<void> {
  const { getLocal } = createRequire(join(installed, 'package.json'))('mockttp') as { getLocal(): Mockttp }
  const server = getLocal()
  await server.start(port)
  await server.forAnyRequest().thenReply(200)
}

function mockoon(): readonly string[] {
  const response = { uuid: 'answer', statusCode: 200, default: true, headers: [], body: '', rules: [] }
  const route = { uuid: 'hook', type: 'http', method: 'post', endpoint: '', responses: [response] }
  const environment = { uuid: 'all', name: 'all', port, hostname: '127.0.0.1', routes: [route], folders: [] }
  const rootChildren = [{ type: 'route', uuid: 'hook' }]
  const data = file('mockoon.json', { ...environment, rootChildren, endpointPrefix: '', latency: 0 })
  return ['@mockoon/cli/bin/run.js', 'start', '--repair', '--log-transaction', '--data', data]
}

function nodeRed(): readonly string[] {
  const flows = file('flows.json', [
    { id: 'tab', type: 'tab', label: 'hooks' },
    { id: 'in', type: 'http in', z: 'tab', url: '/', method: 'post', wires: [['keep', 'answer']] },
    { id: 'keep', type: 'file', z: 'tab', filename: join(home, 'kept'), filenameType: 'str', wires: [[]] },
    { id: 'answer', type: 'http response', z: 'tab', statusCode: '200', wires: [] },
  ])
  return ['node-red/red.js', '--userDir', home, '--port', String(port), flows]
}

function file(named: string, content: unknown): string {
  const path = join(home, named)
  writeFileSync(path, JSON.stringify(content))
  return path
}

/** Ends with this process, which ends when it ends. */
function run([script = '', ...args]: readonly string[]): void {
  const path = join(installed, 'node_modules', script)
  const child = spawn(process.execPath, [path, ...args], { cwd: home, env: { ...process.env, HOME: home } })
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  process.on('exit', () => child.kill())
  child.on('exit', () => process.exit())
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

process.on('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))
process.on('SIGTERM', () => process.exit())
if (name === 'mockttp') await mockttp()
else run(name === 'mockoon' ? mockoon() : nodeRed())

const url = `http://127.0.0.1:${port}/`
for (;;) {
  const answer = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null)
  await answer?.arrayBuffer()
  if (answer?.ok) break
  await wait(100)
}
process.stdout.write(`${JSON.stringify({ receiver: url })}\n`)
