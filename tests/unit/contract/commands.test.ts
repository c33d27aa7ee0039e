import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMAND_NAMES, type CommandName, PARAMS } from '#contract/commands.ts'
import { runs } from '../../support/depth.ts'
import { INVALID, VALID } from './samples.ts'
import { ANYTHING } from './sandbox-samples.ts'

/** Members for which null means something. */
const NULLABLE: ReadonlySet<string> = new Set([
  'deliveries.scan after',
  'deliveries.annotate note',
  'sandbox.install-plugin url',
  'sandbox.change-plugin url',
  'targets.save method',
  'targets.set-default name',
  'forwards.save answerFrom',
  'faults.add endpoint',
  'faults.add next',
  'faults.add until',
  'connections.save apiKey',
  'connections.save pluginToken',
  'connections.save kinds',
  'connections.save mapping',
  'reconciliation.annotate note',
  'reconciliation.annotate ignored',
  'schedules.save recoverTo',
])
/** Members that carry whole documents. */
const LONG: ReadonlySet<string> = new Set(['plugins.publish data'])

const takes = (command: CommandName, params: unknown): boolean => PARAMS[command].safeParse(params).success

describe.each(COMMAND_NAMES)('%s', (command) => {
  const samples: readonly object[] = VALID[command]

  it('takes what is sent to it, unchanged', () => {
    for (const params of samples) {
      const parsed = PARAMS[command].safeParse(params)
      expect(parsed.success).toBe(true)
      expect(parsed.data).toEqual(params)
    }
  })
  it('refuses a member it does not know: a typo must not silently do nothing', () => {
    for (const params of samples) expect(takes(command, { ...params, surplus: true })).toBe(false)
  })
  it('refuses what is no object', () => {
    for (const params of [undefined, null, 0, '', 'x', true, [], [{}], () => ({})])
      expect(takes(command, params)).toBe(false)
  })
  it('refuses each member with a value of another type', () => {
    for (const params of samples)
      for (const member of Object.keys(params))
        for (const wrong of [{ deep: 1 }, [[]], Symbol('x'), 1n, null])
          if (
            !(wrong === null && NULLABLE.has(`${command} ${member}`)) &&
            !ANYTHING.has(`${command} ${member}`)
          )
            expect(takes(command, { ...params, [member]: wrong }), member).toBe(false)
  })
  it('refuses huge values wherever a value goes', () => {
    for (const params of samples)
      for (const [member, value] of Object.entries(params)) {
        const huge =
          typeof value === 'string' ? 'x'.repeat(1_000_000) : typeof value === 'number' ? 1e300 : undefined
        if (huge !== undefined && !LONG.has(`${command} ${member}`))
          expect(takes(command, { ...params, [member]: huge }), member).toBe(false)
      }
  })
  it.each(INVALID[command] ?? [])('refuses %s', (_, params) => expect(takes(command, params)).toBe(false))
})

describe('any parameters', () => {
  it('are taken or refused, never thrown at', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COMMAND_NAMES),
        fc.anything({ withBigInt: true, withNullPrototype: true }),
        (command, params) => {
          takes(command, params)
        },
      ),
      { numRuns: runs(1_000) },
    )
  })
  it('say where they are wrong', () => {
    const { error } = PARAMS['settings.update'].safeParse({ receiver: { port: 'x' } })
    expect(error?.issues[0]?.path).toEqual(['receiver', 'port'])
  })
  it('a name that every object has is no command', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) expect(COMMAND_NAMES).not.toContain(name)
  })
})
