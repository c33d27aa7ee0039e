import { InvalidArgumentError } from 'commander'
import { type Forward, type ForwardLane, type ForwardState, forward } from '#contract/replay.ts'
import { argument, changed, changeOf, command, group, membersOf, option } from '../shared/command.ts'
import { checkDestinations, destinationFrom } from '../shared/destination.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import { namedFilter } from '../shared/reach.ts'
import { number, shownUrl, visible } from '../shared/text.ts'
import {
  EXISTING,
  find,
  listOf,
  makeOne,
  nameArgument,
  removeOf,
  setOf,
  type Things,
} from '../shared/things.ts'

function forwardText(one: ForwardState): string {
  const { name, enabled, filter, temporary, concurrency, whenDown, answerFrom, answerTimeoutMs } = one
  const lines = [
    `${name}  ${enabled ? 'on' : 'off'}${temporary ? ', temporary' : ''}  ${filter === '' ? 'all deliveries' : filter}`,
    `     ${concurrency} at once; while a target is down, deliveries are ${whenDown === 'queue' ? 'kept for later' : 'dropped'}`,
    ...(answerFrom === null
      ? []
      : [`     answers with what ${shownUrl(answerFrom)} answers within ${answerTimeoutMs} ms`]),
    ...one.lanes.map((lane) => `     ${laneText(lane)}`),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

function laneText({ target, state, waiting, sent, failed, dropped, lastError, stall }: ForwardLane): string {
  const counts = Object.entries({ sent, failed, waiting, dropped }).filter(
    ([name, count]) => count > 0 || name === 'sent',
  )
  const reason = state === 'stalled' ? stall : state === 'down' || state === 'refused' ? lastError : null
  const why = reason === null ? '' : `: ${reason.message}`
  return `${shownUrl(target)}  ${state}  ${counts.map(([name, count]) => `${number(count)} ${name}`).join(', ')}${why}`
}

const FORWARDS: Things<ForwardState> = {
  noun: 'forward',
  needs: '--to http://127.0.0.1:3000/hook',
  all: async (call) => (await call('forwards.list', {})).forwards,
}

/** Value of --answer-from for the endpoint's own answer; a target of this name cannot be given there. */
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

const member = membersOf<Forward>(forward, NEW)
const OPTIONS = {
  to: member('targets', '<address>', 'an http(s) address or a target; repeatable', destinationFrom),
  filter: option('<filter>', 'only those the filter selects (as in the window); "" for all'),
  on: member('enabled', '<yes|no>', 'switch it on or off'),
  concurrency: member('concurrency', '<n>', 'for each target; documents keep their order'),
  whenDown: member('whenDown', '<what>', 'queue deliveries for a target that is down, or drop them'),
  answerFrom: member(
    'answerFrom',
    '<address>',
    `answer the service with this target's answer; "${NO_TARGET}": do not`,
    answerer,
  ),
  answerTimeout: member(
    'answerTimeoutMs',
    '<ms>',
    "how long the service waits before it gets the endpoint's answer",
  ),
  rename: member('name', '<name>', 'give it another name'),
}

function answerer(text: string): string | null {
  try {
    return text === NO_TARGET ? null : destinationFrom(text)
  } catch {
    throw new InvalidArgumentError(`Give one of the targets that it sends to, or "${NO_TARGET}".`)
  }
}

export const forwards = group(
  'forwards',
  'Forward deliveries as they arrive: list, set, remove, retry, clear.',
  [
    listOf({
      about: 'List the forwards, with the queue of each target.',
      json: 'print {"forwards": […]}',
      examples: [
        ['acuse forwards list', 'for reading'],
        ["acuse forwards list --json | jq '[.forwards[].lanes[].waiting] | add'", 'how many wait in all'],
      ],
      way: EXISTING,
      ask: (call) => call('forwards.list', {}),
      texts: ({ forwards }) => forwards.map(forwardText),
      none: makeOne(FORWARDS),
    }),
    setOf(FORWARDS, {
      options: OPTIONS,
      examples: [
        [
          'acuse forwards set local --to http://127.0.0.1:3000/hook',
          'everything, to a handler on this machine',
        ],
        [
          "acuse forwards set erp --to staging --to test --filter 'group:invoices'",
          'invoices, to two targets',
        ],
        ['acuse forwards set erp --on no', 'nothing for now'],
      ],
      complete: ({ to }) => to !== undefined,
      read: (given) => changeOf(OPTIONS, given),
      async save(change, given, { reached, call, name, old, previous }) {
        const { lanes: _, ...before } = old ?? { ...NEW, name, targets: [], lanes: [] }
        const filter = given.filter === undefined ? before.filter : await namedFilter(reached, given.filter)
        const wanted = { ...changed(before, change), filter }
        if (given.answerTimeout !== undefined && wanted.answerFrom === null)
          throw wrongUsage('--answer-timeout is for a forward whose target answers: give --answer-from too.')
        const targets = [...new Set(wanted.targets)]
        await checkDestinations(reached, targets)
        await call('forwards.save', { ...previous, ...wanted, targets })
        return wanted.name
      },
    }),
    removeOf(FORWARDS, 'Remove a forward. Deliveries that still wait for its targets are not sent.', [
      'acuse forwards remove staging',
      'the deliveries stay',
    ]),
    command({
      name: 'retry',
      about: 'Retry unavailable targets immediately.',
      args: { name: nameArgument },
      json: 'print the forward',
      examples: [['acuse forwards retry staging', 'after it was repaired']],
      run: ({ name }, cli) =>
        cli.running(async ({ call }) => {
          find(FORWARDS, name, await FORWARDS.all(call))
          const after = await call('forwards.retry', { name })
          await cli.done(`Forward ${name} tries again.`, find(FORWARDS, name, after.forwards))
        }),
    }),
    command({
      name: 'clear',
      about: 'Discard the deliveries that wait for one of its targets.',
      args: { name: nameArgument, target: argument('<target>', 'which of its targets', destinationFrom) },
      json: 'print {"cleared": n}',
      examples: [['acuse forwards clear staging https://erp.example/hook', 'the deliveries stay']],
      run: ({ name, target }, cli) =>
        cli.existing(async ({ call }) => {
          const { targets } = find(FORWARDS, name, await FORWARDS.all(call))
          if (!targets.includes(target))
            throw couldNot(
              `${name} does not send to ${shownUrl(visible(target))}; it sends to ${targets.map(shownUrl).join(', ')}.`,
            )
          const cleared = await call('forwards.clear', { name, target })
          await cli.done(`${cleared.cleared} deliveries for ${shownUrl(target)} were discarded.`, cleared)
        }),
    }),
  ],
)
