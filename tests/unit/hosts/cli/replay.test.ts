import { beforeAll, expect, test } from 'vitest'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { anEvent } from '../../../support/events.ts'
import { type HookAnswer, headerValues, hookReceiver } from '../../../support/hook-receiver.ts'
import { startHost } from '../../../support/host.ts'
import { words } from '../../../support/words.ts'

const SECRET = 'canary-7f21d0'
const MANY = 1_200
const BODIES = (['factura.created', 'customer.created', 'factura.created'] as const).map((kind) =>
  JSON.stringify(anEvent(kind)),
)
const { host, acuse, json, post } = cliHost({ secret: SECRET })

async function replay(...args: readonly string[]) {
  const { code, stdout, stderr } = await acuse(['replay', ...args, '--json'])
  const printed = jsonLines(stdout)
  return { code, stderr, attempts: printed.slice(0, -1), summary: printed.at(-1) }
}
const answering = (...statuses: readonly number[]): HookAnswer => {
  let next = 0
  return (_, response) => response.writeHead(statuses[next++ % statuses.length] ?? 200).end()
}

beforeAll(async () => {
  for (const body of BODIES) await post('/?a=1', body)
  await acuse(['config', 'set', 'endpoint.locked.path', '/locked'])
  const keyed = words`config set endpoint.locked.secret X-Key --from-env KEY`
  await acuse(keyed, { env: { KEY: SECRET } })
  await post('/locked', '{}')
})
test('acuse replay: --json prints a line per attempt, then the sums; what arrives is what was captured', async () => {
  const target = await hookReceiver()
  const { code, attempts, summary, stderr } = await replay(...words`--id 3,1 --to ${target.url} --id 2 1`)
  expect([code, stderr, summary]).toEqual([0, '', { sent: 3, failed: 0, skipped: 0 }])
  expect(attempts.map(({ delivery }) => delivery)).toEqual([1, 2, 3])
  expect(Object.keys(attempts[0])).toEqual(
    words`attempt delivery target method url startedAt durationMs state status ok error try again imported`,
  )
  const answered = { state: 'answered', status: 200, ok: true, error: null, try: 1, again: false }
  const sent = { target: target.url, url: `${target.url}?a=1`, method: 'POST' }
  expect(attempts[0]).toMatchObject({ ...sent, ...answered })
  expect(target.received.map(({ body }) => body.toString())).toEqual(BODIES)
  expect(target.received.flatMap((one) => headerValues(one, 'X-Acuse-Replay'))).toEqual(
    attempts.map(({ attempt }) => String(attempt)),
  )
})

test('acuse replay: exits with 1 when one failed; what counts as failure can be chosen', async () => {
  const target = await hookReceiver(answering(200, 404, 500))
  const to = ['--id', '1,2,3', '--to', target.url]
  const first = await replay(...to)
  expect([first.code, first.summary]).toEqual([1, { sent: 1, failed: 2, skipped: 0 }])
  const second = await replay(...to, '--fail-on', '5xx')
  expect([second.code, second.summary]).toEqual([1, { sent: 2, failed: 1, skipped: 0 }])
  const third = await replay(...to, '--fail-on', '503')
  expect([third.code, third.summary]).toEqual([0, { sent: 3, failed: 0, skipped: 0 }])
})

test('acuse replay: --dry-run says what would be sent and what is left out, and sends nothing', async () => {
  const target = await hookReceiver()
  const args = words`replay --filter ${'-endpoint:default or kind:*.created'} --to ${target.url} --dry-run`
  const excluded = { malformed: 0, rejected: 1, replay: 0 }
  const said = await json([...args, '--rate', '0.5'])
  expect(said).toMatchObject({ count: 3, excluded, seconds: expect.any(Number) })
  const people = (await acuse(args)).stdout
  expect(people).toContain('3 deliveries')
  expect(people).toContain('1 rejected')
  expect(target.received).toEqual([])
})

test('acuse replay: an attempt that takes long holds up no line of the others', async () => {
  let release = () => {}
  const target = await hookReceiver((one, response) => {
    if (one.body.toString() === BODIES[1]) release = () => response.end()
    else response.end()
  })
  const args = words`replay --id 1 2 3 --to ${target.url} --concurrency 2 --data ${host().dataDir}`
  const command = startCli(args)
  await command.says(/#3 +200/)
  expect(command.stdout()).not.toMatch(/#2 /)
  release()
  expect(await command.ended).toBe(0)
  expect(command.stdout()).toMatch(/#1 .*\n.*#3 .*\n.*#2 .*\n3 sent, 0 failed, 0 skipped\.\n$/)
})

test('acuse replay: more than a page of attempts come out, each once', { tags: 'long' }, async () => {
  const target = await hookReceiver()
  for (let sent = 0; sent < MANY; sent += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => post(`/many/${sent + i}`, 'many')))
  const args = words`--filter many --to ${target.url} --concurrency 32`
  const { code, attempts, summary } = await replay(...args)
  expect([code, summary]).toEqual([0, { sent: MANY, failed: 0, skipped: 0 }])
  expect(new Set(attempts.map(({ delivery }) => delivery)).size).toBe(MANY)
  expect(attempts).toHaveLength(MANY)
  expect(target.received).toHaveLength(MANY)
})

test.each([
  ['a delivery that is not there', () => ['--id', '1,99999', '--to', 'http://127.0.0.1:1/'], 3, '99999'],
  ['our own receiver', () => ['--id', '1', '--to', host().receiverUrl], 3, 'own receiver'],
  ['a filter with a mistake', () => ['--filter', 'kind:(', '--to', 'http://127.0.0.1:1/'], 2, 'column'],
])('acuse replay: %s is refused before anything is sent', async (_, args, exit, sentence) => {
  const { code, stdout, stderr } = await acuse(['replay', ...args()])
  expect([code, stdout, stderr]).toEqual([exit, '', expect.stringContaining(sentence)])
})

const slow = (url: string, ...args: readonly string[]) =>
  startCli(['replay', '--id', '1,2,3', '--to', url, '--rate', '0.2', '--data', host().dataDir, ...args])

test('a job that is not let run to its end: Ctrl+C cancels it and says what was sent', async () => {
  const target = await hookReceiver()
  const command = slow(target.url, '--json')
  await command.says(/"delivery":1/)
  expect(await command.interrupt()).toBe(3)
  expect(jsonLines(command.stdout()).at(-1)).toEqual({ sent: 1, failed: 0, skipped: 2 })
  expect(command.stderr()).toContain('Cancelled; 2 of 3 were not sent.')
  expect((await json(['jobs', 'list'])).jobs[0]).toMatchObject({ state: 'cancelled', total: 3, done: 1 })
})

test('a job that is not let run to its end: it is paused, resumed and cancelled from elsewhere, and says so', async () => {
  const target = await hookReceiver()
  const command = slow(target.url)
  await command.says(/#1 +200/)
  const id = String((await json(['jobs', 'list'])).jobs[0].id)
  expect((await acuse(['jobs', 'pause', id])).code).toBe(0)
  await command.says(/was paused/)
  expect((await json(['jobs', 'resume', id])).state).toBe('running')
  await command.says(/goes on/)
  expect((await acuse(['jobs', 'show', id])).stdout).toMatch(/At once +1\n +Rate +at most 0.2\/s/)
  expect((await acuse(['jobs', 'cancel', id])).code).toBe(0)
  expect(await command.ended).toBe(3)
  expect((await acuse(['jobs', 'remove', id])).code).toBe(0)
  expect(await acuse(['jobs', 'show', id])).toMatchObject({ code: 3, stdout: '' })
})

test('a job that is not let run to its end: it stops after so many failures; what failed is sent again by retry-failed', async () => {
  let status = 500
  const target = await hookReceiver((_, response) => response.writeHead(status).end())
  const stopped = await replay('--id', '1,2,3', '--to', target.url, '--stop-after', '1')
  expect([stopped.code, stopped.summary]).toEqual([1, { sent: 0, failed: 1, skipped: 2 }])
  const [, id = ''] = /acuse jobs resume (\d+)/.exec(stopped.stderr) ?? []
  status = 200
  const resumed = await acuse(['jobs', 'resume', id, '--follow', '--json'])
  expect(resumed.code).toBe(1)
  expect(jsonLines(resumed.stdout).at(-1)).toEqual({ sent: 2, failed: 1, skipped: 0 })
  expect(resumed.stdout).not.toContain('"status":500')
  const again = await acuse(['jobs', 'retry-failed', id, '--follow', '--json'])
  expect(again.code).toBe(0)
  const sums = { sent: 3, failed: 0, skipped: 0 }
  expect(jsonLines(again.stdout)).toMatchObject([{ delivery: 1, ok: true }, sums])
  const [job, ...failed] = jsonLines((await acuse(['jobs', 'show', id, '--failed', '--json'])).stdout)
  expect(job).toMatchObject({ id: Number(id), state: 'done', total: 3, done: 3, failed: 0 })
  expect(failed).toMatchObject([{ delivery: 1, status: 500, ok: false }])
})

test('when the host ends meanwhile, the command says where the job is', { tags: 'long' }, async () => {
  const target = await hookReceiver()
  const other = await startHost({ args: ['--no-ui'] })
  for (const body of BODIES) await fetch(other.receiverUrl, { method: 'POST', body })
  const args = ['replay', '--filter', '', '--to', target.url, '--rate', '0.2', '--data', other.dataDir]
  const command = startCli(args)
  await command.says(/#1 +200/)
  await other.kill()
  expect(await command.ended).toBe(3)
  expect(command.stderr()).toMatch(/^Job 1 can no longer be followed: .*acuse jobs show 1/)
  expect(command.stderr()).not.toMatch(/\n\s+at /)
})
