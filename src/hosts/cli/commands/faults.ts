import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { readDate } from '#catalog/date-time.ts'
import { type Fault, type FaultEffect, type FaultRule, faultRule } from '#contract/faults.ts'
import { FAULT_TYPES } from '#contract/values.ts'
import { command, group, membersOf, option, preset, required } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import { namedFilter, type Reached } from '../shared/reach.ts'
import { visible } from '../shared/text.ts'
import { actOf, listOf, type Numbered, RUNNING } from '../shared/things.ts'

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST_DELAY_MS = 600_000

/** Parses a duration such as `500ms`, `2.5s` or `10m` into milliseconds; undefined for other text. */
export function lengthOf(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS[unit] ?? 0))
}

export function effectFrom(text: string): FaultEffect {
  const [name = '', value, ...rest] = text.split(':')
  if (rest.length === 0)
    switch (name) {
      case 'status':
        return statusFrom(value)
      case 'delay':
        return delayFrom(value)
      case 'hang':
      case 'reset':
      case 'close-mid-answer':
        if (value === undefined) return { type: name }
    }
  const forms = FAULT_TYPES.map((type) =>
    type === 'status' ? 'status:503' : type === 'delay' ? 'delay:2s' : type,
  )
  throw new InvalidArgumentError(`Give one of ${forms.join(', ')}.`)
}

function statusFrom(value = ''): FaultEffect {
  const status = /^\d{3}$/.test(value) ? Number(value) : 0
  if (status < 200 || status > 599)
    throw new InvalidArgumentError('Give status: with a number from 200 to 599, such as status:503.')
  return { type: 'status', status }
}

function delayFrom(value = ''): FaultEffect {
  const ms = /^\d{1,9}$/.test(value) ? Number(value) : (lengthOf(value) ?? 0)
  if (ms < 1 || ms > LONGEST_DELAY_MS)
    throw new InvalidArgumentError('Give delay: with 1 ms to 10 minutes, such as delay:2000 or delay:2s.')
  return { type: 'delay', ms }
}

export function probabilityFrom(text: string): number {
  const [, digits = '', percent] = /^(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(%?)$/.exec(text) ?? []
  const value = digits === '' ? Number.NaN : Number(digits) / (percent ? 100 : 1)
  if (!(value <= 1)) throw new InvalidArgumentError('Give a number from 0 to 1, such as 0.3 or 30%.')
  return value
}

/** A time of day, or a date with a time; in this machine's zone unless the text has an offset. */
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})?$/

/** Parses --until. @returns milliseconds since the epoch; a past time of day means tomorrow */
export function untilFrom(text: string, now: number): number {
  const length = lengthOf(text)
  const end = length === undefined ? instantOf(text, now) : now + length
  if (!Number.isFinite(end))
    throw new InvalidArgumentError(
      'Give a length of time such as 10m, a time such as 17:30, or 2026-11-21T17:30.',
    )
  if (end <= now) throw new InvalidArgumentError('This time is past.')
  return end
}

function instantOf(text: string, now: number): number {
  const [, hours, minutes, seconds = '0'] = TIME.exec(text) ?? []
  if (hours === undefined) {
    // Date.parse takes 31 February for 3 March.
    const isTime = DATE_AND_TIME.test(text) && readDate(text.slice(0, 10)) !== undefined
    return isTime ? Date.parse(text.replace(' ', 'T')) : Number.NaN
  }
  const day = new Date(now)
  day.setHours(Number(hours), Number(minutes), Number(seconds), 0)
  if (day.getTime() <= now) day.setDate(day.getDate() + 1)
  return day.getTime()
}

const RULES: Numbered<Reached['call']> = { noun: 'fault rule', list: 'acuse faults list', way: RUNNING }
const member = membersOf<FaultRule>(faultRule, {})

export const faults = group(
  'faults',
  'Make the running receiver answer with faults, for tests: list, add, remove, clear. Acuse still stores each delivery first. Rules end with the process.',
  [
    listOf({
      about: 'List the active rules, with the number of deliveries that each affected.',
      json: 'print {"faults": […]}',
      examples: [
        [RULES.list, 'for reading'],
        [`${RULES.list} --json | jq .faults[].applied`, 'how many deliveries met each'],
      ],
      way: RUNNING,
      ask: (call) => call('faults.list', {}),
      texts: ({ faults }) => faults.map(line),
      none: 'Add one with: acuse faults add --effect status:503',
    }),
    command({
      name: 'add',
      about:
        'Add a rule. The first rule whose filter matches a delivery applies. Rules never apply to rejected or malformed deliveries.',
      options: {
        effect: required(
          '<effect>',
          'status:503, delay:2s (or in ms: delay:2000), hang, reset, close-mid-answer',
          effectFrom,
        ),
        endpoint: option('<name>', 'only at this endpoint (default: every one)'),
        filter: preset('<filter>', 'only deliveries that the filter selects', String, ''),
        probability: preset('<p>', 'only with this probability, 0 to 1 or in %', probabilityFrom, 1),
        seed: {
          ...preset(
            '<n>',
            'which of them: the same seed, the same ones',
            z.int().min(0).max(4_294_967_295),
            1,
          ),
          needs: 'probability',
        },
        next: member<number>('next', '<n>', 'end after this many matching deliveries'),
        until: option('<when>', 'ends after 10m, at 17:30, or at 2026-11-21T17:30', (text) =>
          untilFrom(text, Date.now()),
        ),
      },
      json: 'print the rule',
      examples: [
        ['acuse faults add --effect status:503 --next 3', 'the next three get 503'],
        ['acuse faults add --effect hang --endpoint erp --until 10m', 'one endpoint is dead for ten minutes'],
        [
          "acuse faults add --effect reset --filter 'kind:factura.*' --probability 20%",
          'a bad line for some',
        ],
        [
          'acuse faults add --effect delay:2s --probability 0.5 --seed 7',
          'half are slow, always the same ones',
        ],
      ],
      run: ({ endpoint = null, next = null, until = null, filter, ...given }, cli) =>
        cli.running(async (reached) => {
          if (endpoint !== null) await refuseUnknown(endpoint, reached)
          const selecting = await namedFilter(reached, filter)
          const rule: FaultRule = { ...given, endpoint, filter: selecting, next, until }
          const added = (await reached.call('faults.add', rule)).faults.at(-1)
          if (added === undefined) return
          await cli.print(added, line(added))
          cli.terminal.say(`Fault rule ${added.id} is in force; end it with: acuse faults remove ${added.id}`)
        }),
    }),
    actOf(
      RULES,
      { name: 'remove', about: 'End a rule.', example: 'at once', past: 'removed' },
      async (call, id) => {
        await call('faults.remove', { id })
        return { removed: id }
      },
    ),
    command({
      name: 'clear',
      about: 'End every rule.',
      json: 'print {"removed": how many}',
      examples: [['acuse faults clear', 'all is well again']],
      run: (_, cli) =>
        cli.running(async ({ call }) => {
          const removed = (await call('faults.list', {})).faults.length
          await call('faults.clear', {})
          await cli.done(removed === 0 ? 'There were none.' : `Fault rules removed: ${removed}.`, { removed })
        }),
    }),
  ],
)

/** Refuses a rule for an unknown endpoint: it would never match, and nothing would say why. */
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
