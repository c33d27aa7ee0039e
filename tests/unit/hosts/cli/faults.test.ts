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
  const told = `Fault rule ${id} is in force; end it with: acuse faults remove ${id}\n`
  expect([code, stderr]).toEqual([0, told])
  const bounds = 'at default, filter kind:factura.*, probability 0.3 (seed 7), next 5, until 2099-01-01T00:'
  for (const part of ['delay:2000ms', bounds]) expect(stdout).toContain(part)
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
  [['add', '--effect', 'hang', '--filter', 'is:late'], 'one delivery before its answer'],
  [['add', '--effect', 'hang', '--endpoint', 'defualt'], 'Known are default'],
])('acuse faults: %j is refused with 2', async (args, part) => {
  expect(await faults(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(part) })
})

test('acuse faults: what is refused adds nothing', async () =>
  expect(await json('list')).toEqual({ faults: [] }))

const now = new Date(2026, 10, 21, 12, 0, 0).getTime()
const READ = {
  effect: effectFrom,
  probability: probabilityFrom,
  until: (text: string) => untilFrom(text, now),
}

test.each<[keyof typeof READ, string, unknown]>([
  ['effect', 'status:200', { type: 'status', status: 200 }],
  ['effect', 'status:599', { type: 'status', status: 599 }],
  ['effect', 'delay:1', { type: 'delay', ms: 1 }],
  ['effect', 'delay:2000', { type: 'delay', ms: 2_000 }],
  ['effect', 'delay:500ms', { type: 'delay', ms: 500 }],
  ['effect', 'delay:2.5s', { type: 'delay', ms: 2_500 }],
  ['effect', 'delay:10m', { type: 'delay', ms: 600_000 }],
  ['effect', 'hang', { type: 'hang' }],
  ['effect', 'reset', { type: 'reset' }],
  ['effect', 'close-mid-answer', { type: 'close-mid-answer' }],
  ['probability', '0', 0],
  ['probability', '1', 1],
  ['probability', '.5', 0.5],
  ['probability', '30%', 0.3],
  ['probability', '100%', 1],
  ['until', '10m', now + 600_000],
  ['until', '1.5h', now + 5_400_000],
  ['until', '30s', now + 30_000],
  ['until', '2d', now + 172_800_000],
  ['until', '17:30', new Date(2026, 10, 21, 17, 30).getTime()],
  ['until', '12:00:01', now + 1_000],
  ['until', '11:59', new Date(2026, 10, 22, 11, 59).getTime()],
  ['until', '12:00', new Date(2026, 10, 22, 12).getTime()],
  ['until', '2026-11-21T12:05', now + 300_000],
  ['until', '2026-11-21 12:05:30', now + 330_000],
  ['until', '2027-01-01T00:00:00Z', Date.UTC(2027, 0, 1)],
  ['until', '2027-01-01T00:00-04:00', Date.UTC(2027, 0, 1, 4)],
])('--%s: %s is understood', (option, text, value) => expect(READ[option](text)).toEqual(value))

test.each<[keyof typeof READ, readonly string[], string]>([
  ['effect', ['', 'crash', 'toString'], 'Give one of status:503, delay:2s, hang, reset, close-mid-answer.'],
  ['effect', ['hang:5', 'reset:', 'status:503:1'], 'Give one of'],
  ['effect', words`status status:199 status:600 status:5e2`, '200 to 599'],
  ['effect', ['delay', 'delay:0', 'delay:-1', 'delay:601s', 'delay:2 s'], '1 ms to 10 minutes'],
  ['probability', ['', '-0.1', '1.01', '101%', 'half', '1e-3', '0x1', '%', 'NaN'], 'from 0 to 1'],
  ['until', ['', '10', '10 m', '-5m', 'm', 'tomorrow', '1e3s'], 'such as 10m'],
  ['until', ['25:00', '12:60', '2026-11-22', '2026-13-01T00:00', '2027-02-31T00:00'], 'such as 10m'],
  ['until', ['0s', '2026-11-21T11:00', '1999-01-01T00:00Z'], 'past'],
])('--%s: %j are refused: %s', (option, texts, part) => {
  for (const text of texts) expect(() => READ[option](text), text).toThrow(part)
})
