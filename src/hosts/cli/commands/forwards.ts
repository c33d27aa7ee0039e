import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Forward, ForwardLane, ForwardState } from '#contract/replay.ts'
import { nearest } from '#core/filter/nearest.ts'
import { checkDestinations, destinationFrom, destinationsFrom, targetName } from '../shared/destination.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import {
  type CommonOptions,
  examples,
  namedFilter,
  wholeNumber,
  withCommon,
  yesNo,
} from '../shared/options.ts'
import { reach, reachExisting, reachRunning, using } from '../shared/reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { number, shownUrl, visible } from '../shared/text.ts'

/** A forward for people: name, what it forwards, then each target with how its queue stands. */
function forwardText(forward: ForwardState): string {
  const { name, enabled, filter, temporary, concurrency, whenDown, answerFrom, answerTimeoutMs } = forward
  const lines = [
    `${name}  ${enabled ? 'on' : 'off'}${temporary ? ', temporary' : ''}  ${filter === '' ? 'all deliveries' : filter}`,
    `     ${concurrency} at once; while a target is down, deliveries are ${whenDown === 'queue' ? 'kept for later' : 'dropped'}`,
    ...(answerFrom === null
      ? []
      : [`     answers with what ${shownUrl(answerFrom)} answers within ${answerTimeoutMs} ms`]),
    ...forward.lanes.map((lane) => `     ${laneText(lane)}`),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

function laneText({ target, state, waiting, sent, failed, dropped, lastError, stall }: ForwardLane): string {
  const counts = [
    `${number(sent)} sent`,
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    ...(waiting > 0 ? [`${number(waiting)} waiting`] : []),
    ...(dropped > 0 ? [`${number(dropped)} dropped`] : []),
  ]
  const reason = state === 'stalled' ? stall : state === 'down' || state === 'refused' ? lastError : null
  const why = reason === null ? '' : `: ${reason.message}`
  return `${shownUrl(target)}  ${state}  ${counts.join(', ')}${why}`
}

interface SetOptions extends CommonOptions {
  readonly to?: readonly string[]
  readonly filter?: string
  readonly on?: boolean
  readonly concurrency?: number
  readonly whenDown?: Forward['whenDown']
  readonly answerFrom?: string
  readonly answerTimeout?: number
  readonly rename?: string
}

/** The endpoint's own answer; no target can be called so, since an answer of that name is asked for by --answer-from. */
const NO_TARGET = 'none'
const NEW: Omit<Forward, 'name' | 'targets'> = {
  enabled: true,
  filter: '',
  concurrency: 4,
  whenDown: 'queue',
  answerFrom: null,
  answerTimeoutMs: 5_000,
  temporary: false,
}

/** `acuse forwards …`: what is sent on as it arrives. */
export function addForwards(program: Command, { terminal }: CommandContext): void {
  const group = program
    .command('forwards')
    .description('Send deliveries on as they arrive: list, set, remove, retry, clear.')

  const list = group
    .command('list')
    .description('List the forwards, with how the queue of each target stands.')
  examples(withCommon(list, 'print {"forwards": […]}'), [
    ['acuse forwards list', 'for reading'],
    ["acuse forwards list --json | jq '[.forwards[].lanes[].waiting] | add'", 'how many wait in all'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const { forwards } = await call('forwards.list', {})
      await terminal.print(json ? `${JSON.stringify({ forwards })}\n` : forwards.map(forwardText).join('\n'))
      if (forwards.length === 0)
        terminal.say('There are none. Make one with: acuse forwards set NAME --to http://127.0.0.1:3000/hook')
    }),
  )

  addSet(group, terminal)

  const remove = group
    .command('remove')
    .description('Remove a forward; what still waits for its targets is not sent any more.')
    .argument('<name>', 'its name', targetName)
  examples(withCommon(remove, 'print {"removed": name}'), [
    ['acuse forwards remove staging', 'the deliveries stay'],
  ]).action((name: string, { data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      find((await call('forwards.list', {})).forwards, name)
      await call('forwards.remove', { name })
      terminal.say(`Forward ${name} removed.`)
      if (json) await terminal.print(`${JSON.stringify({ removed: name })}\n`)
    }),
  )

  const retry = group
    .command('retry')
    .description('Try targets that are down at once instead of waiting for the next try.')
    .argument('<name>', 'its name', targetName)
  examples(withCommon(retry, 'print the forward'), [
    ['acuse forwards retry staging', 'after it was repaired'],
  ]).action((name: string, { data, json }: CommonOptions) =>
    using(reachRunning(data), async ({ call }) => {
      find((await call('forwards.list', {})).forwards, name)
      const { forwards } = await call('forwards.retry', { name })
      terminal.say(`Forward ${name} tries again.`)
      if (json) await terminal.print(`${JSON.stringify(find(forwards, name))}\n`)
    }),
  )

  const clear = group
    .command('clear')
    .description('Let go of what waits for one of its targets.')
    .argument('<name>', 'its name', targetName)
    .argument('<target>', 'which of its targets', destinationFrom)
  examples(withCommon(clear, 'print {"cleared": n}'), [
    ['acuse forwards clear staging https://erp.example/hook', 'the deliveries stay'],
  ]).action((name: string, target: string, { data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const forward = find((await call('forwards.list', {})).forwards, name)
      if (!forward.targets.includes(target))
        throw couldNot(
          `${name} does not send to ${visible(target)}; it sends to ${forward.targets.join(', ')}.`,
        )
      const cleared = await call('forwards.clear', { name, target })
      terminal.say(`${cleared.cleared} deliveries are not sent to ${target} any more.`)
      if (json) await terminal.print(`${JSON.stringify(cleared)}\n`)
    }),
  )
}

function addSet(group: Command, terminal: Terminal): void {
  const set = group
    .command('set')
    .description('Make a forward, or change one; what is not named stays as it is.')
    .argument('<name>', 'its name: a-z, 0-9 and "-"', targetName)
    .option('--to <address>', 'an http(s) address or a target; may stand several times', destinationsFrom)
    .option('--filter <filter>', 'only those the filter selects (as in the window); "" for all')
    .option('--on <yes|no>', 'switch it on or off (yes)', yesNo)
    .option('--concurrency <n>', 'for each target; documents keep their order (4)', wholeNumber(1, 64))
    .addOption(
      new Option('--when-down <what>', 'queue deliveries for a target that is down, or drop them').choices([
        'queue',
        'drop',
      ]),
    )
    .option(
      '--answer-from <address>',
      `answer the service with this target's answer; "${NO_TARGET}": do not`,
      answerer,
    )
    .option(
      '--answer-timeout <ms>',
      "how long the service waits before it gets the endpoint's answer",
      wholeNumber(1, 60_000),
    )
    .option('--rename <name>', 'give it another name', targetName)
  examples(withCommon(set, 'print the forward as it is then'), [
    ['acuse forwards set local --to http://127.0.0.1:3000/hook', 'everything, to a handler on this machine'],
    ["acuse forwards set erp --to staging --to test --filter 'group:invoices'", 'invoices, to two targets'],
    ['acuse forwards set erp --on no', 'nothing for now'],
  ]).action((name: string, options: SetOptions) => {
    const { data, json, ...wanted } = options
    if (Object.keys(wanted).length === 0)
      throw wrongUsage('Say what to set; "acuse forwards set --help" shows what there is.')
    return using(reach(data, terminal), async (reached) => {
      const { forwards } = await reached.call('forwards.list', {})
      const present = forwards.find((forward) => forward.name === name)
      const filter =
        options.filter === undefined ? {} : { filter: await namedFilter(reached, options.filter) }
      const forward = changed(name, present, { ...options, ...filter })
      await checkDestinations(reached, forward.targets)
      const saved = await reached.call(
        'forwards.save',
        present === undefined ? forward : { previousName: name, ...forward },
      )
      terminal.say(`Forward ${forward.name} ${present === undefined ? 'made' : 'changed'}.`)
      if (json) await terminal.print(`${JSON.stringify(find(saved.forwards, forward.name))}\n`)
    })
  })
}

/** @throws CommandFailure for a new one that goes nowhere */
function changed(name: string, present: ForwardState | undefined, options: SetOptions): Forward {
  if (present === undefined && options.to === undefined)
    throw wrongUsage(
      `There is no forward named "${name}" yet; make it with: acuse forwards set ${name} --to http://127.0.0.1:3000/hook`,
    )
  const { lanes: _, ...before } = present ?? { ...NEW, name, targets: [], lanes: [] }
  return {
    name: options.rename ?? before.name,
    enabled: options.on ?? before.enabled,
    filter: options.filter ?? before.filter,
    targets: options.to === undefined ? before.targets : [...new Set(options.to)],
    concurrency: options.concurrency ?? before.concurrency,
    whenDown: options.whenDown ?? before.whenDown,
    answerFrom:
      options.answerFrom === undefined
        ? before.answerFrom
        : options.answerFrom === NO_TARGET
          ? null
          : options.answerFrom,
    answerTimeoutMs: options.answerTimeout ?? before.answerTimeoutMs,
    temporary: before.temporary,
  }
}

function answerer(text: string): string {
  try {
    return destinationFrom(text)
  } catch {
    throw new InvalidArgumentError(`Give one of the targets that it sends to, or "${NO_TARGET}".`)
  }
}

/** @throws CommandFailure naming the forward that may have been meant */
function find(forwards: readonly ForwardState[], name: string): ForwardState {
  const found = forwards.find((forward) => forward.name === name)
  if (found) return found
  const names = forwards.map((forward) => forward.name)
  const [meant] = nearest(name, names)
  throw couldNot(
    `There is no forward named "${visible(name)}".${meant === undefined ? ' "acuse forwards list" shows those there are.' : ` Did you mean ${meant}?`}`,
  )
}
