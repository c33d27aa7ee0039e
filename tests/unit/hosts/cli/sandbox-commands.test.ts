import { afterEach, expect, test } from 'vitest'
import { cliHost } from '../../../support/cli-host.ts'
import { headerValues, hookReceiver } from '../../../support/hook-receiver.ts'
import { clientOf } from '../../../support/sandbox-client.ts'
import { words } from '../../../support/words.ts'

const { host, acuse } = cliHost({ args: ['--no-ui', '--sandbox', '--sandbox-port', '0'] })
const ready = () => host().sandbox ?? expect.fail(host().stderr())
const client = () => clientOf(ready())
const OWN = 1
afterEach(async () => {
  const { body } = await client().admin('GET', '/subscriptions')
  for (const { id } of body.subscriptions)
    if (id !== OWN) await client().admin('DELETE', `/subscriptions/${id}`)
})

const subscriptions = (...args: readonly string[]) => acuse(['sandbox', 'subscriptions', ...args])

async function json(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await acuse(['sandbox', ...args, '--json'], { env })
  expect([stderr, code]).toEqual([expect.any(String), 0])
  expect(stdout.match(/\n/g)).toHaveLength(1)
  return { said: stderr, printed: JSON.parse(stdout) }
}
const added = async (...args: readonly string[]) => (await json(['subscriptions', 'add', ...args])).printed

test('acuse sandbox subscriptions (What the service does, rules 5 to 7): add, then trigger: the event arrives with method, headers and body as configured', async () => {
  const hook = await hookReceiver()
  const { said, printed } = await json(
    words`subscriptions add ${hook.url} --method put --name ERP --kinds factura.* --header
        ${'X-Tenant: 5'} --header ${'X-Tenant: 6'} --header-env ${'X-Webhook-Secret: CANARY'}`,
    { CANARY: 's3cret' },
  )
  expect(said).toBe(`Subscription ${printed.id} added.\n`)
  expect(printed).toEqual({
    id: expect.any(Number),
    name: 'ERP',
    url: hook.url,
    method: 'PUT',
    headers: expect.any(Array),
    kinds: ['factura.created', 'factura.updated', 'factura.anulated'],
    active: true,
    warnings: [],
  })
  for (const kind of ['customer.created', 'factura.created'])
    expect((await acuse(['trigger', kind])).code).toBe(0)
  const [came] = await hook.count(1)
  expect(hook.received).toHaveLength(1)
  expect(came?.method).toBe('PUT')
  expect(JSON.parse(came?.body.toString() ?? '').Event).toBe('factura.created')
  expect(came && headerValues(came, 'x-tenant')).toEqual(['5', '6'])
  expect(came && headerValues(came, 'x-webhook-secret')).toEqual(['s3cret'])
})

test('acuse sandbox: subscriptions: list shows what there is, with ids, for people and as JSON; credentials are covered', async () => {
  const one = await added(
    ...words`https://erp.example/hook --inactive --header ${'Authorization: Bearer canary'}`,
  )
  expect(one.headers).toEqual([{ name: 'Authorization', value: '13 characters', masked: true }])
  const { printed } = await json(['subscriptions', 'list'])
  expect(printed.subscriptions.find(({ id }: { id: number }) => id === one.id)).toEqual(one)
  const { code, stdout, stderr } = await subscriptions('list')
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('canary')])
  expect(stdout).toMatch(new RegExp(`^${one.id} +inactive +POST https://erp\\.example/hook$`, 'm'))
  expect(stdout).toContain('all 28 kinds')
  expect(stdout).toContain('Authorization: <masked: 13 characters>')
})

test('acuse sandbox: subscriptions: test prints the answer: status, time, answer; 3 when it was no 2xx', async () => {
  const answer = 'thanks\u001b[2J'
  const hook = await hookReceiver((_, response) => response.writeHead(201, { 'X-By': 'hook' }).end(answer))
  const { id } = await added(hook.url, '--inactive')
  const { code, stdout } = await subscriptions('test', `${id}`)
  expect([code, hook.received.length]).toEqual([0, 1])
  expect(stdout).toMatch(/^delivered {2}201 {2}[\d.]+ ms {2}POST http/)
  expect(stdout).toContain('X-By: hook')
  expect(stdout).toContain('thanks\\x1b[2J')
  await json(['subscriptions', 'set', `${id}`, '--url', 'http://127.0.0.1:1/'])
  const gone = await acuse(['sandbox', 'subscriptions', 'test', `${id}`, '--json'])
  expect([gone.code, JSON.parse(gone.stdout).outcome]).toEqual([3, 'failed'])
  expect(gone.stderr).toMatch(/^The test did not arrive at http:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED/)
})

const URL_ = 'http://127.0.0.1:3000/'
test.concurrent.each([
  [['subscriptions'], 'Usage: acuse sandbox subscriptions'],
  [['subscription', 'list'], 'Did you mean subscriptions?'],
  [['subscriptions', 'add'], 'missing required argument'],
  [['subscriptions', 'add', 'nowhere'], 'Give a whole address'],
  [['subscriptions', 'add', 'http://u:p@a/'], 'must not hold a user name or password'],
  [['subscriptions', 'add', URL_, '--method', 'DELETE'], 'Give GET, PUT, POST.'],
  [['subscriptions', 'add', URL_, '--kinds', 'factura.create'], 'Did you mean factura.created?'],
  [['subscriptions', 'add', URL_, '--kinds', 'qqqqqqqq.*'], '"acuse trigger --list" shows them'],
  [['subscriptions', 'add', URL_, '--header', 'canary'], '--header takes "Name: value"'],
  [['subscriptions', 'add', URL_, '--header', 'X: 日本'], 'a character that a header cannot carry'],
  [['subscriptions', 'add', URL_, '--header-env', 'X: GONE'], 'the environment has no GONE'],
  [['subscriptions', 'add', URL_, '--active', '--inactive'], 'Give either --inactive or --active'],
  [['subscriptions', 'set', '1'], 'Name what to change'],
  [['subscriptions', 'set', 'one', '--active'], 'whole number'],
  [['subscriptions', 'set', '1', '--remove-header', 'X-None'], 'has no header X-None'],
  [['keys', 'issue', '--name', 'Acuse'], 'choose another'],
  [['plugins', 'install', '--event-types', 'cobro'], 'Did you mean cobro.registrado?'],
  [['plan', ''], 'plan: must not be empty'],
])('acuse sandbox %j is refused with 2 before anything is changed: %s', async (args, sentence) => {
  const bodyOf = async (path: string) => (await client().admin('GET', path)).body
  const all = () => Promise.all(['/subscriptions', '/keys', '/plugins', '/state'].map(bodyOf))
  const before = await all()
  const { code, stdout, stderr } = await acuse(['sandbox', ...args])
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)])
  expect(stderr).not.toMatch(/\n\s+at |canary/)
  expect(await all()).toEqual(before)
})

test.each([
  ['subscription', ['subscriptions', 'set', '999', '--active']],
  ['subscription', ['subscriptions', 'set', '999', '--header', 'X: 1']],
  ['subscription', ['subscriptions', 'remove', '999']],
  ['subscription', ['subscriptions', 'test', '999']],
  ['API key', ['keys', 'revoke', '999']],
  ['plugin', ['plugins', 'set', '999', '--active']],
  ['plugin', ['plugins', 'remove', '999']],
])('an unknown %s exits with 3 and says where to look: %j', async (thing, args) => {
  const stderr = `There is no ${thing} 999; "acuse sandbox ${args[0]} list" lists them.\n`
  expect(await acuse(['sandbox', ...args])).toEqual({ code: 3, stdout: '', stderr })
})

test('acuse sandbox: keys (Authentication, rule 1): issue prints the key alone, this once; it opens the sync routes until it is revoked', async () => {
  const { code, stdout, stderr } = await acuse(['sandbox', 'keys', 'issue', '--name', 'ERP'])
  const key = stdout.trimEnd()
  expect([code, stdout, stderr]).toEqual([0, `${key}\n`, expect.stringContaining('shown this once')])
  const status = async () => {
    const url = `${ready().sandbox}/api/v1/documents/treasury-sync`
    return (await fetch(url, { headers: { 'X-Api-Key': key } })).status
  }
  expect(await status()).toBe(200)
  const { printed } = await json(['keys', 'list'])
  const [own, issued] = printed.keys
  expect([own.name, issued]).toEqual(['Acuse', { id: issued.id, name: 'ERP', createdAt: expect.any(String) }])
  expect((await acuse(['sandbox', 'keys', 'list'])).stdout).not.toContain(key)
  expect(await json(['keys', 'revoke', `${issued.id}`])).toMatchObject({ printed: { removed: issued.id } })
  expect(await status()).toBe(401)
})

test('acuse sandbox plugins (Endpoints, plugins/events): install prints the token alone; one that is subscribed gets the others’ events, byte for byte', async () => {
  const hook = await hookReceiver()
  const token = (await acuse(['sandbox', 'plugins', 'install', '--name', 'Cobros'])).stdout.trimEnd()
  const { printed: other } = await json(
    words`plugins install --url ${hook.url} --event-types cobro.registrado`,
  )
  expect(Object.keys(other).sort()).toEqual(words`active createdAt eventTypes id name token url`)
  const published = await fetch(`${ready().sandbox}/api/v1/plugins/events`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"eventType":"cobro.registrado","data":{"n": 1.50}}',
  })
  expect(published.status).toBe(202)
  const [came] = await hook.count(1)
  expect(came?.body.toString()).toContain('{"n": 1.50}')
  const { stdout } = await acuse(['sandbox', 'plugins', 'list'])
  expect(stdout).toContain(`cobro.registrado to ${hook.url}`)
  expect(stdout).not.toContain(token)
  const id = `${other.id}`
  expect((await json(['plugins', 'set', id, '--no-url', '--event-types', 'all'])).printed).toMatchObject({
    url: null,
    eventTypes: ['cobro.registrado', 'pago_proveedor.registrado', 'inventario.movimiento'],
  })
  const { said } = await json(['plugins', 'set', id, '--url', 'http://erp.example/', '--inactive'])
  expect(said).toContain('Warning: ')
  expect((await json(['plugins', 'remove', id])).printed).toEqual({ removed: other.id })
})
