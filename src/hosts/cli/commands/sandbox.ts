import type { Command } from 'commander'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxPlugin, SandboxPluginSettings } from '#contract/sandbox.ts'
import { nearest } from '#core/filter/nearest.ts'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import { wrongUsage } from '../shared/failures.ts'
import { type CommonOptions, examples, portNumber, wholeNumber, withCommon } from '../shared/options.ts'
import {
  addressFrom,
  eventTypesFrom,
  idNumber,
  known,
  type SwitchOptions,
  switched,
  usingSandbox,
  warnOfAddress,
  withSwitch,
} from '../shared/sandbox-reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { shownUrl, visible } from '../shared/text.ts'
import { addSandboxSubscriptions } from './sandbox-subscriptions.ts'

/** `acuse sandbox plan [PLAN]`: the workspace's plan, on which it hangs whether anything is dispatched at all (rule 4). */
function addSandboxPlan(sandbox: Command, { terminal }: CommandContext): void {
  const plan = sandbox
    .command('plan')
    .description(`Print the plan of the workspace, or change it. Only ${WEBHOOK_PLAN} dispatches webhooks.`)
    .argument('[plan]', 'the plan to change to')
  examples(withCommon(plan, 'print {"plan","dispatches"}'), [
    ['acuse sandbox plan', 'print it'],
    ['acuse sandbox plan Básico', 'see that nothing is dispatched any more'],
    [`acuse sandbox plan ${WEBHOOK_PLAN}`, 'back again'],
  ]).action((wanted: string | undefined, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const workspace =
        wanted === undefined
          ? (await call('sandbox.state', {})).workspace
          : await call('sandbox.set-workspace', { plan: wanted })
      const dispatches = workspace.plan === WEBHOOK_PLAN
      await terminal.print(
        `${json ? JSON.stringify({ plan: workspace.plan, dispatches }) : visible(workspace.plan)}\n`,
      )
      if (!dispatches)
        terminal.say(`Nothing is dispatched on this plan; only ${WEBHOOK_PLAN} dispatches webhooks.`)
    }),
  )
}

const KEYS_LIST = 'acuse sandbox keys list'

/** `acuse sandbox keys …`: what opens the sync routes of the sandbox. */
function addSandboxKeys(sandbox: Command, { terminal }: CommandContext): void {
  const group = sandbox
    .command('keys')
    .description('API keys of the sandbox, for its sync routes: list, issue, revoke.')

  const list = group
    .command('list')
    .description('List the API keys, with their ids; never the keys themselves.')
  examples(withCommon(list, 'print {"keys": […]}'), [[KEYS_LIST, 'id, time of issue, name']]).action(
    ({ data, json }: CommonOptions) =>
      usingSandbox(data, async (call) => {
        const listed = await call('sandbox.keys', {})
        const lines = listed.keys.map(
          ({ id, name, createdAt }) => `${String(id).padEnd(4)} ${createdAt}  ${visible(name)}\n`,
        )
        await terminal.print(json ? `${JSON.stringify(listed)}\n` : lines.join(''))
        if (lines.length === 0) terminal.say('There are none. Issue one with: acuse sandbox keys issue')
      }),
  )

  const issue = group
    .command('issue')
    .description('Issue an API key and print it: nothing else on stdout, and never again.')
    .option('--name <name>', 'what it is called in the list')
  examples(withCommon(issue, 'print {"id","name","createdAt","key"}'), [
    ['KEY=$(acuse sandbox keys issue --name ERP)', 'into a variable of the shell'],
  ]).action(({ data, json, name }: CommonOptions & { readonly name?: string }) =>
    usingSandbox(data, async (call) => {
      const issued = await call('sandbox.issue-key', name === undefined ? {} : { name })
      await terminal.print(`${json ? JSON.stringify(issued) : issued.key}\n`)
      terminal.say(`API key ${issued.id} issued. It is shown this once; send it as X-Api-Key.`)
    }),
  )

  const revoke = group
    .command('revoke')
    .description(
      'Revoke an API key: from now on it opens nothing. Only the one named Acuse comes back with the next start.',
    )
    .argument('<id>', `its id, as "${KEYS_LIST}" prints it`, idNumber)
  examples(withCommon(revoke, 'print {"removed": id}'), [['acuse sandbox keys revoke 3', 'at once']]).action(
    (id: number, { data, json }: CommonOptions) =>
      usingSandbox(data, async (call) => {
        const removed = await known('API key', id, KEYS_LIST, call('sandbox.revoke-key', { id }))
        terminal.say(`API key ${id} revoked.`)
        if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
      }),
  )
}

interface PluginOptions extends SwitchOptions {
  readonly name?: string
  /** False for --no-url. */
  readonly url?: string | false
  readonly eventTypes?: string
}

const PLUGINS_LIST = 'acuse sandbox plugins list'

/** `acuse sandbox plugins …`: who may publish plugin events, and who gets those of the others. */
function addSandboxPlugins(sandbox: Command, { terminal }: CommandContext): void {
  const group = sandbox
    .command('plugins')
    .description(
      "Plugins of the sandbox, which publish events and get each other's: list, install, set, remove.",
    )

  const list = group.command('list').description('List the plugins, with their ids; never their tokens.')
  examples(withCommon(list, 'print {"plugins": […]}'), [[PLUGINS_LIST, 'for reading']]).action(
    ({ data, json }: CommonOptions) =>
      usingSandbox(data, async (call) => {
        const listed = await call('sandbox.plugins', {})
        await terminal.print(json ? `${JSON.stringify(listed)}\n` : listed.plugins.map(block).join(''))
        if (listed.plugins.length === 0)
          terminal.say('There are none. Install one with: acuse sandbox plugins install')
      }),
  )

  const install = group
    .command('install')
    .description('Install a plugin and print its token: nothing else on stdout, and never again.')
  examples(withCommon(withSettings(install), 'print the plugin with its token'), [
    ['TOKEN=$(acuse sandbox plugins install --name Cobros)', 'one that only publishes'],
    [
      'acuse sandbox plugins install --url http://127.0.0.1:3000/plugin --event-types cobro.registrado',
      "subscribed to one type of the others' events",
    ],
  ]).action((options: PluginOptions) => {
    const settings = settingsOf(options)
    return usingSandbox(options.data, async (call) => {
      const installed = await call('sandbox.install-plugin', settings)
      await terminal.print(`${options.json ? JSON.stringify(installed) : installed.token}\n`)
      terminal.say(
        `Plugin ${installed.id} installed. Its token is shown this once; send it as Authorization: Bearer.`,
      )
      warnOfAddress(installed.url, terminal.say)
    })
  })

  const set = group
    .command('set')
    .description('Change a plugin; what is not named stays as it is, its token too.')
    .argument('<id>', `its id, as "${PLUGINS_LIST}" prints it`, idNumber)
  examples(withCommon(withSettings(set), 'print the plugin as it is then'), [
    ['acuse sandbox plugins set 2 --event-types all', 'subscribe it to every type'],
    ['acuse sandbox plugins set 2 --no-url', 'let it publish only'],
  ]).action((id: number, options: PluginOptions) => {
    const settings = settingsOf(options)
    if (Object.keys(settings).length === 0)
      throw wrongUsage('Say what to change: --name, --url, --no-url, --event-types, --active or --inactive.')
    return usingSandbox(options.data, async (call) => {
      const changed = await known(
        'plugin',
        id,
        PLUGINS_LIST,
        call('sandbox.change-plugin', { id, ...settings }),
      )
      await terminal.print(options.json ? `${JSON.stringify(changed)}\n` : block(changed))
      terminal.say(`Plugin ${id} changed.`)
      warnOfAddress(changed.url, terminal.say)
    })
  })

  const remove = group
    .command('remove')
    .description(
      'Remove a plugin and revoke its token. Only the one named Acuse comes back with the next start.',
    )
    .argument('<id>', `its id, as "${PLUGINS_LIST}" prints it`, idNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [
    ['acuse sandbox plugins remove 2', 'at once'],
  ]).action((id: number, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const removed = await known('plugin', id, PLUGINS_LIST, call('sandbox.remove-plugin', { id }))
      terminal.say(`Plugin ${id} removed, its token revoked.`)
      if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
    }),
  )
}

function withSettings(command: Command): Command {
  const settings = command
    .option('--name <name>', 'what it is called in the list')
    .option('--url <address>', "where other plugins' events are forwarded to", addressFrom)
    .option('--no-url', 'nowhere: it only publishes')
    .option('--event-types <list>', 'which it is subscribed to, with commas between them, or "all"')
  return withSwitch(settings, 'events are forwarded to it', 'nothing is forwarded to it')
}

function settingsOf(options: PluginOptions): Partial<SandboxPluginSettings> {
  const { name, url, eventTypes } = options
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url: url === false ? null : url }),
    ...(eventTypes === undefined ? {} : { eventTypes: eventTypesFrom(eventTypes) }),
    ...switched(options),
  }
}

function block({ id, name, url, eventTypes, active }: SandboxPlugin): string {
  const gets = url === null ? 'only publishes' : `${eventTypes.join(', ') || 'nothing'} to ${shownUrl(url)}`
  return `${visible(`${String(id).padEnd(4)} ${active ? 'active' : 'inactive'}  ${name}  ${gets}`)}\n`
}

export const MOST_SEED = 0xffff_ffff

interface SandboxOptions extends CommonOptions {
  readonly port: number
  readonly seed: number
}

/** `acuse sandbox`: the simulated invoicing service, until it is told to stop; under it the commands to one that runs. */
export function addSandbox(program: Command, context: CommandContext): void {
  const { terminal } = context
  const sandbox = program
    .command('sandbox')
    .description(
      'Run the sandbox: the whole invoicing service in small, to work and test against. With a command: manage the one that runs.',
    )
    // Else `--data` and `--json` of the commands under it would be taken for its own.
    .enablePositionalOptions()
    .option('--port <n>', 'port of the service; 0 takes a free one', portNumber, SANDBOX_PORT)
    .option('--seed <n>', 'of a new workspace: same seed, same data', wholeNumber(0, MOST_SEED), 1)
  examples(
    withCommon(sandbox, 'print one JSON line when ready: {"sandbox","admin","apiKey","pluginToken"}'),
    [
      ['acuse sandbox', 'serve on port 4402'],
      ['acuse sandbox --port 0 --data ./data --json', 'for a script: a free port, a folder of its own'],
    ],
  ).action((options: SandboxOptions) => {
    const [word] = sandbox.args
    if (word !== undefined) throw unknownCommand(word, sandbox)
    return run(options, terminal)
  })
  for (const add of [addSandboxSubscriptions, addSandboxKeys, addSandboxPlugins, addSandboxPlan])
    add(sandbox, context)
  // A mistyped command is no excess argument: it is told which one was meant. Set last, since commands made after it would inherit it.
  sandbox.allowExcessArguments()
  sandbox.hook('preSubcommand', (_, command) => {
    const given = sandbox.options.find(
      (option) => sandbox.getOptionValueSource(option.attributeName()) === 'cli',
    )
    if (given)
      throw wrongUsage(
        `${given.long} stands in the wrong place: options come after the command, as in "acuse sandbox ${command.name()} … ${given.long}".`,
      )
  })
}

function unknownCommand(word: string, sandbox: Command) {
  const names = sandbox.commands.map((command) => command.name())
  const [meant] = nearest(word, names)
  return wrongUsage(
    `"${visible(word)}" is no command of acuse sandbox.${meant === undefined ? ` There are ${names.join(', ')}.` : ` Did you mean ${meant}?`}`,
  )
}

async function run({ data, json, port, seed }: SandboxOptions, terminal: Terminal): Promise<void> {
  const [{ startSandboxHost }, { stopSignal }, { dataDir }] = await Promise.all([
    import('../../sandbox-host.ts'),
    import('../shared/terminal.ts'),
    import('../../data-dir.ts'),
  ])
  const stop = stopSignal(terminal.say)
  const folder = dataDir(data)
  const host = await startSandboxHost({ folder, port, seed, warn: terminal.say })
  const { sandbox, admin, apiKey, pluginToken } = host.ready
  const lines = [
    `Sandbox       ${sandbox}`,
    `API key       ${apiKey}`,
    `Plugin token  ${pluginToken}`,
    `Admin token   ${admin}`,
    `Data          ${folder}`,
  ]
  await terminal.print(json ? `${JSON.stringify(host.ready)}\n` : `${lines.join('\n')}\n`)
  await stop
  await host.close()
}
