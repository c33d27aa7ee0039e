import { type Command, Option } from 'commander'
import type { Fault, FaultEffect, FaultRule } from '#contract/faults.ts'
import type { CommandContext } from '../context.ts'
import { wrongUsage } from '../failures.ts'
import { effectFrom, probabilityFrom, untilFrom } from '../fault-options.ts'
import { namedFilter } from '../named-filter.ts'
import { type CommonOptions, examples, wholeNumber, withCommon } from '../options.ts'
import { type Reached, reachRunning, using } from '../reach.ts'
import { idNumber } from '../sandbox-options.ts'
import { known } from '../sandbox-reach.ts'
import type { Terminal } from '../terminal.ts'
import { visible } from '../visible.ts'

interface AddOptions extends CommonOptions, Pick<FaultRule, 'probability' | 'seed' | 'filter'> {
  readonly endpoint?: string
  readonly effect: FaultEffect
  readonly next?: number
  readonly until?: number
}

const LIST = 'acuse faults list'

/** `acuse faults …`: what the running receiver does to senders, for tests of theirs. */
export function addFaults(program: Command, { terminal }: CommandContext): void {
  const group = program
    .command('faults')
    .description(
      'Make the running receiver answer badly, for tests: list, add, remove, clear. Deliveries are stored first all the same. Rules end with the process.',
    )

  const list = group.command('list').description('List the rules in force and how many deliveries met them.')
  examples(withCommon(list, 'print {"faults": […]}'), [
    [LIST, 'for reading'],
    [`${LIST} --json | jq .faults[].applied`, 'how many deliveries met each'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachRunning(data), async ({ call }) => {
      const listed = await call('faults.list', {})
      await terminal.print(json ? `${JSON.stringify(listed)}\n` : listed.faults.map(line).join(''))
      if (listed.faults.length === 0)
        terminal.say('There are none. Add one with: acuse faults add --effect status:503')
    }),
  )

  addAdd(group, terminal)

  const remove = group
    .command('remove')
    .description('End a rule.')
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [['acuse faults remove 2', 'at once']]).action(
    (id: number, { data, json }: CommonOptions) =>
      using(reachRunning(data), async ({ call }) => {
        await known('fault rule', id, LIST, call('faults.remove', { id }))
        terminal.say(`Fault rule ${id} removed.`)
        if (json) await terminal.print(`${JSON.stringify({ removed: id })}\n`)
      }),
  )

  const clear = group.command('clear').description('End every rule.')
  examples(withCommon(clear, 'print {"removed": how many}'), [
    ['acuse faults clear', 'all is well again'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachRunning(data), async ({ call }) => {
      const removed = (await call('faults.list', {})).faults.length
      await call('faults.clear', {})
      terminal.say(removed === 0 ? 'There were none.' : `Fault rules removed: ${removed}.`)
      if (json) await terminal.print(`${JSON.stringify({ removed })}\n`)
    }),
  )
}

function addAdd(group: Command, terminal: Terminal): void {
  const add = group
    .command('add')
    .description(
      'Add a rule. Of several, the first that lets a delivery through is taken; rejected and malformed deliveries meet none.',
    )
    .addOption(
      new Option(
        '--effect <effect>',
        'status:503, delay:2s (or in ms: delay:2000), hang, reset, close-mid-answer',
      )
        .argParser(effectFrom)
        .makeOptionMandatory(),
    )
    .option('--endpoint <name>', 'only at this endpoint (default: every one)')
    .option('--filter <filter>', 'only deliveries that the filter selects', '')
    .option('--probability <p>', 'only with this probability, 0 to 1 or in %', probabilityFrom, 1)
    .option('--seed <n>', 'which of them: the same seed, the same ones', wholeNumber(0, 4_294_967_295), 1)
    .option('--next <n>', 'ends after the next so many that match', wholeNumber(1, 1_000_000_000))
    .option('--until <when>', 'ends after 10m, at 17:30, or at 2026-11-21T17:30', (text) =>
      untilFrom(text, Date.now()),
    )
  examples(withCommon(add, 'print the rule'), [
    ['acuse faults add --effect status:503 --next 3', 'the next three get 503'],
    ['acuse faults add --effect hang --endpoint erp --until 10m', 'one endpoint is dead for ten minutes'],
    ["acuse faults add --effect reset --filter 'kind:factura.*' --probability 20%", 'a bad line for some'],
    ['acuse faults add --effect delay:2s --probability 0.5 --seed 7', 'half are slow, always the same ones'],
  ]).action((options: AddOptions) =>
    using(reachRunning(options.data), async (reached) => {
      const { effect, filter, probability, seed, endpoint = null, next = null, until = null } = options
      if (endpoint !== null) await refuseUnknown(endpoint, reached)
      const selecting = await namedFilter(reached, filter)
      const rule: FaultRule = { endpoint, effect, probability, seed, filter: selecting, next, until }
      const { faults } = await reached.call('faults.add', rule)
      const added = faults.at(-1)
      if (added === undefined) return
      await terminal.print(options.json ? `${JSON.stringify(added)}\n` : line(added))
      terminal.say(`Fault rule ${added.id} is in force; end it with: acuse faults remove ${added.id}`)
    }),
  )
}

/** A rule for an endpoint that is not there would never be met, and nobody would know why. */
async function refuseUnknown(endpoint: string, { call }: Reached): Promise<void> {
  const { endpoints } = await call('settings.get', {})
  if (endpoints.some(({ name }) => name === endpoint)) return
  const names = endpoints.map(({ name }) => name).join(', ')
  throw wrongUsage(`There is no endpoint named "${visible(endpoint)}". Known are ${names}.`)
}

function line({ id, effect, matched, applied, ...rule }: Fault): string {
  const bounds = [
    rule.endpoint === null ? 'every endpoint' : `at ${rule.endpoint}`,
    ...(rule.filter.trim() === '' ? [] : [`filter ${rule.filter}`]),
    ...(rule.probability === 1 ? [] : [`probability ${rule.probability} (seed ${rule.seed})`]),
    ...(rule.next === null ? [] : [`next ${rule.next - matched}`]),
    ...(rule.until === null ? [] : [`until ${new Date(rule.until).toISOString()}`]),
  ]
  const text = `${String(id).padEnd(4)} ${effectText(effect).padEnd(16)} ${bounds.join(', ')}; met ${matched}, applied to ${applied}`
  return `${visible(text)}\n`
}

function effectText(effect: FaultEffect): string {
  if (effect.type === 'status') return `status:${effect.status}`
  if (effect.type === 'delay') return `delay:${effect.ms}ms`
  return effect.type
}
