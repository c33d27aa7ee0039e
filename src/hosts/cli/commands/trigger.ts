import { z } from 'zod'
import { KINDS, kindSpec } from '#catalog/kinds.ts'
import { fullUrl, id } from '#contract/params.ts'
import { KIND_NAMES } from '#core/filter/values.ts'
import { withJsonAt } from '#core/json/pointer.ts'
import { durationText } from '#core/time/duration.ts'
import { argument, type Cli, command, flag, many, option, type Values } from '../shared/command.ts'
import { headerOf } from '../shared/destination.ts'
import { couldNot, EXIT, wrongUsage } from '../shared/failures.ts'
import { counted, didYouMean, number, visible } from '../shared/text.ts'
import { seed } from './sandbox.ts'
import type { Triggered } from './triggering.ts'

/** Bound on --count. A scenario has a lower one; events of a kind take several calls to the sandbox. */
const MOST_EVENTS = 200_000
/** Bytes of a captured body per call. */
const SLICE = 1_048_576

const OPTIONS = {
  scenario: option('<scenario>', 'a whole scenario instead of a kind'),
  from: {
    ...option('<id>', 'emit what this delivery holds again: equal but for --set', id),
    not: ['scenario', 'seed'],
  },
  list: { ...flag('list the kinds and the scenarios'), only: [], not: ['data'] },
  set: {
    ...many('<pointer=json>', 'put a value into the envelope, such as /data/StatusId=8'),
    not: ['scenario'],
  },
  count: option('<n>', 'how many events, or documents of a scenario', z.int().min(1).max(MOST_EVENTS)),
  seed: option('<n>', 'draw the data from this seed', seed),
  url: option('<address>', 'send each event once to this address, without a sandbox'),
  header: { ...many('<name: value>', 'with --url: send this header too'), needs: 'url' },
}

export const trigger = command({
  name: 'trigger',
  about:
    'Send events through the running sandbox, or directly to an address. Exit code 3 when one did not arrive and the laboratory did not lose it.',
  args: { kind: argument<string | undefined>('[kind]', 'one of the 28 kinds of event', String) },
  options: OPTIONS,
  json: 'print one JSON line per delivery attempt',
  examples: [
    ['acuse trigger factura.created', 'one event to every subscription of the sandbox'],
    ['acuse trigger dgii.rechazado --count 10 --url http://127.0.0.1:3000/hook', 'ten to your own handler'],
    ['acuse trigger customer.created --set \'/data/LegalName="Ñandú, SRL"\'', 'with content of your own'],
    ['acuse trigger --from 12 --set /data/StatusId=8', 'what delivery 12 holds again, with another status'],
    ['acuse trigger --scenario month --count 500', 'a month of business'],
  ],
  async run({ kind, ...given }, cli) {
    if (given.list && kind !== undefined)
      throw wrongUsage(`--list shows all kinds and scenarios: leave out "${visible(kind)}".`)
    if (given.list) return list(cli)
    if (given.url !== undefined && given.from === undefined && cli.folder !== undefined)
      throw wrongUsage('--url sends from no data folder: leave out --data, or --url.')
    const captured = given.from === undefined ? undefined : await capturedBody(given.from, cli)
    if (captured && kind !== undefined && kind !== captured.kind)
      throw wrongUsage(`Delivery ${given.from} is a ${captured.kind}; leave out the kind.`)
    const read = checked(kind ?? captured?.kind, given)
    const plan = { ...read, body: captured && edited(captured.body, read.set) }
    const { triggerDirectly, triggerInSandbox } = await import('./triggering.ts')
    let arrived = 0
    let missed = 0
    let lost = 0
    const tell = (one: Triggered) => {
      if (one.outcome === 'delivered') arrived += 1
      else if (one.laboratory.length === 0) missed += 1
      else lost += 1
      return cli.print(one, `${line(one)}\n`)
    }
    const url = given.url && fullUrl(given.url)
    const events = await (url === undefined
      ? triggerInSandbox(plan, cli.folder, tell)
      : triggerDirectly(plan, url, tell))
    if (missed > 0) cli.exitWith(EXIT.failed)
    const sums = [
      counted(events, 'event'),
      // Duplicates and further subscriptions make more deliveries than events.
      `${number(arrived)} delivered${arrived + missed + lost > events ? ' (some more than once)' : ''}`,
      ...(missed > 0 ? [`${number(missed)} failed`] : []),
      ...(lost > 0 ? [`${number(lost)} lost on purpose by the laboratory`] : []),
    ]
    const unwanted = arrived + missed + lost === 0 && events > 0 ? ' No subscription wants them.' : ''
    cli.terminal.say(`${sums.join(', ')}.${unwanted}`)
  },
})

/** The kind and the decoded body of a stored delivery. @throws CommandFailure when it is no event */
async function capturedBody(
  from: number,
  cli: Cli,
): Promise<{ readonly kind: string; readonly body: string }> {
  return cli.existing(async ({ call }) => {
    const { kind } = await call('deliveries.get', { id: from })
    if (kind === null)
      throw couldNot(`Delivery ${from} is none of the 28 kinds, so no subscription takes it.`)
    const parts: Buffer[] = []
    for (let at = 0; ; at += SLICE) {
      const slice = { id: from, view: 'decoded', from: at, length: SLICE } as const
      const { bytesBase64, total, problem } = await call('deliveries.body', slice)
      if (problem !== null) throw couldNot(`The body of delivery ${from} cannot be decoded: ${problem}.`)
      parts.push(Buffer.from(bytesBase64, 'base64'))
      if (at + SLICE >= total) return { kind, body: Buffer.concat(parts).toString() }
    }
  })
}

function edited(body: string, set: ReadonlyMap<string, string>): string {
  return [...set].reduce((text, [pointer, json]) => {
    const changed = withJsonAt(text, pointer, json)
    if (changed === null) throw wrongUsage(`--set ${visible(pointer)}: it leads nowhere in this event.`)
    return changed
  }, body)
}

async function list(cli: Cli): Promise<void> {
  const { SCENARIOS } = await import('#sandbox/scenarios/scenarios.ts')
  const kinds = KINDS.map(({ kind, group, emittedWhen }) => ({ kind, group, emittedWhen: emittedWhen.en }))
  const width = Math.max(...kinds.map(({ kind }) => kind.length))
  const text = [
    ...kinds.map(({ kind, emittedWhen }) => `${kind.padEnd(width)}  ${emittedWhen}`),
    '',
    ...SCENARIOS.map(({ slug, summary }) => `${slug.padEnd(width)}  ${summary}`),
  ]
  await cli.print({ kinds, scenarios: SCENARIOS }, `${text.join('\n')}\n`)
}

function checked(kind: string | undefined, options: Values<typeof OPTIONS>) {
  const { scenario, count, seed, header = [], set = [] } = options
  if ((kind === undefined) === (scenario === undefined))
    throw wrongUsage(
      'Name one kind of event, a delivery with --from, or a scenario with --scenario; --list shows kinds and scenarios.',
    )
  const spec = kindSpec(kind ?? '')
  if (kind !== undefined && !spec)
    throw wrongUsage(
      `"${visible(kind)}" is none of the 28 kinds.${didYouMean(kind, KIND_NAMES)} --list shows them.`,
    )
  const [values, headers] = [new Map(set.map(setting)), header.map(headerOf)]
  return { kind: spec?.kind, scenario, count, seed, set: values, headers }
}

/** Keeps the value as written: a number may have digits that JavaScript loses. */
function setting(text: string): readonly [pointer: string, json: string] {
  const at = text.indexOf('=')
  if (!text.startsWith('/') || at < 0)
    throw wrongUsage(`--set takes pointer=json, such as /data/StatusId=8, not "${visible(text)}".`)
  const json = text.slice(at + 1).trim()
  try {
    JSON.parse(json)
    return [text.slice(0, at), json]
  } catch {
    throw wrongUsage(
      `--set ${visible(text.slice(0, at))}: "${visible(text.slice(at + 1))}" is not JSON; write text in double quotes, and put the whole value in single quotes.`,
    )
  }
}

function line({ kind, outcome, status, error, url, durationMs, laboratory }: Triggered): string {
  const took = durationMs === null ? '' : durationText(durationMs * 1_000)
  const why = [...laboratory, ...(error === null ? [] : [error])].join(', ')
  return [kind.padEnd(26), outcome.padEnd(14), String(status ?? '–').padStart(3), took.padStart(8), url, why]
    .map(visible)
    .join('  ')
    .trimEnd()
}
