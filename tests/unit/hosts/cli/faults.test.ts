import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli-here.ts'
import { type RunningHost, startHost } from '../../../support/host.ts'

let host: RunningHost
beforeAll(async () => {
  host = await startHost({ args: ['--no-ui'] })
})
afterAll(() => host?.stop())

const faults = (...args: readonly string[]) =>
  runCliHere(['faults', ...args], { env: { ACUSE_DATA: host.dataDir } })
/** @returns what --json printed, once the command has ended with 0 */
async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await faults(...args, '--json')
  expect([stderr, code]).toEqual([expect.any(String), 0])
  expect(stdout.match(/\n/g)).toHaveLength(1)
  return JSON.parse(stdout)
}
const post = async () => (await fetch(host.receiverUrl, { method: 'POST', body: '{}' })).status
const PLAIN = { endpoint: null, probability: 1, seed: 1, filter: '', next: null, until: null }

describe('acuse faults', () => {
  test('add puts a rule in force that list shows with its counts, until the next so many are over', async () => {
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

  test('add takes every bound, and says how to end the rule', async () => {
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

  test('clear ends all of them and says how many', async () => {
    for (const effect of ['reset', 'hang']) await json('add', '--effect', effect)
    await expect(post()).rejects.toThrow()
    expect(await json('clear')).toEqual({ removed: 2 })
    expect(await post()).toBe(200)
    expect((await faults('clear')).stderr).toBe('There were none.\n')
    expect(await faults('list')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('faults add'),
    })
  })

  test.concurrent.each([
    [['add', '--effect', 'hang', '--filter', 'kind:('], 'Filter, column'],
    [['add', '--effect', 'hang', '--filter', 'is:late'], 'one delivery alone'],
    [['add', '--effect', 'hang', '--endpoint', 'defualt'], 'Known are default'],
  ])('%j is refused with 2', async (args, part) => {
    const { code, stdout, stderr } = await faults(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(part)
  })

  test('what is refused adds nothing', async () => expect(await json('list')).toEqual({ faults: [] }))
})
