import type { Params } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { plainAddressWarning, RECEIVER_EXPOSED, SERVICE_EXPOSED } from '../shared/account.ts'
import { argument, type Cli, command, flag, group, option, type Values } from '../shared/command.ts'
import { planConfig } from '../shared/config-file.ts'
import { endpointPath, SECRET, type Step, setStep, unsetStep, valueAt } from '../shared/config-paths.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { parsedUserJson, readUserFile, stdinValue, type Terminal } from '../shared/terminal.ts'
import { number, visible } from '../shared/text.ts'

const yes = flag('go ahead where deliveries have to be deleted for the new disk budget')
const SET = {
  fromEnv: option('<name>', 'take the value from this environment variable'),
  stdin: { ...flag('take the value from stdin'), not: ['fromEnv'] },
  keepPrevious: flag('for a secret: keep accepting the current value too'),
  yes,
}

export const config = group(
  'config',
  'Read and change settings, endpoints, targets and secrets, also of a running Acuse.',
  [
    command({
      name: 'get',
      about: 'Print all settings or one part. Secrets appear only as the number of accepted values.',
      args: {
        path: argument<string | undefined>(
          '[path]',
          'such as receiver.port or endpoint.default.answer',
          String,
        ),
      },
      json: 'print on one line',
      examples: [
        ['acuse config get', 'all settings'],
        ['acuse config get endpoint.default.answer.status', 'one value'],
      ],
      run: ({ path }, cli) =>
        cli.made(async ({ call }) => {
          const settings = await call('settings.get', {})
          const value = path === undefined ? settings : valueAt(path, settings)
          const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
          await cli.print(value, `${text}\n`)
        }),
    }),
    command({
      name: 'set',
      about: 'Change one setting. Do not pass secrets on the command line: see the examples.',
      args: {
        path: argument('<path>', 'such as receiver.port or endpoint.orders.path'),
        value: argument<string | undefined>(
          '[value]',
          'the value; for endpoint.NAME.secret the name of the header',
          String,
        ),
      },
      options: SET,
      json: 'print the settings as they are then',
      examples: [
        ['acuse config set receiver.port 4410', 'listen on another port'],
        ['acuse config set endpoint.orders.path /orders', 'make an endpoint'],
        ['acuse config set endpoint.orders.answer.status 201', 'change what it answers'],
        [
          'acuse config set endpoint.default.secret X-Acuse-Key --from-env ACUSE_SECRET',
          'demand a secret header',
        ],
      ],
      async run({ path, value, ...given }, cli) {
        if (given.yes && !path.startsWith('retention.'))
          throw wrongUsage(
            `--yes is for retention.budgetBytes and retention.overBudget: leave it out for ${visible(path)}.`,
          )
        const stepFor = await readSetting(path, value, given, cli.terminal)
        await carryOut((settings) => [stepFor(settings)], given.yes, cli)
      },
    }),
    command({
      name: 'unset',
      about:
        'Remove an endpoint, its secret, the previous secret after a rotation, or a setting that may be absent.',
      args: {
        path: argument(
          '<path>',
          'endpoint.NAME, endpoint.NAME.secret, endpoint.NAME.secret.previous, or a setting such as receiver.publicUrl',
        ),
      },
      json: 'print the settings as they are then',
      examples: [
        ['acuse config unset endpoint.orders', 'remove an endpoint; its deliveries stay'],
        ['acuse config unset endpoint.default.secret.previous', 'end a rotation'],
        ['acuse config unset receiver.publicUrl', 'remove the public address'],
      ],
      run({ path }, cli) {
        const stepFor = unsetStep(path)
        return carryOut((settings) => [stepFor(settings)], false, cli)
      },
    }),
    command({
      name: 'apply',
      about: 'Change the settings that a JSON file names. If any value is wrong, nothing changes.',
      args: { path: argument('<file>', 'what "config get" prints, or parts of it; "-" reads stdin') },
      options: { yes },
      json: 'print the settings as they are then',
      examples: [
        ['acuse config apply acuse.json', 'apply a file'],
        ['echo \'{"receiver":{"port":4410}}\' | acuse config apply -', 'from another program'],
      ],
      note: 'In the file, a secret is the name of an environment variable:\n  {"endpoints": [{"name": "default", "secret": {"header": "X-Acuse-Key", "value": {"fromEnv": "ACUSE_SECRET"}}}],\n   "targets": [{"name": "staging", "url": "https://erp.example/hook", "headers": [{"name": "Authorization", "value": {"fromEnv": "STAGING_TOKEN"}}]}]}',
      async run({ path, yes }, cli) {
        const content = parsedUserJson(path, (await readUserFile(path, cli.terminal)).toString())
        await carryOut((settings) => planConfig(content, settings, cli.terminal.env), yes, cli)
      },
    }),
  ],
)

/** Checks the words before a store is opened. @returns a function that builds the step from the present settings */
async function readSetting(
  path: string,
  value: string | undefined,
  options: Omit<Values<typeof SET>, 'yes'>,
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
      keepPrevious: options.keepPrevious,
    }
    return () => ({ command: 'endpoints.set-secret', params, says: `${path} set` })
  }
  if (options.keepPrevious) throw wrongUsage('--keep-previous is for secrets only.')
  if ((value === undefined) === (elsewhere === undefined))
    throw wrongUsage('Give the value once: as an argument, by --from-env NAME or by --stdin.')
  return setStep(path, value ?? elsewhere ?? '')
}

async function valueFromElsewhere(options: Omit<Values<typeof SET>, 'yes'>, terminal: Terminal) {
  if (options.fromEnv !== undefined) {
    const value = terminal.env[options.fromEnv]
    if (value === undefined) throw wrongUsage(`The environment has no ${options.fromEnv}.`)
    return value
  }
  return options.stdin ? stdinValue(terminal, 'Reading the value from stdin, up to its end.') : undefined
}

async function carryOut(
  plan: (settings: Settings) => readonly Step[],
  goAhead: boolean,
  { made, terminal, json, print }: Cli,
): Promise<void> {
  await made(async (reached) => {
    const { call } = reached
    const steps = plan(await call('settings.get', {}))
    if (!goAhead) await refuseDeletion(reached, steps)
    for (const step of steps) {
      await call(step.command, step.params)
      terminal.say(`${step.says}.`)
      const warning = plainAddressOf(step)
      if (warning !== null) terminal.say(warning)
    }
    if (steps.length === 0) terminal.say('Nothing to change.')
    if (json) await print(await call('settings.get', {}), '')
  })
}

/** @throws CommandFailure when a new disk budget would delete deliveries, which nothing can restore */
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
