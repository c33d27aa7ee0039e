import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_ANSWER, DEFAULT_SCHEDULE, DEFAULT_SETTINGS, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { planConfig } from '#hosts/cli/shared/config-file.ts'
import { type Step, setStep, unsetStep, valueAt } from '#hosts/cli/shared/config-paths.ts'
import { runCliHere } from '../../../support/cli-here.ts'
import { aConnection } from '../../../support/records.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { words } from '../../../support/words.ts'

const ANSWER = { ...DEFAULT_ANSWER, status: 202 }
const ORDERS = { name: 'orders', path: '/orders', enabled: true, answer: ANSWER }
const TENANT = { name: 'X-Tenant', value: '5', secret: false }
const TOKEN = { name: 'Authorization', value: null, secret: true }
const STAGING = { ...DEFAULT_TARGET, name: 'staging', url: 'https://erp.example/', headers: [TENANT, TOKEN] }
const MAIN = aConnection()
const LATE = { name: 'Late v1.2', filter: 'is:late' }
const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  endpoints: [...DEFAULT_SETTINGS.endpoints, { ...ORDERS, secret: { header: 'X-Key', values: 2 } }],
  targets: [STAGING],
  defaultTarget: 'staging',
  connections: [{ ...MAIN, apiKey: 'stored', pluginToken: 'none' }],
  savedFilters: [LATE],
}
const usage = (message: string) =>
  expect.objectContaining({ exit: 2, message: expect.stringContaining(message) })
const asked = (...steps: readonly Step[]) =>
  steps.map(({ command, params, says }) => {
    expect(COMMANDS[command].params.safeParse(params)).toMatchObject({ success: true })
    return [command, params, says]
  })

const FILES = { certificate: '/a.pem', key: '/b.pem' }
test.each([
  ['receiver.port', '4410', { receiver: { port: 4410 } }],
  ['receiver.tls', 'generated', { receiver: { tls: { certificate: 'generated' } } }],
  ['receiver.tls', 'off', { receiver: { tls: null } }],
  ['receiver.tls', JSON.stringify(FILES), { receiver: { tls: FILES } }],
  ['masking.names', 'X-Odd, !key', { masking: { names: ['X-Odd', '!key'] } }],
  ['masking.names', '', { masking: { names: [] } }],
  ['appearance.theme', 'dark', { appearance: { theme: 'dark' } }],
  ['desktop.keepReceiving', 'null', { desktop: { keepReceiving: null } }],
])('acuse config: set: %s %s changes that setting alone', (path, value, params) => {
  expect(asked(setStep(path, value)(SETTINGS))).toEqual([['settings.update', params, `${path} set`]])
})

test.each([
  ['answer.status', '201', { answer: { ...ANSWER, status: 201 } }],
  ['answer.delayMs', '50', { answer: { ...ANSWER, delayMs: 50 } }],
  ['answer.body', '', { answer: { ...ANSWER, body: '' } }],
  ['answer.headers', '[["A","b"]]', { answer: { ...ANSWER, headers: [['A', 'b']] } }],
  ['enabled', 'false', { enabled: false }],
  ['path', '/new', { path: '/new' }],
  ['name', 'pedidos', { name: 'pedidos' }],
])('acuse config: set: endpoint.orders.%s %s keeps the rest of the endpoint', (member, value, change) => {
  const params = { previousName: 'orders', ...ORDERS, ...change }
  const path = `endpoint.orders.${member}`
  expect(asked(setStep(path, value)(SETTINGS))).toEqual([['endpoints.save', params, `${path} set`]])
})

test('acuse config: set: a path for a new name makes the endpoint; a saved filter is known by its name, whatever its case', () => {
  expect(asked(setStep('endpoint.new.path', '/new')(SETTINGS))).toEqual([
    ['endpoints.save', { ...ORDERS, name: 'new', path: '/new', answer: DEFAULT_ANSWER }, 'endpoint new made'],
  ])
  const path = 'filter.late v1.2.notify'
  for (const [step, notify] of [[setStep(path, 'true'), true] as const, [unsetStep(path), false] as const])
    expect(asked(step(SETTINGS))).toEqual([['filters.save', { ...LATE, notify }, `${path} set`]])
})

test.each([
  ['reciever.port', '1', 'Did you mean receiver.port?'],
  ['receiver', '1', 'There is no setting "receiver"'],
  ['__proto__.x', '1', 'There is no setting'],
  ['receiver.port', 'many', 'whole number'],
  ['receiver.tls', 'on', 'takes off, generated, or'],
  ['endpoint.orders.answer.headers', 'A: b', 'takes JSON'],
  ['endpoint.orders.answer.statsu', '1', 'Did you mean endpoint.orders.answer.status?'],
  ['desktop.keepReceiving', 'perhaps', 'true, false, or null'],
  ['filter.Late.notify', 'perhaps', 'true or false'],
  ['filter.Late.notify', 'true', 'There is no saved filter named "Late"'],
  ['endpoint.none.answer.status', '201', 'There is no endpoint named "none"'],
])('acuse config: set: %s %s is refused: %s', (path, value, message) => {
  expect(() => setStep(path, value)(SETTINGS)).toThrow(usage(message))
})

test.each([
  ['endpoint.orders', 'endpoints.remove', { name: 'orders' }, 'endpoint orders removed'],
  ['endpoint.orders.secret', 'endpoints.clear-secret', { name: 'orders', which: 'all' }],
  ['endpoint.orders.secret.previous', 'endpoints.clear-secret', { name: 'orders', which: 'previous' }],
  ['receiver.tls', 'settings.update', { receiver: { tls: null } }],
  ['receiver.publicUrl', 'settings.update', { receiver: { publicUrl: null } }],
  ['desktop.keepReceiving', 'settings.update', { desktop: { keepReceiving: null } }],
])('acuse config: unset %s takes that away alone', (path, command, params, says = `${path} removed`) => {
  expect(asked(unsetStep(path)(SETTINGS))).toEqual([[command, params, says]])
})
test.each(['receiver.port', 'endpoint.orders.path', ''])('acuse config: unset "%s" is refused', (path) => {
  expect(() => unsetStep(path)).toThrow(usage('cannot be taken away'))
})

test.each([
  ['receiver.port', 4400],
  ['endpoint.orders.answer.status', 202],
  ['endpoint.orders.secret', { header: 'X-Key', values: 2 }],
  ['endpoint.orders', SETTINGS.endpoints[1]],
])('acuse config: get finds %s', (path, value) => expect(valueAt(path, SETTINGS)).toEqual(value))
test.each(['receiver.prt', 'toString', 'receiver.port.toString', 'endpoint.orders.answer.x'])(
  'acuse config: get refuses %s',
  (path) => expect(() => valueAt(path, SETTINGS)).toThrow(usage('There is no setting')),
)

const ENV = { S: 'value' }
const plan = (content: unknown) => asked(...planConfig(content, SETTINGS, ENV))

test('acuse config: apply: what "config get" prints changes nothing but is accepted, and keeps the secrets that are there', () => {
  const steps = plan(JSON.parse(JSON.stringify({ ...SETTINGS, formerSecretHeaders: ['x-old'] })))
  expect(steps.map(([command]) => command)).toEqual(
    words`settings.update endpoints.save endpoints.save targets.save connections.save`,
  )
  expect(steps[3]?.[1]).toEqual({ previousName: 'staging', ...STAGING })
  expect(steps[4]?.[1]).toEqual({ previousName: 'main', ...MAIN })
  expect(plan({})).toEqual([])
})

/** The step that saves a change of an existing entry. */
const saved = (thing: string, one: { readonly name: string }, change: object = {}) => {
  const params = { previousName: one.name, ...one, ...change }
  return [`${thing}s.save`, params, `${thing} ${one.name} changed`]
}
const secret = (value: object | null) => ({ endpoints: [{ name, secret: value }] })
const orders = (change: object = {}) => saved('endpoint', ORDERS, change)
const target = (change: object) => ({ targets: [{ name: 'staging', ...change }] })
const staging = (change: object) => [saved('target', STAGING, change)]
const main = (change: object) => ({ connections: [{ name: 'main', ...change }] })
const connected = (change: object) => [saved('connection', MAIN, change)]
const filters = (filter: object) => ({ savedFilters: [{ ...LATE, ...filter }] })
const filtered = (filter: object, name = LATE.name) => [
  ['filters.save', { ...LATE, ...filter }, `filter ${name} changed`],
]
const defaulted = (name: string | null, says: string) => ['targets.set-default', { name }, says]
const S = { fromEnv: 'S' }
const name = 'orders'
const [BROKEN, FAST, MAPPED] = [{ status: 500 }, { answerMs: 5 }, { mapping: { number: '/a' } }]
const SECRET = { header: 'X-New', value: S, keepPrevious: true }
const SECRET_SET = ['endpoints.set-secret', { ...SECRET, name, value: 'value' }, 'secret of orders set']
const SECRET_GONE = ['endpoints.clear-secret', { name, which: 'all' }, 'secret of orders removed']
const [SENT, KEPT] = [
  { name: TOKEN.name, value: S },
  { ...TOKEN, value: 'value' },
]
const NEW = { name: 'new', url: 'http://127.0.0.1:1/' }
const NEW_MADE = ['targets.save', { ...DEFAULT_TARGET, ...NEW }, 'target new made']
const TWO = { name: 'two', baseUrl: 'http://127.0.0.1:4500' }
const TWO_WHOLE = { ...MAIN, ...TWO, timeouts: { ...MAIN.timeouts, ...FAST } }
const [other, time] = [{ name: 'late V1.2', filter: 'took:>1s' }, { at: '06:30' }]
const daily = { connection: 'main', time }
const DAILY_MADE = ['schedules.save', { ...DEFAULT_SCHEDULE, ...daily }, 'schedule of main made']
test.each<[string, object, unknown[]]>([
  [
    'a part of an endpoint',
    { endpoints: [{ name, answer: BROKEN }] },
    [orders({ answer: { ...ANSWER, ...BROKEN } })],
  ],
  ['a secret by the name of its variable', secret(SECRET), [orders(), SECRET_SET]],
  ['a secret that goes', secret(null), [orders(), SECRET_GONE]],
  ['a filter that is there already', filters({}), []],
  ['a filter that tells', filters({ notify: true }), filtered({ notify: true })],
  ['a filter in another case', { savedFilters: [other] }, filtered(other, other.name)],
  ['a part of a target', target({ timeouts: FAST }), staging({ timeouts: { ...STAGING.timeouts, ...FAST } })],
  [
    'new target',
    { targets: [NEW], defaultTarget: 'new' },
    [NEW_MADE, defaulted('new', 'default target new')],
  ],
  ['no default target', { defaultTarget: null }, [defaulted(null, 'no default target')]],
  ['a secret header of a target', target({ headers: [SENT] }), staging({ headers: [KEPT] })],
  [
    'a new connection',
    { connections: [{ ...TWO, timeouts: FAST }] },
    [['connections.save', TWO_WHOLE, 'connection two made']],
  ],
  ['a key by the name of its variable', main({ apiKey: S }), connected({ apiKey: 'value' })],
  ['a key that goes', main({ apiKey: 'none', pluginToken: 'none' }), connected({ apiKey: null })],
  ['a mapping and a schedule', { ...main(MAPPED), schedules: [daily] }, [...connected(MAPPED), DAILY_MADE]],
])('acuse config: apply: %s', (_, content, steps) => expect(plan(content)).toEqual(steps))

const endpoint = (change: object) => ({ endpoints: [{ name: 'x', path: '/x', ...change }] })
const hidden = (value: unknown) => ({ headers: [{ ...TOKEN, value }] })
const GONE = { fromEnv: 'GONE' }
test.each<[unknown, string]>([
  [[], 'the file'],
  [null, 'the file'],
  [{ reciever: {} }, 'reciever'],
  [{ receiver: { port: 70_000 } }, 'receiver.port'],
  [{ endpoints: [{ path: '/x' }] }, 'endpoints.0.name'],
  [{ endpoints: [{ name: 'x' }] }, 'give a path'],
  [endpoint({ name: 'BAD' }), 'endpoints.0.name'],
  [endpoint({ path: '/orders' }), 'already has the path /orders'],
  [{ endpoints: [...endpoint({}).endpoints, { name: 'b', path: '/x' }] }, 'endpoints.1.path'],
  [endpoint({ name: 'default' }), 'keeps the path "/"'],
  [secret({ header: 'X', value: 'plain' }), 'endpoints.0.secret'],
  [secret({ header: 'X', value: GONE }), 'no GONE'],
  [secret({ header: 'Other', values: 1 }), 'fromEnv'],
  [filters({ filter: 'size:big' }), 'savedFilters.0.filter: column 6'],
  [{ targets: [{ name: 'gone' }] }, 'give a url to make it'],
  [target(hidden('plain')), 'holds no'],
  [target(hidden(GONE)), 'targets.0.headers.0.value: the environment has no GONE'],
  [target({ headers: [TOKEN, TOKEN] }), 'headers.1.value: the secret Authorization has no value here'],
  [{ targets: [{ ...NEW, headers: [TOKEN] }] }, 'acuse targets set new --secret-header Authorization=NAME'],
  [{ defaultTarget: 'gone' }, 'no target named "gone"'],
  [{ connections: [{ name: 'second' }] }, 'give a baseUrl to make it'],
  [main({ apiKey: GONE }), 'connections.0.apiKey: the environment has no GONE.'],
  [main({ pluginToken: 'stored' }), 'nothing is stored here yet'],
  [main({ apiKey: 'k-1' }), 'connections.0.apiKey'],
  [{ schedules: [{ connection: 'main', time: { at: '6:30' } }] }, 'schedules.0.time'],
])('acuse config: apply: %j is refused as a whole, saying where: %s', (content, where) => {
  expect(() => planConfig(content, SETTINGS, ENV)).toThrow(usage(where))
})

test('a budget that deletes deliveries is set with --yes alone', { tags: 'long' }, async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const body = 'x'.repeat(1_000_000)
    await Promise.all(Array.from({ length: 20 }, () => opened.store.capture.append(aDelivery({ body }))))
  }
  const config = (...args: string[]) => runCliHere(words`config ${args} --data ${folder}`)
  expect((await config('set', 'retention.overBudget', 'delete-oldest')).code).toBe(0)
  const asking = ['set', 'retention.budgetBytes', '10000000']
  expect(await config(...asking)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /about 1\d of the oldest deliveries \([\d,]+ bytes\) would be deleted for good/,
    ),
  })
  const budget = async () => (await config('get', 'retention.budgetBytes')).stdout.trim()
  expect(await budget()).toBe(String(DEFAULT_SETTINGS.retention.budgetBytes))
  expect((await config(...asking, '--yes')).code).toBe(0)
  expect(await budget()).toBe('10000000')
})

const acuse = (args: readonly string[], stdin = '') =>
  runCliHere([...args, '--data', join(tempFolder(), 'data')], { stdin })
const WARNING = /Warning: (\S+) uses plain HTTP beyond this machine\. .*; use HTTPS\./g

const file = JSON.stringify({
  receiver: { publicUrl: 'http://hooks.example/a' },
  connections: [{ name: 'erp', baseUrl: 'http://service.example' }],
})
test.each([
  ['config set receiver.publicUrl http://hooks.example/in', ['http://hooks.example/in'], 'the secret header'],
  ['connections set erp --base-url http://192.168.1.20:8080', ['http://192.168.1.20:8080'], 'the API key'],
  ['config apply -', ['http://hooks.example/a', 'http://service.example'], ''],
  ['config set receiver.publicUrl http://127.0.0.1:4400/', [], ''],
  ['connections set erp --base-url https://service.example', [], ''],
])('%s: it warns of http:// beyond this machine (readings, Delivery): %j', async (line, warned, exposed) => {
  const { code, stderr } = await acuse(line.split(' '), file)
  expect([code, [...stderr.matchAll(WARNING)].map(([, address]) => address)]).toEqual([0, warned])
  expect(stderr).toContain(exposed)
})
