import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { endpointFor, readyRules } from '#receiver/rules.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint } from './endpoint.ts'
import { only, rig } from './rig.ts'

const rules = readyRules({
  ...DEFAULT_SETTINGS.receiver,
  endpoints: [
    endpoint({ name: 'a', path: '/a' }),
    endpoint(),
    endpoint({ name: 'a-b', path: '/a/b' }),
    endpoint({ name: 'slash', path: '/s/' }),
    endpoint({ name: 'encoded', path: '/%61' }),
  ],
})

describe('which endpoint a request belongs to (longest whole-segment, case-sensitive prefix of the raw path)', () => {
  test.each([
    ['/', 'default'],
    ['/a', 'a'],
    ['/a/', 'a'],
    ['/a/x', 'a'],
    ['/a/b', 'a-b'],
    ['/a/b/c', 'a-b'],
    ['/a/bc', 'a'],
    ['/ab', 'default'],
    ['/A', 'default'],
    ['/a?x=/a/b', 'a'],
    ['/a/b?x', 'a-b'],
    ['/a#b', 'a'],
    ['/%61', 'encoded'],
    ['/%61/x', 'encoded'],
    ['/a%2Fb', 'default'],
    ['/s', 'default'],
    ['/s/', 'slash'],
    ['/s/x', 'slash'],
    ['//a', 'default'],
    ['/./a', 'default'],
    ['*', 'default'],
    ['', 'default'],
    ['http://host/a/b?x', 'a-b'],
    ['HTTP://host:1', 'default'],
    ['http://host?/a', 'default'],
    ['host:443', 'default'],
    ['http:/a', 'default'],
  ])('%s -> %s', (target, name) => {
    expect(endpointFor(rules, target).name).toBe(name)
  })

  test('without a default endpoint there still is one', () => {
    expect(endpointFor(readyRules({ ...DEFAULT_SETTINGS.receiver, endpoints: [] }), '/x').name).toBe(
      'default',
    )
  })
})

test('settings apply to the next request, without a restart', async () => {
  const made = await rig()
  expect((await raw(made, requestBytes('POST', '/a', ''))).answers[0]?.status).toBe(200)
  made.rules = {
    ...made.rules,
    endpoints: [
      endpoint(),
      endpoint({ name: 'a', path: '/a', answer: { status: 201, headers: [], body: '', delayMs: 0 } }),
    ],
  }
  expect((await raw(made, requestBytes('POST', '/a', ''))).answers[0]?.status).toBe(201)
  expect(made.capture.deliveries.map((d) => d.endpoint)).toEqual(['default', 'a'])
})

test('a disabled endpoint still stores, and answers 404', async () => {
  const { capture, port } = await rig({
    rules: { endpoints: [endpoint(), endpoint({ name: 'off', path: '/off', enabled: false })] },
  })
  const { answers } = await raw({ port }, requestBytes('POST', '/off/x', '{}'))
  expect([answers[0]?.status, answers[0]?.body.length]).toEqual([404, 0])
  expect(only(capture)).toMatchObject({ endpoint: 'off', rejected: false, bodySize: 2 })
})
