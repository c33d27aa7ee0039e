import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonLines } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { anEvent } from '../../../support/events.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { type RunningHost, runCli, startHost } from '../../../support/host.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const EVENT = JSON.stringify(anEvent('factura.created'))
const post = (url: string, body = EVENT, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

const newFolder = () => join(tempFolder(), 'data')

const forwards = async (folder: string) =>
  JSON.parse((await runCli(['forwards', 'list', '--json', '--data', folder])).stdout).forwards

/** Starts `listen`, on a free port with a fresh folder unless a host runs. @returns the ready command and the receiver's address */
async function listening(args: readonly string[], running?: string) {
  const folder = running ?? newFolder()
  const command = startCli(['listen', '--data', folder, ...(running ? [] : ['--port', '0']), ...args])
  const [, url = ''] = await command.says(/^Receiver {2}(\S+).*Ctrl\+C/s)
  return { command, url, folder }
}

test('acuse listen alone: forwards what comes and shows each event in a line, findings of bad ones beneath, without colours', async () => {
  const status = (url: string) => (url.includes('bad') ? 422 : 200)
  const handler = await hookReceiver(({ url }, response) => response.writeHead(status(url)).end())
  const { command, url } = await listening(['--forward-to', handler.url])
  expect((await post(url)).status).toBe(200)
  await command.says(/^\d\d:\d\d:\d\d\.\d{3} {2}#1 +factura\.created +\S+ +valid +→ 200 {2}[\d.]+ ms$/m)
  await post(`${url}?bad`, '\u001b[2J no json')
  const [text] = await command.says(/#2 +POST \/\?bad .*\n {4}1:1 {2}unreadable .*\[json-.*$/m)
  expect(text).toContain('→ 422')
  expect(command.stdout()).not.toContain('\u001b')
  expect(handler.received.map(({ body }) => body.toString())).toEqual([EVENT, '\u001b[2J no json'])
  expect(await command.interrupt()).toBe(0)
})

test('acuse listen alone: --json says when it is ready, then prints events and attempts, as the filter selects', async () => {
  const handler = await hookReceiver()
  const folder = newFolder()
  const args = words`--json --print --forward-to ${handler.url} --filter kind:factura.*`
  const command = startCli(words`listen --port 0 --data ${folder} ${args}`)
  await command.says(/\n/)
  const [ready] = jsonLines(command.stdout())
  expect(ready).toEqual({
    receiver: expect.stringMatching(/^http:/),
    forwardTo: handler.url,
    forward: expect.stringMatching(/^listen-\d+$/),
    data: folder,
  })
  await post(ready.receiver, JSON.stringify(anEvent('customer.created')))
  await post(ready.receiver)
  await command.says(/"type":"attempt".*\n/)
  await command.says(/"type":"event".*\n/)
  expect(await command.interrupt()).toBe(0)
  const after = jsonLines(command.stdout()).slice(1)
  const event = { type: 'event', id: 2, kind: 'factura.created', findings: [], body: EVENT }
  expect(after.toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
    { type: 'attempt', delivery: 2, status: 200 },
    event,
  ])
  expect(handler.received).toHaveLength(1)
  expect(await forwards(folder)).toEqual([])
})

test('acuse listen alone: --filter takes a saved filter by @name', { tags: 'long' }, async () => {
  const handler = await hookReceiver()
  const folder = newFolder()
  const config = JSON.stringify({ savedFilters: [{ name: 'Bills', filter: 'kind:factura.*' }] })
  expect(await runCli(words`config apply - --data ${folder}`, { stdin: config })).toMatchObject({ code: 0 })
  const wrong = await runCli(
    words`listen --port 0 --data ${folder} --forward-to ${handler.url} --filter @bils`,
  )
  expect(wrong.code).not.toBe(0)
  expect(wrong.stderr).toContain('There is no saved filter named "bils". Did you mean @Bills?')
  const { command, url } = await listening(['--forward-to', handler.url, '--filter', '@bills'], folder)
  await post(url, JSON.stringify(anEvent('customer.created')))
  await post(url)
  await command.says(/#2 .*→ 200/)
  expect(command.stdout()).not.toContain('#1 ')
  expect(command.stdout()).toContain(`${handler.url} (kind:factura.*)`)
  expect(await command.interrupt()).toBe(0)
  expect(handler.received).toHaveLength(1)
})

test("acuse listen alone: --answer gives the service the handler's answer", { tags: 'long' }, async () => {
  const handler = await hookReceiver((_, response) => response.writeHead(418).end('short and stout'))
  const { command, url } = await listening(['--forward-to', handler.url, '--answer'])
  const answer = await post(url)
  expect([answer.status, await answer.text()]).toEqual([418, 'short and stout'])
  await command.says(/#1 .*→ 418/)
  expect(handler.received).toHaveLength(1)
  expect(await command.interrupt()).toBe(0)
})

test('acuse listen alone: --print alone forwards nothing; bodies are shown, and nothing in them acts on the terminal', async () => {
  const { command, url } = await listening(['--print'])
  await post(url, '{"a":\n"\u202e\u001b"}')
  await command.says(/#1 .*answered 200\n/)
  await command.says(/ {4}\{"a":\n {4}"\\u\{202e\}\\x1b"\}\n/)
  expect(command.stdout()).toContain('nothing: events are only printed')
  expect(await command.interrupt()).toBe(0)
})

test('acuse listen alone: a port that is taken ends it with a sentence that names the option', async () => {
  const { port } = await hookReceiver()
  const args = ['listen', '--print', '--port', String(port), '--data', newFolder()]
  const { code, stdout, stderr } = await runCli(args)
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/in use.* --port \d+/)
})

describe('acuse listen beside an Acuse that runs', () => {
  let host: RunningHost
  beforeAll(async () => {
    host = await startHost({ args: ['--no-ui'] })
  })
  afterAll(() => host?.stop())

  test('that one receives; the forward is there as long as the command, and what was before is not shown', async () => {
    await post(host.receiverUrl)
    const handler = await hookReceiver()
    const { command, url } = await listening(['--forward-to', handler.url], host.dataDir)
    expect(url).toBe(host.receiverUrl)
    expect(command.stderr()).toContain('runs on this data folder already; it receives.')
    expect(await forwards(host.dataDir)).toMatchObject([{ temporary: true, targets: [handler.url] }])
    await post(host.receiverUrl)
    await command.says(/#2 .*→ 200/)
    expect(command.stdout()).not.toMatch(/#1 /)
    expect(handler.received).toHaveLength(1)
    expect(await command.interrupt()).toBe(0)
    expect(await forwards(host.dataDir)).toEqual([])
    expect((await post(host.receiverUrl)).status).toBe(200)
  })

  test('what a killed one left behind is taken away by the next', { tags: 'long' }, async () => {
    const handler = await hookReceiver()
    const { command } = await listening(['--forward-to', handler.url], host.dataDir)
    command.child.kill('SIGKILL')
    await command.ended
    expect(await forwards(host.dataDir)).toHaveLength(1)
    const next = await listening(['--forward-to', handler.url], host.dataDir)
    expect(await forwards(host.dataDir)).toMatchObject([{ name: `listen-${next.command.child.pid}` }])
    await next.command.interrupt()
  })

  test('when that one ends, it ends with a sentence', async () => {
    const other = await startHost({ args: ['--no-ui'] })
    const { command } = await listening(['--print'], other.dataDir)
    await other.kill()
    expect(await command.ended).toBe(3)
    expect(command.stderr()).toMatch(/The running Acuse closed the connection\.\n$/)
    expect(command.stderr()).not.toMatch(/\n\s+at /)
  })
})
