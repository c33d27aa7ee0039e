import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { COMMAND_NAMES, COMMANDS, type CommandName, isCommand } from '#contract/commands.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import { arbitraryOf, boundsOf } from '../../support/arbitrary-of.ts'
import { forAll } from '../../support/for-all.ts'
import { REFUSED } from './refused.ts'

/** Members without a bound, with the reason. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  'sandbox.save-subscription headers': 'the service states no bound on custom headers (Receiver contract, 3)',
  'sandbox.perform params': 'the sandbox refuses what an operation does not know',
  'sandbox.emit data': 'any JSON is a body to try',
  'sandbox.emit set': 'any JSON is a value to try',
}

const takes = (command: CommandName, params: unknown): boolean =>
  COMMANDS[command].params.safeParse(params).success

describe.each(COMMAND_NAMES)('%s', (command) => {
  const { params, about } = COMMANDS[command]

  it('says what it does', () => expect(about).toMatch(/^[A-Z`].+\.$/))

  it('bounds every text, number and list, and knows all its members', () => {
    for (const [place, wrong] of loose(params, command))
      expect.soft(UNBOUNDED[place], `${place}: ${wrong}`).toBeDefined()
  })

  it('refuses a member it does not know: a typo must not silently do nothing', () =>
    forAll(20, [arbitraryOf(params)], (given) => {
      expect(takes(command, given)).toBe(true)
      expect(takes(command, { ...(given as object), surplus: true })).toBe(false)
    }))

  it('refuses what is no object', () => {
    for (const given of [undefined, null, 0, '', 'x', true, [], [{}], () => ({})])
      expect(takes(command, given)).toBe(false)
  })

  it.each(REFUSED[command] ?? [])('refuses %s', (_, given) => expect(takes(command, given)).toBe(false))
})

it('any parameters: are taken or refused, never thrown at', () =>
  forAll(
    1_000,
    [fc.constantFrom(...COMMAND_NAMES), fc.anything({ withBigInt: true, withNullPrototype: true })],
    (command, params) => void takes(command, params),
  ))
it('any parameters: say where they are wrong', () => {
  const { error } = COMMANDS['settings.update'].params.safeParse({ receiver: { port: 'x' } })
  expect(error?.issues[0]?.path).toEqual(['receiver', 'port'])
})
it('any parameters: a name that every object has is no command', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    expect(isCommand(name)).toBe(false)
})

it('the check itself: finds a text without end', async () => {
  const { z } = await import('zod')
  expect([...loose(z.strictObject({ a: z.array(z.string()).max(2) }), 'x')]).toEqual([
    ['x a', 'no longest text'],
  ])
  expect([...loose(z.object({}), 'x')]).toEqual([['x', 'takes unknown members']])
})

/** Yields the parts of a schema that lack a bound. */
function* loose(schema: z.core.$ZodType, place: string): Generator<readonly [place: string, wrong: string]> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const { most, pattern } = boundsOf(schema)
  switch (def.type) {
    case 'object':
      if (def.catchall?._zod.def.type !== 'never') yield [place, 'takes unknown members']
      for (const [name, member] of Object.entries(def.shape)) yield* loose(member, `${place} ${name}`)
      return
    case 'string': {
      const bounded = pattern && !/[*+]|\{\d+,\}/.test(pattern.source)
      if (most === undefined && !bounded) yield [place, 'no longest text']
      return
    }
    case 'number':
      if (most === undefined && !('format' in def)) yield [place, 'no greatest number']
      return
    case 'array':
      if (most === undefined) yield [place, 'no longest list']
      yield* loose(def.element, place)
      return
    case 'union':
      for (const option of def.options) yield* loose(option, place)
      return
    case 'tuple':
      for (const item of def.items) yield* loose(item, place)
      return
    case 'record':
      // A list of allowed keys is a bound.
      if (def.keyType._zod.def.type !== 'enum') yield [place, 'any number of members']
      yield* loose(def.valueType, place)
      return
    case 'nullable':
    case 'optional':
    case 'default':
      yield* loose(def.innerType, place)
      return
    case 'pipe':
      yield* loose(def.in, place)
      return
    case 'unknown':
      yield [place, 'takes anything']
      return
  }
}

/** Zod's default messages, and empty phrases. */
const BARE = /\b(?:Invalid|Unrecognized|expected|received|Too (?:big|small)|undefined|safeint|\[object)\b/

function refusal(command: CommandName, params: unknown): string | null {
  const checked = COMMANDS[command].params.safeParse(params, { error: paramWords })
  if (checked.success) return null
  const { path, message } = firstWrong(checked.error)
  return `${path.join('.') || 'parameters'}: ${message}`
}

/** Yields copies with each member at any depth replaced by values of other types, too small and too large ones. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* [undefined, null, 7, -1, 0.5, 1e12, true]
  yield* ['', 'x', ' \n', 'y'.repeat(70_000), [], [7], {}, { odd: 1 }]
  if (Array.isArray(value))
    // Only the first entry, since some samples have a hundred thousand.
    for (const wrong of value.length === 0 ? [] : spoiled(value[0])) yield [wrong]
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const wrong of spoiled(one)) yield { ...value, [name]: wrong }
}

it.each(COMMAND_NAMES)('%s refuses in a sentence with what, where and what to do', (command) => {
  const samples = fc.sample(arbitraryOf(COMMANDS[command].params), { numRuns: 3, seed: 7 })
  const wrong = [
    ...(REFUSED[command] ?? []).map(([, params]) => params),
    ...samples.flatMap((sample) => [...spoiled(sample), { ...(sample as object), surplus: 1 }]),
  ]
  for (const params of wrong) {
    const said = refusal(command, params)
    if (said === null) continue
    expect(said).not.toMatch(BARE)
    expect(said).toMatch(/^[\w.-]+: .+\.$/)
    // The sentence must say what to do, in its second half or in the schema's words.
    expect(said).toMatch(/; |: (?:give|use|write|start|begin|name|choose|put|at most|at least)\b/)
  }
})
