import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { anEvent } from '../../../support/events.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const { host, acuse, post, json } = cliHost()
const INVALID = JSON.stringify({ Event: 'factura.created' })
const newest = async (): Promise<number> =>
  jsonLines((await acuse(words`events --newest --limit 1 --json`)).stdout)[0]?.id ?? 0
/** Starts the command before its deliveries. */
const waiting = (...args: string[]) => startCli(['wait-for', ...args, '--data', host().dataDir])

test('acuse wait-for: finds deliveries from before its start, and prints them as events does', async () => {
  await post()
  await post('/', JSON.stringify(anEvent('customer.created')))
  const { code, stdout, stderr } = await acuse(['wait-for', 'kind:factura.created'])
  expect([code, stderr]).toEqual([0, ''])
  const listed = await acuse(words`events --json --filter kind:factura.created`)
  expect(stdout).toBe(listed.stdout)
  expect((await acuse(words`wait-for kind:* --count 2 --timeout 0`)).stdout.split('\n')).toHaveLength(3)
})

test('acuse wait-for: --since counts only later deliveries: after an id, or from now on', async () => {
  const before = await newest()
  for (const since of [String(before), 'now'])
    expect(await acuse(words`wait-for kind:* --since ${since} --timeout 0`)).toMatchObject({
      code: 1,
      stdout: '',
    })
  const command = waiting('verdict:invalid', '--since', String(before), '--count', '2')
  await post('/', INVALID)
  await post()
  await post('/', INVALID)
  expect(await command.ended).toBe(0)
  expect(jsonLines(command.stdout()).map(({ id }) => id)).toEqual([before + 1, before + 3])
})

test('acuse wait-for: misses none of the deliveries that arrive while it starts to follow', {
  tags: 'long',
}, async () => {
  for (let round = 0; round < 15; round += 1) {
    const since = await newest()
    const waits = acuse(words`wait-for kind:customer.* --count 3 --since ${since}`)
    for (let sent = 0; sent < 3; sent += 1) {
      await new Promise((resolve) => setTimeout(resolve, (round * 7 + sent * 3) % 40))
      await post('/', JSON.stringify(anEvent('customer.created')))
    }
    expect(jsonLines((await waits).stdout).map(({ id }) => id)).toEqual([since + 1, since + 2, since + 3])
  }
})

test('acuse wait-for: notices an attempt and a tag that a stored delivery gets later', async () => {
  const handler = await hookReceiver()
  await post()
  const id = String(await newest())
  const since = String(Number(id) - 1)
  const tagged = waiting('tag:seen', '--since', since)
  const sent = waiting('attempt:ok', '--since', since)
  await acuse(['annotate', id, '--tag', 'seen'])
  await acuse(['replay', '--id', id, '--to', handler.url])
  expect([await tagged.ended, await sent.ended]).toEqual([0, 0])
})

test('acuse wait-for: a denial does not select a delivery before its analysis', async () => {
  const since = await newest()
  const waits = acuse(words`wait-for --since ${since} --timeout 1 -- -verdict:valid`)
  for (let sent = 0; sent < 30; sent += 1) await post()
  expect((await waits).code).toBe(1)
})

test('acuse wait-for: after the time-out it says what matched and what arrived instead, and exits with 1', async () => {
  const since = await newest()
  await post('/', INVALID)
  await post('/odd', 'no json')
  await post()
  const args = words`wait-for verdict:valid --count 2 --timeout 0.3 --since ${since}`
  const text = await acuse(args)
  expect([text.code, text.stdout]).toEqual([1, ''])
  expect(text.stderr).toMatch(/^Timed out after 0\.3 s: 1 of 2 matched\. Arrived instead:\n +ID/)
  expect(text.stderr).toMatch(/ invalid +factura\.created/)
  expect(text.stderr).not.toContain(' valid ')
  const { code, stdout } = await acuse([...args, '--json'])
  const ids = ({ id }: { id: number }) => id - since
  const { matched, instead } = JSON.parse(stdout)
  expect([code, matched.map(ids), instead.map(ids)]).toEqual([1, [3], [1, 2]])
  const none = await acuse(words`wait-for kind:* --timeout 0 --since now`)
  expect(none.stderr).toContain('No other delivery arrived.')
})

test('acuse wait-for: takes a saved filter, refuses wrong words, and fails when no Acuse runs or the host ends', async () => {
  const stdin = JSON.stringify({ savedFilters: [{ name: 'bills', filter: 'kind:factura.*' }] })
  await json(words`config apply -`, { stdin })
  await post()
  expect(await acuse(words`wait-for @bills`)).toMatchObject({ code: 0 })
  for (const wrong of ['kind:(', 'kind:* --since yesterday', 'kind:* --count 0', 'kind:* --timeout -1', ''])
    expect(await acuse(words(`wait-for ${wrong}`))).toMatchObject({ code: 2, stdout: '' })
  const away = ['wait-for', 'kind:*', '--data', join(tempFolder(), 'data')]
  expect(await acuse(away)).toMatchObject({ code: 3, stderr: expect.stringContaining('No Acuse is running') })
  const command = waiting('kind:nota_credito.*', '--timeout', '5')
  await new Promise((resolve) => setTimeout(resolve, 400))
  await host().kill()
  expect(await command.ended).toBe(3)
})
