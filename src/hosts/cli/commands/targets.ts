import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_TARGET, DEFAULT_TIMEOUTS } from '#contract/defaults.ts'
import { headerName } from '#contract/params.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target, TargetHeader, Timeouts } from '#contract/target.ts'
import { destinationFrom, targetName, unknownTarget } from '../shared/destination.ts'
import { wrongUsage } from '../shared/failures.ts'
import { gathered, headerOf, secretHeaderOf } from '../shared/header-option.ts'
import { type CommonOptions, examples, wholeNumber, withCommon, yesNo } from '../shared/options.ts'
import { type Reached, reach, reachExisting, using } from '../shared/reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { targetText, visible } from '../shared/text.ts'

/** What is to be different; what is left out stays. */
interface TargetChange {
  readonly name?: string
  readonly url?: string
  readonly method?: string | null
  readonly path?: Target['path']
  readonly query?: Target['query']
  /** Take the place of all that have their name; the others stay, secret ones with the value that is not known here. */
  readonly headers?: readonly TargetHeader[]
  readonly withoutHeaders?: readonly string[]
  readonly remove?: readonly string[]
  readonly timeouts?: Partial<Target['timeouts']>
  readonly acceptAnyCertificate?: boolean
  readonly keepSecret?: boolean
  readonly keepCredentials?: boolean
  readonly markReplays?: boolean
}

/**
 * A target as it will be.
 * @param present undefined for a new one
 * @throws CommandFailure for a new one without an address, and for a header that is not there to be taken away
 */
function changedTarget(name: string, present: Target | undefined, change: TargetChange): Target {
  const { headers = [], withoutHeaders = [], timeouts, ...plain } = change
  if (present === undefined && change.url === undefined)
    throw wrongUsage(
      `There is no target named "${name}" yet; make it with: acuse targets set ${name} --url http://127.0.0.1:3000/hook`,
    )
  const before = present ?? { ...DEFAULT_TARGET, name, url: '' }
  return {
    ...before,
    ...plain,
    headers: changedHeaders(before.headers, headers, withoutHeaders),
    timeouts: { ...before.timeouts, ...timeouts },
  }
}

function changedHeaders(
  present: readonly TargetHeader[],
  given: readonly TargetHeader[],
  gone: readonly string[],
): readonly TargetHeader[] {
  const lower = ({ name }: { readonly name: string }) => name.toLowerCase()
  const missing = gone.find((name) => !present.some((header) => lower(header) === name.toLowerCase()))
  if (missing !== undefined)
    throw wrongUsage(`--remove-header: the target adds no header ${visible(missing)}.`)
  const removed = new Set(gone.map((name) => name.toLowerCase()))
  const byName = Map.groupBy(given, lower)
  const done = new Set<string>()
  const kept = present.flatMap((header): readonly TargetHeader[] => {
    const name = lower(header)
    const instead = byName.get(name)
    if (instead === undefined) return removed.has(name) ? [] : [header]
    if (done.has(name)) return []
    done.add(name)
    return instead
  })
  return [...kept, ...given.filter((header) => !done.has(lower(header)))]
}

interface SetOptions extends CommonOptions {
  readonly url?: string
  readonly rename?: string
  readonly method?: string
  readonly path?: Target['path']
  readonly query?: Target['query']
  readonly header?: readonly string[]
  readonly secretHeader?: readonly string[]
  readonly removeHeader?: readonly string[]
  readonly strip?: readonly string[]
  readonly stripNothing?: boolean
  readonly connectTimeout?: number
  readonly answerTimeout?: number
  readonly totalTimeout?: number
  readonly anyCertificate?: boolean
  readonly keepSecret?: boolean
  readonly keepCredentials?: boolean
  readonly markReplays?: boolean
  readonly default?: boolean
}

const AS_RECEIVED = 'as-received'
const milliseconds = wholeNumber(1, 3_600_000)

/** `acuse targets …`: where deliveries are sent again, by name. */
export function addTargets(program: Command, { terminal }: CommandContext): void {
  const group = program.command('targets').description('Where deliveries are sent again: list, set, remove.')

  const list = group.command('list').description('List the targets; of secret headers only the names.')
  examples(withCommon(list, 'print {"targets": […], "defaultTarget"}'), [
    ['acuse targets list', 'for reading'],
    ["acuse targets list --json | jq -r '.targets[].name'", 'their names'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async (reached) => {
      const { targets, defaultTarget } = await reached.call('settings.get', {})
      await terminal.print(
        json
          ? `${JSON.stringify({ targets, defaultTarget })}\n`
          : targets.map((target) => targetText(target, target.name === defaultTarget)).join('\n'),
      )
      if (targets.length === 0)
        terminal.say('There are none. Make one with: acuse targets set NAME --url http://127.0.0.1:3000/hook')
    }),
  )

  addSet(group, terminal)

  const remove = group
    .command('remove')
    .description('Remove a target and its secrets; a forward or an unfinished job must not need it.')
    .argument('<name>', 'its name', targetName)
  examples(withCommon(remove, 'print {"removed": name}'), [
    ['acuse targets remove staging', 'attempts made to it stay'],
  ]).action((name: string, { data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async (reached) => {
      await one(reached, name)
      await reached.call('targets.remove', { name })
      terminal.say(`Target ${name} removed.`)
      if (json) await terminal.print(`${JSON.stringify({ removed: name })}\n`)
    }),
  )
}

function addSet(group: Command, terminal: Terminal): void {
  const { connectMs, answerMs, totalMs } = DEFAULT_TIMEOUTS
  const policies = (option: Option) => option.choices(['target', 'append'])
  const set = group
    .command('set')
    .description('Make a target, or change one; what is not named stays as it is.')
    .argument('<name>', 'its name: a-z, 0-9 and "-"', targetName)
    .option('--url <address>', 'where it is', urlFrom)
    .option('--rename <name>', 'give it another name', targetName)
    .option('--method <method>', `send by this method; "${AS_RECEIVED}" for each delivery's own`)
    .addOption(policies(new Option('--path <whose>', "the address's own path, or the delivery's behind it")))
    .addOption(
      policies(new Option('--query <whose>', "the address's own query, or the delivery's behind it")),
    )
    .option('--header <name: value>', 'add this header, or put it in place of the one received', gathered)
    .option(
      '--secret-header <name=VARIABLE>',
      'the same, with the value of an environment variable',
      gathered,
    )
    .option('--remove-header <name>', 'add no header of this name any more', gathered)
    .option(
      '--strip <name>',
      'do not send this header of the delivery; all that are to go, each time',
      stripped,
    )
    .option('--strip-nothing', 'send all headers of the delivery again')
    .option('--connect-timeout <ms>', `for look-up, connection and TLS (${connectMs})`, milliseconds)
    .option('--answer-timeout <ms>', `from the last byte sent to the answer (${answerMs})`, milliseconds)
    .option('--total-timeout <ms>', `for the whole attempt (${totalMs})`, milliseconds)
    .option('--any-certificate <yes|no>', 'accept any certificate (no)', yesNo)
    .option(
      '--keep-secret <yes|no>',
      "send the receiver's secret header, though it is not loopback (no)",
      yesNo,
    )
    .option(
      '--keep-credentials <yes|no>',
      "send the delivery's Cookie and Authorization, though it is not loopback (no)",
      yesNo,
    )
    .option('--mark-replays <yes|no>', 'send X-Acuse-Replay (yes)', yesNo)
    .option('--default', 'make it the one that the window sends to')
  examples(withCommon(set, 'print the target as it is then'), [
    ['acuse targets set local --url http://127.0.0.1:3000/hook', 'a handler on this machine'],
    [
      "acuse targets set staging --url https://erp.example/hook --secret-header 'Authorization=STAGING_TOKEN'",
      'with a secret from the environment',
    ],
    ["acuse targets set staging --header 'X-Tenant: 5' --strip X-Webhook-Secret", 'change headers'],
  ]).action(async (name: string, options: SetOptions) => {
    const change = changeOf(options, terminal)
    await using(reach(options.data, terminal), async (reached) => {
      const { targets } = await reached.call('settings.get', {})
      const present = targets.find((target) => target.name === name)
      const wanted = changedTarget(name, present, change)
      const saved = await reached.call(
        'targets.save',
        present === undefined ? wanted : { previousName: name, ...wanted },
      )
      const settings = options.default ? await setDefault(reached, wanted.name) : saved
      terminal.say(`Target ${wanted.name} ${present === undefined ? 'made' : 'changed'}.`)
      const shown = settings.targets.find((target) => target.name === wanted.name)
      if (options.json) await terminal.print(`${JSON.stringify(shown)}\n`)
    })
  })
}

const setDefault = (reached: Reached, name: string): Promise<Settings> =>
  reached.call('targets.set-default', { name })

/** @throws CommandFailure when nothing is named, or something twice */
function changeOf(options: SetOptions, terminal: Terminal): TargetChange {
  const headers = [
    ...(options.header ?? []).map(headerOf).map((header) => ({ ...header, secret: false })),
    ...(options.secretHeader ?? []).map((text) => ({ ...secretHeaderOf(text, terminal.env), secret: true })),
  ]
  const timeouts: Partial<Timeouts> = {
    ...(options.connectTimeout === undefined ? {} : { connectMs: options.connectTimeout }),
    ...(options.answerTimeout === undefined ? {} : { answerMs: options.answerTimeout }),
    ...(options.totalTimeout === undefined ? {} : { totalMs: options.totalTimeout }),
  }
  if (options.strip && options.stripNothing) throw wrongUsage('Give either --strip or --strip-nothing.')
  const change: TargetChange = {
    ...given('name', options.rename),
    ...given('url', options.url),
    ...(options.method === undefined
      ? {}
      : { method: options.method.toLowerCase() === AS_RECEIVED ? null : options.method }),
    ...given('path', options.path),
    ...given('query', options.query),
    ...(headers.length === 0 ? {} : { headers }),
    ...given('withoutHeaders', options.removeHeader),
    ...given('remove', options.stripNothing ? [] : options.strip),
    ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }),
    ...given('acceptAnyCertificate', options.anyCertificate),
    ...given('keepSecret', options.keepSecret),
    ...given('keepCredentials', options.keepCredentials),
    ...given('markReplays', options.markReplays),
  }
  if (Object.keys(change).length === 0 && !options.default)
    throw wrongUsage('Say what to set; "acuse targets set --help" shows what there is.')
  return change
}

/** @throws CommandFailure naming the target that may have been meant */
async function one(reached: Reached, name: string): Promise<Target> {
  const { targets } = await reached.call('settings.get', {})
  const found = targets.find((target) => target.name === name)
  if (!found) throw unknownTarget(name, targets)
  return found
}

function urlFrom(text: string): string {
  if (text.includes('://')) return destinationFrom(text)
  throw new InvalidArgumentError('Give an http:// or https:// address.')
}

function stripped(text: string, before: readonly string[] = []): readonly string[] {
  if (!headerName.safeParse(text).success) throw new InvalidArgumentError('Give the name of a header.')
  return [...before, text]
}

const given = <N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<N, V>)
