import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMAND_NAMES, COMMANDS, type CommandName } from '#contract/commands.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import { arbitraryOf } from '../../support/arbitrary-of.ts'
import { REFUSED } from './refused.ts'

/** What Zod says of its own accord, and what says nothing. */
const BARE = /\b(?:Invalid|Unrecognized|expected|received|Too (?:big|small)|undefined|safeint|\[object)\b/

function refusal(command: CommandName, params: unknown): string | null {
  const checked = COMMANDS[command].params.safeParse(params, { error: paramWords })
  if (checked.success) return null
  const { path, message } = firstWrong(checked.error)
  return `${path.join('.') || 'parameters'}: ${message}`
}

/** A value of every other type, too little and too much, at the place of each member, however deep. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* [undefined, null, 7, -1, 0.5, 1e12, true]
  yield* ['', 'x', ' \n', 'y'.repeat(70_000), [], [7], {}, { odd: 1 }]
  if (Array.isArray(value))
    // One entry stands for all: some samples have a hundred thousand.
    for (const wrong of value.length === 0 ? [] : spoiled(value[0])) yield [wrong]
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value))
      for (const wrong of spoiled(one)) yield { ...value, [name]: wrong }
}

test.each(COMMAND_NAMES)('%s refuses in a sentence with what, where and what to do', (command) => {
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
    // What to do: a second half, or words of the schema that are an instruction.
    expect(said).toMatch(/; |: (?:give|use|write|start|begin|name|choose|put|at most|at least)\b/)
  }
})
