import type { Command } from 'commander'
import { z } from 'zod'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxPlugin } from '#contract/sandbox.ts'
import { urlWarning } from '#sandbox/records/subscriptions.ts'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import {
  argument,
  type Cli,
  command,
  defined,
  flag,
  group,
  option,
  preset,
  type Values,
} from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import {
  activeOptions,
  eventTypesFrom,
  IN_SANDBOX,
  type SandboxCall,
  sandboxAddress,
  switched,
  usingSandbox,
} from '../shared/sandbox-reach.ts'
import type { Terminal } from '../shared/terminal.ts'
import { didYouMean, shownUrl, visible } from '../shared/text.ts'
import { actOf, idArgument, known, listOf, type Numbered } from '../shared/things.ts'
import { sandboxSubscriptions } from './sandbox-subscriptions.ts'
import { port } from './serve.ts'

/** The workspace's plan, which decides whether webhooks are dispatched (rule 4). */
const plan = command({
  name: 'plan',
  about: `Print the plan of the workspace, or change it. Only ${WEBHOOK_PLAN} dispatches webhooks.`,
  args: { wanted: argument<string | undefined>('[plan]', 'the plan to change to', String) },
  json: 'print {"plan","dispatches"}',
  examples: [
    ['acuse sandbox plan', 'print it'],
    ['acuse sandbox plan Básico', 'dispatch nothing'],
    [`acuse sandbox plan ${WEBHOOK_PLAN}`, 'back again'],
  ],
  run: ({ wanted }, cli) =>
    usingSandbox(cli.folder, async (call) => {
      const { plan } =
        wanted === undefined
          ? (await call('sandbox.state', {})).workspace
          : await call('sandbox.set-workspace', { plan: wanted })
      const dispatches = plan === WEBHOOK_PLAN
      await cli.print({ plan, dispatches }, `${visible(plan)}\n`)
      if (!dispatches)
        cli.terminal.say(`Nothing is dispatched on this plan; only ${WEBHOOK_PLAN} dispatches webhooks.`)
    }),
})

const KEYS: Numbered<SandboxCall> = {
  noun: 'API key',
  list: 'acuse sandbox keys list',
  way: IN_SANDBOX,
}

const keys = group('keys', 'API keys of the sandbox, for its sync routes: list, issue, revoke.', [
  listOf({
    about: 'List the API keys, with their ids; never the keys themselves.',
    json: 'print {"keys": […]}',
    examples: [[KEYS.list, 'id, time of issue, name']],
    way: IN_SANDBOX,
    ask: (call) => call('sandbox.keys', {}),
    texts: ({ keys }) =>
      keys.map(({ id, name, createdAt }) => `${String(id).padEnd(4)} ${createdAt}  ${visible(name)}\n`),
    none: 'Issue one with: acuse sandbox keys issue',
  }),
  command({
    name: 'issue',
    about: 'Issue an API key and print only the key. It is shown once.',
    options: { name: option('<name>', 'what it is called in the list') },
    json: 'print {"id","name","createdAt","key"}',
    examples: [['KEY=$(acuse sandbox keys issue --name ERP)', 'into a variable of the shell']],
    run: ({ name }, cli) =>
      usingSandbox(cli.folder, async (call) => {
        const issued = await call('sandbox.issue-key', defined({ name }))
        await cli.print(issued, `${issued.key}\n`)
        cli.terminal.say(`API key ${issued.id} issued. It is shown this once; send it as X-Api-Key.`)
      }),
  }),
  actOf(
    KEYS,
    {
      name: 'revoke',
      about: 'Revoke an API key immediately. The key named Acuse returns with the next start.',
      example: 'at once',
      past: 'revoked',
    },
    (call, id) => call('sandbox.revoke-key', { id }),
  ),
])

const PLUGINS: Numbered<SandboxCall> = {
  noun: 'plugin',
  list: 'acuse sandbox plugins list',
  way: IN_SANDBOX,
}
const OPTIONS = {
  name: option('<name>', 'what it is called in the list'),
  url: option('<address>', "where other plugins' events are forwarded to", sandboxAddress),
  noUrl: flag('nowhere: it only publishes'),
  eventTypes: option(
    '<list>',
    'which it is subscribed to, with commas between them, or "all"',
    eventTypesFrom,
  ),
  ...activeOptions('events are forwarded to it', 'nothing is forwarded to it'),
}

const settingsOf = ({ name, url, noUrl, eventTypes, active, inactive }: Values<typeof OPTIONS>) => ({
  ...defined({ name, url: noUrl ? null : url, eventTypes }),
  ...switched({ active, inactive }),
})

function pluginLine({ id, name, url, eventTypes, active }: SandboxPlugin): string {
  const gets = url === null ? 'only publishes' : `${eventTypes.join(', ') || 'nothing'} to ${shownUrl(url)}`
  return `${visible(`${String(id).padEnd(4)} ${active ? 'active' : 'inactive'}  ${name}  ${gets}`)}\n`
}

/** Warns of an address without HTTPS, as Authentication, rule 2 advises. */
function warnOfAddress({ url }: SandboxPlugin, { say }: Terminal): void {
  const warning = url === null ? null : urlWarning(url)
  if (warning !== null) say(`Warning: ${warning}`)
}

const plugins = group(
  'plugins',
  "Plugins of the sandbox, which publish events and get each other's: list, install, set, remove.",
  [
    listOf({
      about: 'List the plugins, with their ids; never their tokens.',
      json: 'print {"plugins": […]}',
      examples: [[PLUGINS.list, 'for reading']],
      way: IN_SANDBOX,
      ask: (call) => call('sandbox.plugins', {}),
      texts: ({ plugins }) => plugins.map(pluginLine),
      none: 'Install one with: acuse sandbox plugins install',
    }),
    command({
      name: 'install',
      about: 'Install a plugin and print only its token. It is shown once.',
      options: OPTIONS,
      json: 'print the plugin with its token',
      examples: [
        ['TOKEN=$(acuse sandbox plugins install --name Cobros)', 'one that only publishes'],
        [
          'acuse sandbox plugins install --url http://127.0.0.1:3000/plugin --event-types cobro.registrado',
          "subscribed to one type of the others' events",
        ],
      ],
      run(given, cli) {
        const settings = settingsOf(given)
        return usingSandbox(cli.folder, async (call) => {
          const installed = await call('sandbox.install-plugin', settings)
          await cli.print(installed, `${installed.token}\n`)
          cli.terminal.say(
            `Plugin ${installed.id} installed. Its token is shown this once; send it as Authorization: Bearer.`,
          )
          warnOfAddress(installed, cli.terminal)
        })
      },
    }),
    command({
      name: 'set',
      about: 'Change a plugin. Options that you omit keep their values, and the token stays valid.',
      args: { id: idArgument(PLUGINS.list) },
      options: OPTIONS,
      json: 'print the plugin as it is then',
      examples: [
        ['acuse sandbox plugins set 2 --event-types all', 'subscribe it to every type'],
        ['acuse sandbox plugins set 2 --no-url', 'let it publish only'],
      ],
      run({ id, ...given }, cli) {
        const settings = settingsOf(given)
        if (Object.keys(settings).length === 0)
          throw wrongUsage(
            'Name what to change: --name, --url, --no-url, --event-types, --active or --inactive.',
          )
        return usingSandbox(cli.folder, async (call) => {
          const changing = call('sandbox.change-plugin', { id, ...settings })
          const changed = await known(PLUGINS, id, changing)
          await cli.print(changed, pluginLine(changed))
          cli.terminal.say(`Plugin ${id} changed.`)
          warnOfAddress(changed, cli.terminal)
        })
      },
    }),
    actOf(
      PLUGINS,
      {
        name: 'remove',
        about: 'Remove a plugin and revoke its token. The plugin named Acuse returns with the next start.',
        example: 'at once',
        past: 'removed, its token revoked',
      },
      (call, id) => call('sandbox.remove-plugin', { id }),
    ),
  ],
)

export const seed = z.int().min(0).max(0xffff_ffff)

export const sandbox = command({
  name: 'sandbox',
  about:
    'Run the sandbox, a small simulation of the invoicing service. With a command, manage the running sandbox.',
  options: {
    port: preset('<n>', 'port of the service; 0 takes a free one', port, SANDBOX_PORT),
    seed: preset('<n>', 'of a new workspace: same seed, same data', seed, 1),
  },
  json: 'print one JSON line when ready: {"sandbox","admin","apiKey","pluginToken"}',
  examples: [
    ['acuse sandbox', 'serve on port 4402'],
    ['acuse sandbox --port 0 --data ./data --json', 'for a script: a free port, a folder of its own'],
  ],
  commands: [sandboxSubscriptions, keys, plugins, plan],
  also: sayWhatWasMeant,
  run,
})

/** Makes commander suggest the command for a mistyped word, and keeps the options of subcommands apart. */
function sayWhatWasMeant(sandbox: Command): void {
  // Otherwise `sandbox` would take the `--data` and `--json` of its subcommands.
  sandbox.enablePositionalOptions()
  // Commander must not report a mistyped command as an excess argument. Set last, since later subcommands would inherit it.
  sandbox.allowExcessArguments()
  sandbox.hook('preAction', (_, command) => {
    const [word] = command === sandbox ? sandbox.args : []
    if (word === undefined) return
    const names = sandbox.commands.map((one) => one.name())
    throw wrongUsage(
      `"${visible(word)}" is not a command of acuse sandbox.${didYouMean(word, names, ` There are ${names.join(', ')}.`)}`,
    )
  })
  sandbox.hook('preSubcommand', (_, command) => {
    const given = sandbox.options.find((one) => sandbox.getOptionValueSource(one.attributeName()) === 'cli')
    if (given)
      throw wrongUsage(
        `${given.long} is in the wrong place: options come after the command, as in "acuse sandbox ${command.name()} … ${given.long}".`,
      )
  })
}

async function run({ port, seed }: { readonly port: number; readonly seed: number }, cli: Cli) {
  const [{ startSandboxHost }, { stopSignal }, { dataDir }] = await Promise.all([
    import('../../sandbox-host.ts'),
    import('../shared/terminal.ts'),
    import('../../data-dir.ts'),
  ])
  const { say } = cli.terminal
  const stop = stopSignal(say)
  const folder = dataDir(cli.folder)
  const host = await startSandboxHost({ folder, port, seed, warn: say })
  const { sandbox, admin, apiKey, pluginToken } = host.ready
  const lines = [
    `Sandbox       ${sandbox}`,
    `API key       ${apiKey}`,
    `Plugin token  ${pluginToken}`,
    `Admin token   ${admin}`,
    `Data          ${folder}`,
  ]
  await cli.print(host.ready, `${lines.join('\n')}\n`)
  await stop
  await host.close()
}
