import { expect, test } from 'vitest'
import { effectFrom, probabilityFrom, untilFrom } from '#hosts/cli/commands/faults.ts'
import { cliHost } from '../../../support/cli-host.ts'
import { words } from '../../../support/words.ts'

const cli = cliHost()
const faults = (...args: readonly string[]) => cli.acuse(['faults', ...args])
const json = (...args: readonly string[]) => cli.json(['faults', ...args])
const post = async () => (await cli.post()).status
const PLAIN = { endpoint: null, probability: 1, seed: 1, filter: '', next: null, until: null }

test('acuse faults: add puts a rule in force that list shows with its counts, until the next so many are over', async () => {
  const added = await json('add', '--effect', 'status:503', '--next', '2')
  expect(added).toEqual({
    ...PLAIN,
    ...{ id: added.id, effect: { type: 'status', status: 503 }, next: 2, matched: 0, applied: 0 },
  })
  expect(await post()).toBe(503)
  expect(await json('list')).toEqual({ faults: [{ ...added, matched: 1, applied: 1 }] })
  expect((await faults('list')).stdout).toMatch(
    new RegExp(`^${added.id} +status:503 +every endpoint, next 1; met 1, applied to 1\n$`),
  )
  expect([await post(), await post()]).toEqual([503, 200])
  expect(await json('list')).toEqual({ faults: [] })
})

test('acuse faults: add takes every bound, and says how to end the rule', async () => {
  const { code, stdout, stderr } = await faults(
    ...['add', '--effect', 'delay:2s', '--endpoint', 'default', '--filter', 'kind:factura.*'],
    ...['--probability', '30%', '--seed', '7', '--next', '5', '--until', '2099-01-01T00:00Z'],
  )
  const id = /^\d+/.exec(stdout)?.[0]
  expect([code, stderr]).toEqual([
    0,
    `Fault rule ${id} is in force; end it with: acuse faults remove ${id}\n`,
  ])
  expect(stdout).toContain('delay:2000ms')
  expect(stdout).toContain(
    'at default, filter kind:factura.*, probability 0.3 (seed 7), next 5, until 2099-01-01T00:',
  )
  expect(await json('remove', `${id}`)).toEqual({ removed: Number(id) })
  expect(await json('list')).toEqual({ faults: [] })
  const before = Date.now()
  const { until } = await json('add', '--effect', 'reset', '--until', '10m')
  expect(until).toBeGreaterThanOrEqual(before + 600_000)
  expect(until).toBeLessThanOrEqual(Date.now() + 600_000)
  expect(await json('clear')).toEqual({ removed: 1 })
})

test.concurrent.each([
  [['add', '--effect', 'hang', '--filter', 'kind:('], 'Filter, column'],
  [['add', '--effect', 'hang', '--filter', 'is:late'], 'one delivery alone'],
  [['add', '--effect', 'hang', '--endpoint', 'defualt'], 'Known are default'],
])('acuse faults: %j is refused with 2', async (args, part) => {
  const { code, stdout, stderr } = await faults(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(part)
})

test('acuse faults: what is refused adds nothing', async () =>
  expect(await json('list')).toEqual({ faults: [] }))

test.each([
  ['status:200', { type: 'status', status: 200 }],
  ['status:599', { type: 'status', status: 599 }],
  ['delay:1', { type: 'delay', ms: 1 }],
  ['delay:2000', { type: 'delay', ms: 2_000 }],
  ['delay:500ms', { type: 'delay', ms: 500 }],
  ['delay:2.5s', { type: 'delay', ms: 2_500 }],
  ['delay:10m', { type: 'delay', ms: 600_000 }],
  ['hang', { type: 'hang' }],
  ['reset', { type: 'reset' }],
  ['close-mid-answer', { type: 'close-mid-answer' }],
])('--effect: %s is understood', (text, effect) => {
  expect(effectFrom(text)).toEqual(effect)
})

test.each(
  Object.entries({
    'Give one of status:503, delay:2s, hang, reset, close-mid-answer.': ['', 'crash', 'toString'],
    'Give one of': ['hang:5', 'reset:', 'status:503:1'],
    '200 to 599': words`status status:199 status:600 status:5e2`,
    '1 ms to 10 minutes': ['delay', 'delay:0', 'delay:-1', 'delay:601s', 'delay:2 s'],
  }),
)('--effect: %s is the answer to %j', (part, texts) => {
  for (const text of texts) expect(() => effectFrom(text), text).toThrow(part)
})

test.each([
  ['0', 0],
  ['1', 1],
  ['0.25', 0.25],
  ['.5', 0.5],
  ['30%', 0.3],
  ['100%', 1],
])('--probability: %s is understood', (text, value) => {
  expect(probabilityFrom(text)).toBe(value)
})

test.each(['', '-0.1', '1.01', '101%', 'half', '1e-3', '0x1', '%', 'NaN'])(
  '--probability: %s is refused',
  (text) => {
    expect(() => probabilityFrom(text)).toThrow('from 0 to 1')
  },
)

const now = new Date(2026, 10, 21, 12, 0, 0).getTime()

test.each([
  ['10m', now + 600_000],
  ['1.5h', now + 5_400_000],
  ['30s', now + 30_000],
  ['2d', now + 172_800_000],
  ['17:30', new Date(2026, 10, 21, 17, 30).getTime()],
  ['12:00:01', now + 1_000],
  ['11:59', new Date(2026, 10, 22, 11, 59).getTime()],
  ['12:00', new Date(2026, 10, 22, 12).getTime()],
  ['2026-11-21T12:05', now + 300_000],
  ['2026-11-21 12:05:30', now + 330_000],
  ['2027-01-01T00:00:00Z', Date.UTC(2027, 0, 1)],
  ['2027-01-01T00:00-04:00', Date.UTC(2027, 0, 1, 4)],
])('--until: %s is an end', (text, end) => {
  expect(untilFrom(text, now)).toBe(end)
})

test.each(words`${''} 10 ${'10 m'} -5m m 25:00 12:60 tomorrow 2026-11-22 2026-13-01T00:00 1e3s`)(
  '--until: %s is refused',
  (text) => {
    expect(() => untilFrom(text, now)).toThrow('such as 10m')
  },
)

test.each(['0s', '2026-11-21T11:00', '1999-01-01T00:00Z'])('--until: %s is past', (text) => {
  expect(() => untilFrom(text, now)).toThrow('past')
})
