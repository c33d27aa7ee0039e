import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { openLink } from '../../../support/browser-session.ts'
import { cliHost, jsonLines } from '../../../support/cli-host.ts'
import { startCli } from '../../../support/cli-process.ts'
import { anEvent } from '../../../support/events.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const SECRET = 'canary-91c4e2'
const DELIVERIES = 1_203
const env = { MY_SECRET: SECRET }
const { host, acuse, json, post } = cliHost({ args: [], secret: SECRET })
const events = async (...args: string[]) => {
  const { code, stdout } = await acuse(['events', '--json', ...args])
  expect(code).toBe(0)
  return jsonLines(stdout)
}

beforeAll(async () => {
  await post(`/?token=${SECRET}`, undefined, { Authorization: SECRET, 'X-Pin': SECRET })
  await post('/odd?\u00e9', '\u001b[2J\u202enot json', { 'X-Odd': 'a' })
  for (let sent = 2; sent < DELIVERIES; sent += 100) {
    const length = Math.min(100, DELIVERIES - sent)
    await Promise.all(Array.from({ length }, (_, i) => post(`/many/${sent + i}`, 'x')))
  }
})

test('acuse events: prints every delivery, oldest first, with exactly the promised members', async () => {
  const all = await events()
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: DELIVERIES }, (_, i) => i + 1))
  expect(Object.keys(all[0])).toEqual(words`id receivedAt endpoint method url kind group documentId statusId
    verdict answer size rejected marks tags note number party total currency`)
  const url = `/?token=<masked: ${SECRET.length} characters>`
  const judged = { kind: 'factura.created', verdict: 'valid', answer: 200, rejected: false }
  expect(all[0]).toMatchObject({ endpoint: 'default', method: 'POST', url, ...judged })
  expect((await events('--limit', '1', '--reveal'))[0].url).toBe(`/?token=${SECRET}`)
  expect(all[0].receivedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('acuse events: refuses a filter that cannot be read, with 2', async () => {
  for (const form of [['--json'], []])
    expect(await acuse(['events', '--filter', 'kind:(', ...form])).toMatchObject({ code: 2, stdout: '' })
})

test('acuse events: a reader that has seen enough is no failure', async () => {
  const { child, ended, stderr } = startCli(['events', '--json', '--data', host().dataDir])
  child.stdout.once('data', () => child.stdout.destroy())
  expect([await ended, stderr()]).toEqual([0, ''])
})

test('acuse show: prints the delivery whole, with secret headers masked', async () => {
  const shown = await json(['show', '1'])
  expect(Buffer.from(shown.bodyBase64, 'base64').toString()).toBe(JSON.stringify(anEvent('factura.created')))
  expect(shown).toMatchObject({ id: 1, findings: [], answer: { status: 200, bodyBase64: '' } })
  expect(shown.headers).toContainEqual(['Authorization', `<masked: ${SECRET.length} characters>`])
})

test('acuse show: a body of several pieces comes out byte for byte', async () => {
  const body = 'ñ1'.repeat(2_500_001)
  await post('/large', body)
  const [last] = await events('--newest', '--limit', '1')
  const shown = await json(['show', String(last.id)])
  expect(Buffer.from(shown.bodyBase64, 'base64').equals(Buffer.from(body))).toBe(true)
})

test('acuse link: prints a fresh link that works once', async () => {
  const { stdout } = await acuse(['link'])
  expect((await openLink(stdout.trim())).answer.status).toBe(200)
  expect((await openLink(stdout.trim())).answer.status).toBe(401)
  expect((await json(['link'])).url).not.toBe(stdout.trim())
})

const get = (...path: string[]) => json(['config', 'get', ...path])

test('acuse config: set: changes the running host at once', async () => {
  expect(await acuse(words`config set receiver.port 70000`)).toMatchObject({ code: 2, stdout: '' })
  expect((await acuse(words`config set endpoint.orders.path /orders`)).code).toBe(0)
  expect((await acuse(words`config set endpoint.orders.answer.status 201`)).code).toBe(0)
  const body = words`config set endpoint.orders.answer.body --stdin`
  expect((await acuse(body, { stdin: 'taken\n' })).code).toBe(0)
  const response = await post('/orders/7', '{}')
  expect([response.status, await response.text()]).toEqual([201, 'taken'])
  expect(await get('endpoint.orders.answer.status')).toBe(201)
})

test('acuse config: secrets come from the environment or stdin, rotate, and are shown as counts only', async () => {
  const path = 'endpoint.orders.secret'
  const first = await json(words`config set ${path} X-Key --from-env MY_SECRET`, { env })
  expect(first.endpoints[1].secret).toEqual({ header: 'X-Key', values: 1 })
  await acuse(['config', 'set', path, 'X-Key', '--stdin', '--keep-previous'], { stdin: 'second\n' })
  expect(await get(path)).toEqual({ header: 'X-Key', values: 2 })
  const keys = [SECRET, 'second', 'wrong']
  const statuses = () =>
    Promise.all(keys.map(async (key) => (await post('/orders', '{}', { 'X-Key': key })).status))
  expect(await statuses()).toEqual([201, 201, 401])
  await acuse(['config', 'unset', `${path}.previous`])
  expect(await statuses()).toEqual([401, 201, 401])
})

test('acuse config: apply: changes all or nothing', { tags: 'long' }, async () => {
  const file = join(tempFolder(), 'acuse.json')
  const before = await get()
  const appearance = { theme: 'dark' }
  const content = (endpoint: object) =>
    JSON.stringify({ appearance, endpoints: [{ name: 'x', ...endpoint }] })
  writeFileSync(file, content({ path: '/orders' }))
  expect(await acuse(['config', 'apply', file])).toMatchObject({ code: 2, stdout: '' })
  expect(await get()).toEqual(before)
  const secret = { header: 'X-Key', value: { fromEnv: 'MY_SECRET' } }
  const applied = await json(['config', 'apply', '-'], { stdin: content({ path: '/x', secret }), env })
  expect(applied).toMatchObject({ appearance, endpoints: [{}, {}, { name: 'x' }] })
  expect((await post('/x', '{}', { 'X-Key': SECRET })).status).toBe(200)
  expect((await post('/x', '{}')).status).toBe(401)
  writeFileSync(file, JSON.stringify(await get()))
  expect((await acuse(['config', 'apply', file])).code).toBe(0)
})

test('acuse annotate: writes notes and tags that events finds and show prints', async () => {
  expect(await json(words`annotate 1 2 --tag Urgent --tag oct`)).toEqual({ changed: 2 })
  const stdin = 'Two\nlines \u001b[2J\n'
  const stderr = expect.stringContaining('Deliveries changed: 1.')
  expect(await acuse(words`annotate 2 --note - --untag oct`, { stdin })).toEqual({
    code: 0,
    stdout: '',
    stderr,
  })
  const found = await events('--filter', 'tag:urgent')
  expect(found.map(({ id, tags, note }) => [id, tags, note])).toEqual([
    [1, ['oct', 'urgent'], false],
    [2, ['urgent'], true],
  ])
  expect(await events('--filter', 'has:note -has:attempt')).toHaveLength(1)
  const shown = await acuse(['show', '2'])
  expect(shown.stdout).toMatch(/^Tags +urgent$/m)
  expect(shown.stdout).toContain('Note      Two\n          lines \\x1b[2J\n')
  expect((await json(['show', '2'])).note).toBe('Two\nlines \u001b[2J')
  expect((await acuse(['annotate', '2', '--note', ''])).code).toBe(0)
  expect(await events('--filter', 'has:note')).toEqual([])
})

test('when no host runs any more: the same commands open the store themselves', {
  tags: 'long',
}, async () => {
  const before = await events()
  expect(await host().stop()).toBe(0)
  expect(await events()).toEqual(before)
  expect((await json(['show', '1'])).id).toBe(1)
  expect((await acuse(['config', 'get', 'endpoint.orders.answer.status'])).stdout).toBe('201\n')
  const keyed = words`config set endpoint.default.secret X-Key --stdin`
  expect((await acuse(keyed, { stdin: SECRET })).code).toBe(0)
  expect(await acuse(['link'])).toMatchObject({ code: 3, stdout: '' })
})

test('acuse verify: says what it proved, and exits with 1 once stored bytes have changed', {
  tags: 'long',
}, async () => {
  const sound = await acuse(['verify'])
  expect(sound).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ (1,2\d\d) of \1 are byte for byte/),
  })
  using db = new DatabaseSync(join(host().dataDir, 'captured.db'))
  db.exec("UPDATE payload SET body = CAST('y' AS BLOB) WHERE delivery_id = 5")
  expect(await acuse(['verify', '--json'])).toMatchObject({
    ...{ code: 1, stdout: expect.stringMatching(/"altered":\[5\],"records":12\d\d,"damaged":\[\]/) },
  })
  expect(await acuse(['show', '5'])).toMatchObject({ code: 3, stderr: expect.stringContaining('delivery 5') })
})
