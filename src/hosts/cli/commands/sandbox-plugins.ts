import type { Command } from 'commander'
import type { SandboxPlugin, SandboxPluginSettings } from '#contract/sandbox.ts'
import type { CommandContext } from '../context.ts'
import { wrongUsage } from '../failures.ts'
import { type CommonOptions, examples, withCommon } from '../options.ts'
import { eventTypesFrom } from '../sandbox-kinds.ts'
import {
  addressFrom,
  idNumber,
  type SwitchOptions,
  switched,
  warnOfAddress,
  withSwitch,
} from '../sandbox-options.ts'
import { known, usingSandbox } from '../sandbox-reach.ts'
import { shownUrl } from '../target-text.ts'
import { visible } from '../visible.ts'

interface PluginOptions extends SwitchOptions {
  readonly name?: string
  /** False for --no-url. */
  readonly url?: string | false
  readonly eventTypes?: string
}

const LIST = 'acuse sandbox plugins list'

/** `acuse sandbox plugins …`: who may publish plugin events, and who gets those of the others. */
export function addSandboxPlugins(sandbox: Command, { terminal }: CommandContext): void {
  const group = sandbox
    .command('plugins')
    .description(
      "Plugins of the sandbox, which publish events and get each other's: list, install, set, remove.",
    )

  const list = group.command('list').description('List the plugins, with their ids; never their tokens.')
  examples(withCommon(list, 'print {"plugins": […]}'), [[LIST, 'for reading']]).action(
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
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(withSettings(set), 'print the plugin as it is then'), [
    ['acuse sandbox plugins set 2 --event-types all', 'subscribe it to every type'],
    ['acuse sandbox plugins set 2 --no-url', 'let it publish only'],
  ]).action((id: number, options: PluginOptions) => {
    const settings = settingsOf(options)
    if (Object.keys(settings).length === 0)
      throw wrongUsage('Say what to change: --name, --url, --no-url, --event-types, --active or --inactive.')
    return usingSandbox(options.data, async (call) => {
      const changed = await known('plugin', id, LIST, call('sandbox.change-plugin', { id, ...settings }))
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
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [
    ['acuse sandbox plugins remove 2', 'at once'],
  ]).action((id: number, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const removed = await known('plugin', id, LIST, call('sandbox.remove-plugin', { id }))
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
