import { InvalidArgumentError } from 'commander'
import { type Alert, type AlertState, alert, type Hours } from '#contract/alerts.ts'
import { DEFAULT_ALERT, DEFAULT_HOURS } from '#contract/defaults.ts'
import { zone } from '#contract/params.ts'
import type { Weekday } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import {
  changed,
  changeOf,
  command,
  flag,
  group,
  many,
  membersOf,
  option,
  type Values,
} from '../shared/command.ts'
import { addressFrom } from '../shared/destination.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { block, shownUrl, visible } from '../shared/text.ts'
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

const ALERTS: Things<Alert> = {
  noun: 'alert',
  needs: '--on receiver-off --to https://chat.example/hook',
  all: async (call) => (await call('settings.get', {})).alerts,
}

const time = (ms: number): string => new Date(ms).toISOString()

const hoursText = ({ from, to, weekdays, zone }: Hours): string =>
  `${from}-${to} ${weekdays.join(',')} ${zone}`

function alertText({ alert: one, open, waiting, lastSentAt, lastFailure, discarded }: AlertState): string {
  const to = one.target === null ? `hooks/${one.program}` : shownUrl(one.target)
  return block(`${one.name}${one.enabled ? '' : ' (off)'}  ${one.cause} -> ${visible(to)}`, [
    ['Filter', one.filter === '' ? null : one.filter],
    ['Minutes', one.cause === 'missed' ? null : String(one.minutes)],
    ['Hours', one.hours && hoursText(one.hours)],
    ...open.map(({ since, count, connection }) => {
      const facts = [`since ${time(since)}`, connection, count > 0 && `count ${count}`].filter(Boolean)
      return ['Open', facts.join(', ')] as const
    }),
    ['Sent', lastSentAt === null ? null : time(lastSentAt)],
    ['Failed', lastFailure && `${time(lastFailure.at)}: ${visible(lastFailure.message)}`],
    ['Waiting', waiting === 0 ? null : String(waiting)],
    ['Given up', discarded === 0 ? null : String(discarded)],
  ])
}

function hoursFrom(text: string): Pick<Hours, 'from' | 'to'> {
  const [, from, to] = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text) ?? []
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError('Give hours such as 08:00-18:00.')
  return { from, to }
}

function daysFrom(text: string): readonly Weekday[] {
  return text.split(',').map((name) => {
    const day = WEEKDAYS.find((one) => one === name.trim())
    if (!day) throw new InvalidArgumentError(`Give days of ${WEEKDAYS.join(', ')}.`)
    return day
  })
}

const member = membersOf<Alert>(alert, DEFAULT_ALERT)
const OPTIONS = {
  on: member('cause', '<cause>', 'what raises it'),
  to: member('target', '<target>', 'post it to this target, by name or address', (text) =>
    text.includes(':') ? addressFrom(text) : text,
  ),
  program: {
    ...member('program', '<file>', 'run this program of the folder hooks in the data folder instead'),
    not: ['to'],
  },
  filter: member('filter', '<filter>', 'the deliveries that count, for invalid and silence'),
  minutes: member(
    'minutes',
    '<n>',
    'silence: without a delivery; invalid: until it is over; receiver-off: until it is raised',
  ),
  hours: option('<from-to>', 'for silence: working hours, such as 08:00-18:00', hoursFrom),
  days: many<Weekday>('<days>', 'for silence: working days, such as mon,tue', daysFrom),
  zone: option('<zone>', "for silence: the hours' time zone", zone),
  always: { ...flag('for silence: at all hours again'), not: ['hours', 'days', 'zone'] },
  enabled: member('enabled', '<yes|no>', 'watch and send'),
  rename: member('name', '<name>', 'give it another name'),
}

export const alerts = group(
  'alerts',
  'Messages to other systems when something is wrong, and when it is right again: list, set, remove, test.',
  [
    listOf({
      about: 'List the alerts with their open incidents and last messages.',
      json: 'print {"alerts": […]}',
      examples: [
        ['acuse alerts list', 'for reading'],
        ["acuse alerts list --json | jq '.alerts[] | select(.open != [])'", 'those with an open incident'],
      ],
      way: EXISTING,
      ask: (call) => call('alerts.list', {}),
      texts: ({ alerts }) => alerts.map(alertText),
      none: makeOne(ALERTS),
    }),
    setOf(ALERTS, {
      options: OPTIONS,
      examples: [
        [
          'acuse alerts set off --on receiver-off --to https://chat.example/hook',
          'when nothing can be received',
        ],
        [
          'acuse alerts set quiet --on silence --minutes 30 --hours 08:00-18:00 --to ops',
          'no delivery in working hours, to the target "ops"',
        ],
        ['acuse alerts set bad --on invalid --filter "kind:factura.*" --program tell.sh', 'to a program'],
      ],
      note: 'A posted message is JSON. A program gets the same on stdin, and its kind as ACUSE_EVENT (opened, recovered, test).',
      complete: ({ on, to, program }) => on !== undefined && (to ?? program) !== undefined,
      read: ({ hours, days, zone }) => (hours ?? days ?? zone) !== undefined,
      async save(timed, given, { call, name, old, previous }) {
        const base: Alert = old ?? { ...DEFAULT_ALERT, name, cause: 'receiver-off', minutes: 0 }
        const wanted = changed(old ? base : { ...base, ...usualMinutes(given) }, {
          ...changeOf(OPTIONS, given),
          ...(given.to === undefined ? {} : { program: null }),
          ...(given.program === undefined ? {} : { target: null }),
          ...(given.always ? { hours: null } : {}),
        })
        const all = timed ? { ...wanted, hours: hoursOf(given, wanted.hours) } : wanted
        refuseUnused(all, given)
        await call('alerts.save', { ...previous, ...all })
        return all.name
      },
    }),
    removeOf(ALERTS, 'Remove an alert.', ['acuse alerts remove quiet', 'it sends nothing more']),
    command({
      name: 'test',
      about: 'Send a message of the type "test" at once. Exits with 1 when it does not get through.',
      args: { name: nameArgument },
      json: 'print {"problem", "tookMs"}',
      examples: [['acuse alerts test quiet', 'before you rely on it']],
      run: ({ name }, cli) =>
        cli.existing(async ({ call }) => {
          find(ALERTS, name, await ALERTS.all(call))
          const sent = await call('alerts.test', { name })
          const { problem } = sent
          const how = problem ? `did not get through: ${visible(problem.message)}` : 'got through.'
          await cli.done(`The test ${how}`, sent)
          if (problem) cli.exitWith(EXIT.found)
        }),
    }),
  ],
)

type Given = Values<typeof OPTIONS>

/** An alert about the receiver is raised at once, unless the user gives a time. */
const usualMinutes = ({ on }: Given): Partial<Alert> =>
  on === 'receiver-off' ? {} : { minutes: DEFAULT_ALERT.minutes }

function hoursOf({ hours, days, zone }: Given, present: Hours | null): Hours {
  const base = present ?? DEFAULT_HOURS
  return {
    ...base,
    ...hours,
    ...(days ? { weekdays: WEEKDAYS.filter((day) => days.includes(day)) } : {}),
    ...(zone === undefined ? {} : { zone }),
  }
}

/** Refuses options that would change nothing. */
function refuseUnused({ cause }: Alert, { filter, minutes, hours, days, zone, always }: Given): void {
  if (filter !== undefined && cause !== 'silence' && cause !== 'invalid')
    throw wrongUsage('--filter is for the causes silence and invalid.')
  if (minutes !== undefined && cause === 'missed') throw wrongUsage('--minutes is not for the cause missed.')
  if (((hours ?? days ?? zone) !== undefined || always) && cause !== 'silence')
    throw wrongUsage('--hours, --days, --zone and --always are for the cause silence.')
}
