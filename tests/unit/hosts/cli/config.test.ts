import { describe, expect, test } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_ANSWER, DEFAULT_SETTINGS, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { planConfig } from '#hosts/cli/shared/config-file.ts'
import { setStep, unsetStep, valueAt } from '#hosts/cli/shared/config-paths.ts'
import { runCliHere } from '../../../support/cli-here.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  endpoints: [
    ...DEFAULT_SETTINGS.endpoints,
    {
      name: 'orders',
      path: '/orders',
      enabled: true,
      answer: { ...DEFAULT_ANSWER, status: 202 },
      secret: { header: 'X-Key', values: 2 },
    },
  ],
}
const usage = (message: string) =>
  expect.objectContaining({ exit: 2, message: expect.stringContaining(message) })

describe('acuse config set', () => {
  test.each([
    ['receiver.port', '4410', { receiver: { port: 4410 } }],
    ['receiver.host', '0.0.0.0', { receiver: { host: '0.0.0.0' } }],
    ['receiver.bodyLimit', '1048576', { receiver: { bodyLimit: 1_048_576 } }],
    ['receiver.maxConnections', '500', { receiver: { maxConnections: 500 } }],
    ['receiver.maxConnectionsPerAddress', '50', { receiver: { maxConnectionsPerAddress: 50 } }],
    ['masking.names', 'X-Odd, !key', { masking: { names: ['X-Odd', '!key'] } }],
    ['masking.names', '', { masking: { names: [] } }],
    ['retention.budgetBytes', '10000000', { retention: { budgetBytes: 10_000_000 } }],
    ['appearance.theme', 'dark', { appearance: { theme: 'dark' } }],
    ['appearance.language', 'es', { appearance: { language: 'es' } }],
    ['desktop.keepReceiving', 'true', { desktop: { keepReceiving: true } }],
    ['desktop.keepReceiving', 'null', { desktop: { keepReceiving: null } }],
  ])('%s %s changes that setting alone', (path, value, params) => {
    expect(setStep(path, value)(SETTINGS)).toMatchObject({ command: 'settings.update', params })
    expect(COMMANDS['settings.update'].params.safeParse(params).success).toBe(true)
  })

  test.each([
    ['endpoint.orders.answer.status', '201', { answer: { ...DEFAULT_ANSWER, status: 201 } }],
    ['endpoint.orders.answer.delayMs', '50', { answer: { ...DEFAULT_ANSWER, status: 202, delayMs: 50 } }],
    ['endpoint.orders.answer.body', '', { answer: { ...DEFAULT_ANSWER, status: 202, body: '' } }],
    [
      'endpoint.orders.answer.headers',
      '[["A","b"]]',
      { answer: { ...DEFAULT_ANSWER, status: 202, headers: [['A', 'b']] } },
    ],
    ['endpoint.orders.enabled', 'false', { enabled: false }],
    ['endpoint.orders.path', '/new', { path: '/new' }],
    ['endpoint.orders.name', 'pedidos', { name: 'pedidos', previousName: 'orders' }],
  ])('%s %s keeps the rest of the endpoint', (path, value, params) => {
    const step = setStep(path, value)(SETTINGS)
    expect(step).toMatchObject({ command: 'endpoints.save', params: { previousName: 'orders', ...params } })
    expect(COMMANDS['endpoints.save'].params.safeParse(step.params).success).toBe(true)
  })

  test('a saved filter is told to notify by its name, whatever its case', () => {
    const saved = { name: 'Late v1.2', filter: 'is:late' }
    const step = setStep('filter.late v1.2.notify', 'true')({ ...SETTINGS, savedFilters: [saved] })
    expect(step).toMatchObject({ command: 'filters.save', params: { ...saved, notify: true } })
    expect(COMMANDS['filters.save'].params.safeParse(step.params).success).toBe(true)
  })

  test('a path for a new name makes the endpoint', () => {
    expect(setStep('endpoint.new.path', '/new')(SETTINGS)).toEqual({
      command: 'endpoints.save',
      params: { name: 'new', path: '/new', enabled: true, answer: DEFAULT_ANSWER },
      says: 'endpoint new made',
    })
  })

  test.each([
    ['reciever.port', '1', 'Did you mean receiver.port?'],
    ['receiver', '1', 'There is no setting "receiver"'],
    ['__proto__.x', '1', 'There is no setting'],
    ['constructor', '1', 'There is no setting'],
    ['receiver.port', 'many', 'whole number'],
    ['receiver.port', '-1', 'whole number'],
    ['endpoint.orders.enabled', 'yes', 'true or false'],
    ['endpoint.orders.answer.headers', 'A: b', 'takes JSON'],
    ['endpoint.orders.answer.statsu', '1', 'Did you mean endpoint.orders.answer.status?'],
    ['desktop.keepReceiving', 'perhaps', 'true, false, or null'],
    ['filter.Late.notify', 'perhaps', 'true or false'],
    ['filter.Late.notify', 'true', 'There is no saved filter named "Late"'],
    ['endpoint.nobody.answer.status', '201', 'There is no endpoint named "nobody"'],
  ])('%s %s is refused: %s', (path, value, message) => {
    expect(() => setStep(path, value)(SETTINGS)).toThrow(usage(message))
  })
})

describe('acuse config unset and get', () => {
  test('take away an endpoint, its secret, or the previous secret, and nothing else', () => {
    expect(unsetStep('endpoint.orders')(SETTINGS)).toMatchObject({
      command: 'endpoints.remove',
      params: { name: 'orders' },
    })
    expect(unsetStep('endpoint.orders.secret')(SETTINGS).params).toEqual({ name: 'orders', which: 'all' })
    expect(unsetStep('endpoint.orders.secret.previous')(SETTINGS).params).toEqual({
      name: 'orders',
      which: 'previous',
    })
    for (const path of ['receiver.port', 'endpoint.orders.path', ''])
      expect(() => unsetStep(path)).toThrow(usage('cannot be taken away'))
  })

  test('unset does for a setting that may be absent what setting it to null does', () => {
    for (const path of ['receiver.tls', 'receiver.publicUrl', 'desktop.keepReceiving'])
      expect(unsetStep(path)(SETTINGS)).toEqual({
        ...setStep(path, 'null')(SETTINGS),
        says: `${path} removed`,
      })
    const savedFilters = [{ name: 'Late', filter: 'is:late', notify: true }]
    expect(unsetStep('filter.late.notify')({ ...SETTINGS, savedFilters }).params).toMatchObject({
      notify: false,
    })
  })

  test('get finds parts of any depth', () => {
    expect(valueAt('receiver.port', SETTINGS)).toBe(4400)
    expect(valueAt('endpoint.orders.answer.status', SETTINGS)).toBe(202)
    expect(valueAt('endpoint.orders.secret', SETTINGS)).toEqual({ header: 'X-Key', values: 2 })
    expect(valueAt('endpoint.orders', SETTINGS)).toBe(SETTINGS.endpoints[1])
    for (const path of ['receiver.prt', 'toString', 'receiver.port.toString', 'endpoint.orders.answer.x'])
      expect(() => valueAt(path, SETTINGS)).toThrow(usage('There is no setting'))
  })
})

describe('acuse config apply', () => {
  test('what "config get" prints changes nothing but is accepted', () => {
    const printed = { ...SETTINGS, formerSecretHeaders: ['x-old'] }
    const steps = planConfig(JSON.parse(JSON.stringify(printed)), SETTINGS, {})
    expect(steps.map(({ command }) => command)).toEqual([
      'settings.update',
      'endpoints.save',
      'endpoints.save',
    ])
    for (const step of steps) expect(COMMANDS[step.command].params.safeParse(step.params).success).toBe(true)
  })

  test('a part changes that part; what is not named stays', () => {
    expect(
      planConfig({ endpoints: [{ name: 'orders', answer: { status: 500 } }] }, SETTINGS, {}),
    ).toMatchObject([
      {
        command: 'endpoints.save',
        params: {
          previousName: 'orders',
          path: '/orders',
          enabled: true,
          answer: { ...DEFAULT_ANSWER, status: 500 },
        },
      },
    ])
    expect(planConfig({}, SETTINGS, {})).toEqual([])
  })

  test('filters are kept under their names; what is there already is no step, and a wrong one stops everything', () => {
    const present = { ...SETTINGS, savedFilters: [{ name: 'Late', filter: 'is:late' }] }
    expect(planConfig({ savedFilters: present.savedFilters }, present, {})).toEqual([])
    const telling = { name: 'Late', filter: 'is:late', notify: true }
    expect(planConfig({ savedFilters: [telling] }, present, {})).toEqual([
      { command: 'filters.save', params: telling, says: 'filter Late changed' },
    ])
    expect(
      planConfig({ savedFilters: present.savedFilters }, { ...present, savedFilters: [telling] }, {}),
    ).toEqual([])
    const other = { name: 'late', filter: 'took:>1s' }
    expect(planConfig({ savedFilters: [other] }, present, {})).toEqual([
      { command: 'filters.save', params: other, says: 'filter late changed' },
    ])
    const refused = (filter: string) => () =>
      planConfig({ savedFilters: [{ name: 'x', filter }] }, present, {})
    expect(refused('size:big')).toThrow(/savedFilters\.0\.filter: column 6/)
    expect(refused('/a(/')).toThrow(/missing closing/)
  })

  test('secrets come from the environment by name, and go by null', () => {
    const content = {
      endpoints: [
        { name: 'default', secret: { header: 'X-New', value: { fromEnv: 'S' }, keepPrevious: true } },
        { name: 'orders', secret: null },
      ],
    }
    expect(planConfig(content, SETTINGS, { S: 'value' })).toMatchObject([
      { command: 'endpoints.save' },
      {
        command: 'endpoints.set-secret',
        params: { name: 'default', header: 'X-New', value: 'value', keepPrevious: true },
      },
      { command: 'endpoints.save' },
      { command: 'endpoints.clear-secret', params: { name: 'orders', which: 'all' } },
    ])
  })

  test.each([
    [[], 'the file'],
    [null, 'the file'],
    [{ reciever: {} }, 'reciever'],
    [{ receiver: { port: 70_000 } }, 'receiver.port'],
    [{ receiver: { prt: 1 } }, 'prt'],
    [{ appearance: { theme: 'pink' } }, 'appearance.theme'],
    [{ endpoints: [{ path: '/x' }] }, 'endpoints.0.name'],
    [{ endpoints: [{ name: 'x' }] }, 'give a path'],
    [{ endpoints: [{ name: 'BAD', path: '/x' }] }, 'endpoints.0.name'],
    [{ endpoints: [{ name: 'x', path: 'x' }] }, 'endpoints.0.path'],
    [{ endpoints: [{ name: 'x', path: '/orders' }] }, 'already has the path /orders'],
    [
      {
        endpoints: [
          { name: 'a', path: '/a' },
          { name: 'b', path: '/a' },
        ],
      },
      'endpoints.1.path',
    ],
    [{ endpoints: [{ name: 'default', path: '/d' }] }, 'keeps the path "/"'],
    [{ endpoints: [{ name: 'x', path: '/x', answer: { status: 1 } }] }, 'endpoints.0.answer.status'],
    [{ endpoints: [{ name: 'x', path: '/x', answer: { stats: 1 } }] }, 'endpoints.0.answer'],
    [{ endpoints: [{ name: 'orders', secret: { header: 'X', value: 'plain' } }] }, 'endpoints.0.secret'],
    [{ endpoints: [{ name: 'orders', secret: { header: 'X', value: { fromEnv: 'GONE' } } }] }, 'no GONE'],
    [{ endpoints: [{ name: 'orders', secret: { header: 'Other', values: 1 } }] }, 'fromEnv'],
    [
      { endpoints: [{ name: 'orders', secret: { header: 'a b', value: { fromEnv: 'S' } } }] },
      'endpoints.0.secret.header',
    ],
    [
      { endpoints: [{ name: 'orders', secret: { header: 'A', value: { fromEnv: 'LINES' } } }] },
      'endpoints.0.secret.value',
    ],
  ])('%j is refused as a whole, saying where: %s', (content, where) => {
    expect(() => planConfig(content, SETTINGS, { S: 'x', LINES: 'a\nb' })).toThrow(usage(where))
  })
})

describe('targets in a configuration file', () => {
  const STAGING: Target = {
    ...DEFAULT_TARGET,
    name: 'staging',
    url: 'https://erp.example/hook',
    headers: [
      { name: 'X-Tenant', value: '5', secret: false },
      { name: 'Authorization', value: null, secret: true },
    ],
  }
  const WITH: Settings = { ...SETTINGS, targets: [STAGING], defaultTarget: 'staging' }

  test('what "config get" prints is accepted and keeps the secret that is there', () => {
    const steps = planConfig(JSON.parse(JSON.stringify(WITH)), WITH, {})
    expect(steps.at(-1)).toMatchObject({
      command: 'targets.save',
      params: { previousName: 'staging', ...STAGING },
    })
    for (const step of steps) expect(COMMANDS[step.command].params.safeParse(step.params).success).toBe(true)
  })

  test('a part changes that part; a new one begins with what is usual', () => {
    expect(planConfig({ targets: [{ name: 'staging', timeouts: { answerMs: 5 } }] }, WITH, {})).toMatchObject(
      [
        {
          command: 'targets.save',
          params: { ...STAGING, timeouts: { ...DEFAULT_TARGET.timeouts, answerMs: 5 } },
        },
      ],
    )
    const fresh = { targets: [{ name: 'new', url: 'http://127.0.0.1:1/' }], defaultTarget: 'new' }
    expect(planConfig(fresh, WITH, {})).toEqual([
      {
        command: 'targets.save',
        params: { ...DEFAULT_TARGET, name: 'new', url: 'http://127.0.0.1:1/' },
        says: 'target new made',
      },
      { command: 'targets.set-default', params: { name: 'new' }, says: 'default target new' },
    ])
    expect(planConfig({ defaultTarget: null }, WITH, {})).toMatchObject([
      { command: 'targets.set-default', params: { name: null } },
    ])
  })

  test('secrets come from the environment by name', () => {
    const headers = [{ name: 'Authorization', value: { fromEnv: 'TOKEN' } }]
    expect(planConfig({ targets: [{ name: 'staging', headers }] }, WITH, { TOKEN: 'abc' })).toMatchObject([
      { params: { headers: [{ name: 'Authorization', value: 'abc', secret: true }] } },
    ])
  })

  const secret = (value: unknown) => [{ name: 'Authorization', value, secret: true }]
  test.each([
    [{ targets: [{ name: 'gone' }] }, 'give a url to make it'],
    [{ targets: [{ name: 'staging', url: 'ftp://x' }] }, 'targets.0.url'],
    [{ targets: [{ name: 'staging', timeouts: { answerMs: 0 } }] }, 'targets.0.timeouts.answerMs'],
    [{ targets: [{ name: 'staging', retries: 3 }] }, 'targets.0'],
    [{ targets: [{ name: 'staging', headers: secret('plain') }] }, 'does not stand in a file'],
    [
      { targets: [{ name: 'staging', headers: secret({ fromEnv: 'GONE' }) }] },
      'targets.0.headers.0.value: the environment has no GONE',
    ],
    [
      { targets: [{ name: 'staging', headers: [...secret(null), ...secret(null)] }] },
      'targets.0.headers.1.value: the secret Authorization has no value here yet',
    ],
    [
      { targets: [{ name: 'new', url: 'http://127.0.0.1:1/', headers: secret(null) }] },
      'acuse targets set new --secret-header Authorization=NAME',
    ],
    [{ defaultTarget: 'gone' }, 'no target named "gone"'],
  ])('%j is refused as a whole, saying where: %s', (content, where) => {
    expect(() => planConfig(content, WITH, {})).toThrow(usage(where))
  })
})

test('a budget that deletes deliveries is previewed, and set with --yes alone', {
  tags: 'long',
}, async () => {
  const folder = tempFolder()
  {
    await using test = await openTestStore(folder)
    await Promise.all(
      Array.from({ length: 20 }, () => test.store.capture.append(aDelivery({ body: 'x'.repeat(1_000_000) }))),
    )
  }
  const set = (...words: string[]) => runCliHere(['config', 'set', ...words, '--data', folder])
  expect((await set('retention.overBudget', 'delete-oldest')).code).toBe(0)
  const asked = await set('retention.budgetBytes', '10000000')
  expect(asked.code).toBe(3)
  expect(asked.stderr).toMatch(
    /about 1\d of the oldest deliveries \([\d,]+ bytes\) would be deleted for good/,
  )
  const budget = async () =>
    (await runCliHere(['config', 'get', 'retention.budgetBytes', '--data', folder])).stdout.trim()
  expect(await budget()).toBe(String(DEFAULT_SETTINGS.retention.budgetBytes))
  expect((await set('retention.budgetBytes', '10000000', '--yes')).code).toBe(0)
  expect(await budget()).toBe('10000000')
})
