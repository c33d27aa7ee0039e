import type { Command } from 'commander'
import type { Params } from '#contract/commands.ts'
import { messageOf } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { planConfig } from '../shared/config-file.ts'
import { endpointPath, SECRET, type Step, setStep, unsetStep, valueAt } from '../shared/config-paths.ts'
import { plainAddressWarning, RECEIVER_EXPOSED, SERVICE_EXPOSED } from '../shared/connection-change.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import { type Reached, reach, using } from '../shared/reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { readUserFile } from '../shared/user-file.ts'

interface ChangeOptions extends CommonOptions {
  readonly yes?: boolean
}

interface SetOptions extends ChangeOptions {
  readonly fromEnv?: string
  readonly stdin?: boolean
  readonly keepPrevious?: boolean
}

const YES = 'go ahead where deliveries have to be deleted for the new disk budget'

/** `acuse config get|set|unset|apply`: everything that the Settings screen can do. */
export function addConfig(program: Command, { terminal }: CommandContext): void {
  const config = program
    .command('config')
    .description('Read and change settings, endpoints, targets and secrets, also of a running Acuse.')

  const get = config
    .command('get')
    .description('Print the settings, or one part of them; of secrets only how many values are accepted.')
    .argument('[path]', 'such as receiver.port or endpoint.default.answer')
  examples(withCommon(get, 'print on one line'), [
    ['acuse config get', 'all settings'],
    ['acuse config get endpoint.default.answer.status', 'one value'],
  ]).action((path: string | undefined, options: CommonOptions) =>
    using(reach(options.data, terminal), async (reached) => {
      const settings = await reached.call('settings.get', {})
      await terminal.print(printed(path === undefined ? settings : valueAt(path, settings), options))
    }),
  )

  const set = config
    .command('set')
    .description('Change one setting. A secret never stands on the command line: see the examples.')
    .argument('<path>', 'such as receiver.port or endpoint.orders.path')
    .argument('[value]', 'the value; for endpoint.NAME.secret the name of the header')
    .option('--from-env <name>', 'take the value from this environment variable')
    .option('--stdin', 'take the value from stdin')
    .option('--keep-previous', 'for a secret: the present value stays accepted beside the new one')
    .option('--yes', YES)
  examples(withCommon(set, 'print the settings as they are then'), [
    ['acuse config set receiver.port 4410', 'listen on another port'],
    ['acuse config set endpoint.orders.path /orders', 'make an endpoint'],
    ['acuse config set endpoint.orders.answer.status 201', 'change what it answers'],
    [
      'acuse config set endpoint.default.secret X-Acuse-Key --from-env ACUSE_SECRET',
      'demand a secret header',
    ],
  ]).action(async (path: string, value: string | undefined, options: SetOptions) => {
    const stepFor = await readSetting(path, value, options, terminal)
    await using(reach(options.data, terminal), async (reached) => {
      await carryOut(reached, [stepFor(await reached.call('settings.get', {}))], options, terminal)
    })
  })

  const unset = config
    .command('unset')
    .description(
      'Remove an endpoint, its secret, the previous secret after a rotation, or a setting that may be absent.',
    )
    .argument(
      '<path>',
      'endpoint.NAME, endpoint.NAME.secret, endpoint.NAME.secret.previous, or a setting such as receiver.publicUrl',
    )
  examples(withCommon(unset, 'print the settings as they are then'), [
    ['acuse config unset endpoint.orders', 'remove an endpoint; its deliveries stay'],
    ['acuse config unset endpoint.default.secret.previous', 'end a rotation'],
    ['acuse config unset receiver.publicUrl', 'no public address any more'],
  ]).action((path: string, options: CommonOptions) => {
    const stepFor = unsetStep(path)
    return using(reach(options.data, terminal), async (reached) =>
      carryOut(reached, [stepFor(await reached.call('settings.get', {}))], options, terminal),
    )
  })

  const apply = config
    .command('apply')
    .description('Change all that a JSON file names; nothing changes when any of it is wrong.')
    .argument('<file>', 'what "config get" prints, or parts of it; "-" reads stdin')
    .option('--yes', YES)
  examples(withCommon(apply, 'print the settings as they are then'), [
    ['acuse config apply acuse.json', 'apply a file'],
    ['echo \'{"receiver":{"port":4410}}\' | acuse config apply -', 'from another program'],
  ])
    .addHelpText(
      'after',
      '\nSecrets stand in the file by the name of an environment variable:\n  {"endpoints": [{"name": "default", "secret": {"header": "X-Acuse-Key", "value": {"fromEnv": "ACUSE_SECRET"}}}],\n   "targets": [{"name": "staging", "url": "https://erp.example/hook", "headers": [{"name": "Authorization", "value": {"fromEnv": "STAGING_TOKEN"}}]}]}',
    )
    .action(async (path: string, options: ChangeOptions) => {
      const content = await readJson(path, terminal)
      await using(reach(options.data, terminal), async (reached) => {
        const steps = planConfig(content, await reached.call('settings.get', {}), terminal.env)
        await carryOut(reached, steps, options, terminal)
      })
    })
}

/** Everything that can be wrong with the words typed is told before any store is opened. @returns what to do, given the settings */
async function readSetting(
  path: string,
  value: string | undefined,
  options: SetOptions,
  terminal: Terminal,
): Promise<(settings: Settings) => Step> {
  const elsewhere = await valueFromElsewhere(options, terminal)
  const place = endpointPath(path)
  if (place?.member === SECRET) {
    if (value === undefined || elsewhere === undefined)
      throw wrongUsage(
        `Give the header's name, and its value by --from-env NAME or --stdin: acuse config set ${path} X-Acuse-Key --from-env ACUSE_SECRET`,
      )
    const params: Params<'endpoints.set-secret'> = {
      name: place.name,
      header: value,
      value: elsewhere,
      keepPrevious: options.keepPrevious === true,
    }
    return () => ({ command: 'endpoints.set-secret', params, says: `${path} set` })
  }
  if (options.keepPrevious) throw wrongUsage('--keep-previous is for secrets only.')
  if ((value === undefined) === (elsewhere === undefined))
    throw wrongUsage('Give the value once: as an argument, by --from-env NAME or by --stdin.')
  return setStep(path, value ?? elsewhere ?? '')
}

/** @returns undefined when neither --from-env nor --stdin was given */
async function valueFromElsewhere(options: SetOptions, terminal: Terminal): Promise<string | undefined> {
  if (options.fromEnv !== undefined && options.stdin) throw wrongUsage('Give either --from-env or --stdin.')
  if (options.fromEnv !== undefined) {
    const value = terminal.env[options.fromEnv]
    if (value === undefined) throw wrongUsage(`The environment has no ${options.fromEnv}.`)
    return value
  }
  if (!options.stdin) return undefined
  // `echo` and editors end the line; that newline is not part of the value.
  return (await terminal.readAll()).toString().replace(/\r?\n$/, '')
}

async function carryOut(
  reached: Reached,
  steps: readonly Step[],
  options: ChangeOptions,
  terminal: Terminal,
): Promise<void> {
  if (!options.yes) await refuseDeletion(reached, steps)
  for (const step of steps) {
    await reached.call(step.command, step.params)
    terminal.say(`${step.says}.`)
    const warning = plainAddressOf(step)
    if (warning !== null) terminal.say(warning)
  }
  if (steps.length === 0) terminal.say('Nothing to change.')
  if (options.json) await terminal.print(printed(await reached.call('settings.get', {}), options))
}

/** @throws CommandFailure when the store has to delete deliveries for what the steps set: they cannot be brought back */
async function refuseDeletion(reached: Reached, steps: readonly Step[]): Promise<void> {
  const present = (await reached.call('settings.get', {})).retention
  const wanted = { ...present }
  for (const { command, params } of steps)
    if (command === 'settings.update') Object.assign(wanted, (params as Params<typeof command>).retention)
  const { budgetBytes, overBudget } = wanted
  if (overBudget !== 'delete-oldest') return
  if (present.overBudget === overBudget && present.budgetBytes === budgetBytes) return
  const { usedBytes } = (await reached.call('status.get', {})).disk
  if (usedBytes <= budgetBytes) return
  const going = await reached.call('retention.preview', { freeBytes: usedBytes - budgetBytes })
  const number = (value: number) => value.toLocaleString('en')
  throw couldNot(
    `The store takes ${number(usedBytes)} bytes, its budget would be ${number(budgetBytes)}: about ${number(going.deliveries)} of the oldest deliveries (${number(going.bytes)} bytes) would be deleted for good, and ${number(going.trash.deliveries)} in the trash before them. Nothing was changed; repeat it with --yes to go ahead.`,
  )
}

function plainAddressOf({ command, params }: Step): string | null {
  const { receiver, baseUrl } = params as { receiver?: { publicUrl?: unknown }; baseUrl?: unknown }
  return command === 'connections.save'
    ? plainAddressWarning(baseUrl, SERVICE_EXPOSED)
    : plainAddressWarning(receiver?.publicUrl, RECEIVER_EXPOSED)
}

/** Texts are printed as they are, everything else as JSON. */
function printed(value: unknown, options: CommonOptions): string {
  if (typeof value === 'string' && !options.json) return `${value}\n`
  return `${options.json ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`
}

async function readJson(path: string, terminal: Terminal): Promise<unknown> {
  const content = await readUserFile(path, terminal)
  try {
    return JSON.parse(content.toString())
  } catch (error) {
    throw wrongUsage(`${path} is not JSON: ${messageOf(error)}`)
  }
}
