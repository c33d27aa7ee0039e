import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import type { Params } from '#contract/commands.ts'
import { DEFAULT_CONNECTION, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { SandboxStatus } from '#contract/sandbox.ts'
import { followSandbox } from '#hosts/assemble.ts'
import type { ReceiverAddress } from '#hosts/receiver-subscription.ts'
import { startSandboxHost } from '#hosts/sandbox-host.ts'
import { SandboxRunner } from '#hosts/sandbox-runner.ts'
import { hookReceiver } from '../../support/hook-receiver.ts'
import { takenPort } from '../../support/listening-port.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function runner(folder: string, receiver: ReceiverAddress | null = null) {
  const said: string[] = []
  const at = { receiver }
  const moves: (readonly [string, string])[] = []
  const made = new SandboxRunner({
    folder,
    receiver: () => at.receiver,
    moved: async (from, to) => void moves.push([from, to]),
    warn: (line) => said.push(line),
  })
  onTestFinished(() => made.close())
  const subscriptions = async () => (await made.call('sandbox.subscriptions', {})).subscriptions
  return { runner: made, said, at, moves, subscriptions }
}

const plain = (url: string): ReceiverAddress => ({ url, secret: null })
const portOf = (status: SandboxStatus) => (status.running ? Number(new URL(status.url).port) : null)

/** Long time-out, for results that never come. */
const PATIENT = { timeout: 30_000 }

test('whether it runs: a taken port is said, and the next free one is used', async () => {
  using taken = await takenPort()
  const { port } = taken
  const { runner: it, said } = runner(tempFolder())
  const status = await it.start(port)
  expect(portOf(status)).not.toBe(port)
  expect(said).toEqual([expect.stringContaining(`Port ${port} is taken`)])
})

test('whether it runs: it starts again with the next host, but not once it was stopped or started for one run only', async () => {
  const folder = tempFolder()
  const next = async (running: boolean, act: (it: SandboxRunner) => Promise<unknown>) => {
    const { runner: it } = runner(folder)
    await it.resume()
    expect(await it.status()).toMatchObject({ running })
    await act(it)
    await it.close()
  }
  await next(false, (it) => it.startForThisRun(0))
  await next(false, (it) => it.start(0))
  await next(true, (it) => it.stop())
  await next(false, async () => {})
})

test('whether it runs: an address that is another one than the last time is told, once', async () => {
  const folder = tempFolder()
  const first = runner(folder)
  const before = (await first.runner.startForThisRun(0)).sandbox
  expect(first.moves).toEqual([])
  await first.runner.close()
  using _taken = await takenPort(Number(new URL(before).port))
  const second = runner(folder)
  const now = (await second.runner.startForThisRun(0)).sandbox
  expect(second.moves).toEqual([[before, now]])
  await second.runner.close()
  const third = runner(folder)
  expect((await third.runner.startForThisRun(Number(new URL(now).port))).sandbox).toBe(now)
  expect(third.moves).toEqual([])
})

test('whether it runs: one that another process runs on the folder is used, and not stopped', async () => {
  const folder = tempFolder()
  const other = await startSandboxHost({ folder, port: 0, seed: 1, warn: () => {} })
  onTestFinished(() => other.close())
  const { runner: it } = runner(folder, plain('http://127.0.0.1:1/'))
  expect(await it.start()).toEqual({ running: true, url: other.ready.sandbox })
  expect((await it.call('sandbox.state', {})).subscriptions).toBe(0)
  await expect(it.stop()).rejects.toMatchObject({ code: 'conflict' })
  await expect(it.startForThisRun(0)).rejects.toMatchObject({ code: 'in-use' })
  await it.close()
  await other.close()
  expect(await it.status()).toEqual({ running: false })
})

test('the subscription of the receiver: waits until it listens, has all 28 kinds, follows the address, and delivers', async () => {
  const [here, there] = [await hookReceiver(), await hookReceiver()]
  const { runner: it, at, subscriptions } = runner(tempFolder())
  await it.start(0)
  expect(await subscriptions()).toEqual([])
  at.receiver = plain(here.url)
  it.follow()
  await expect.poll(subscriptions, PATIENT).toHaveLength(1)
  const [first] = await subscriptions()
  expect(first).toMatchObject({ url: here.url, kinds: KINDS.map(({ kind }) => kind), active: true })
  const change = { name: 'Mine', kinds: ['product.created' as const] }
  await it.call('sandbox.save-subscription', { id: first?.id ?? 0, ...change })
  at.receiver = plain(there.url)
  it.follow()
  const mine = { id: first?.id, name: 'Mine', kinds: ['product.created'] }
  await expect.poll(subscriptions, PATIENT).toMatchObject([{ ...mine, url: there.url }])
  await it.call('sandbox.emit', { kind: 'product.created' })
  await there.count(1)
  expect(here.received).toEqual([])
})

test('the subscription of the receiver: that a person removed or led elsewhere stays so, until it is demanded', async () => {
  const folder = tempFolder()
  const address = plain('http://127.0.0.1:4400/')
  const next = async (act?: (it: SandboxRunner, id: number) => Promise<unknown>) => {
    const { runner: it, subscriptions } = runner(folder, address)
    await (act ? it.start(0) : it.startForThisRun(0))
    const there = await subscriptions()
    await act?.(it, there[0]?.id ?? 0)
    await it.close()
    return there.map(({ url }) => url)
  }
  const url = 'https://example.com/'
  await next((it, id) => it.call('sandbox.save-subscription', { id, url }))
  expect(await next((it, id) => it.call('sandbox.remove-subscription', { id }))).toEqual([url])
  expect(await next(async () => {})).toEqual([])
  expect(await next()).toEqual([address.url])
})

test('files: are for this user alone, and what is remembered holds no secret', async () => {
  const folder = tempFolder()
  const secret = { header: 'X-Key', value: 'canary' }
  const { runner: it, said } = runner(folder, { url: 'http://127.0.0.1:4400/', secret })
  await it.start(0)
  for (const file of readdirSync(folder))
    expect([file, statSync(join(folder, file)).mode & 0o077]).toEqual([file, 0])
  const word = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8'))
  expect(Object.keys(word)).toEqual(['url', 'admin', 'apiKey', 'pluginToken'])
  const remembered = readFileSync(join(folder, 'sandbox-host.json'), 'utf8')
  for (const value of ['canary', word.admin, word.apiKey, word.pluginToken])
    expect([remembered.includes(value), said.join().includes(value)]).toEqual([false, false])
  await it.stop()
  expect(JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')).url).toBeNull()
})

test('connections to the sandbox follow it and keep their credentials; others stay as they are', async () => {
  const [from, to] = ['http://127.0.0.1:4402', 'http://127.0.0.1:4403']
  const kept = { ...DEFAULT_CONNECTION, apiKey: 'stored', pluginToken: 'environment' } as const
  const addresses = { sandbox: from, real: 'https://api.example.test', longer: `${from}1` }
  const all = Object.entries(addresses).map(([name, baseUrl]) => ({ ...kept, name, baseUrl }))
  const saved: Params<'connections.save'>[] = []
  await followSandbox(all, from, to, async (params) => {
    saved.push(params)
    return DEFAULT_SETTINGS
  })
  expect(saved).toMatchObject([{ previousName: 'sandbox', name: 'sandbox', baseUrl: to }])
  // An absent member keeps the saved key.
  expect(saved[0]).not.toHaveProperty('apiKey')
  expect(saved[0]).not.toHaveProperty('pluginToken')
})
