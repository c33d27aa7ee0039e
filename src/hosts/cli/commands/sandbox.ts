import type { Command } from 'commander'
import { nearest } from '#core/filter/nearest.ts'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import type { CommandContext } from '../context.ts'
import { wrongUsage } from '../failures.ts'
import { type CommonOptions, examples, portNumber, wholeNumber, withCommon } from '../options.ts'
import type { Terminal } from '../terminal.ts'
import { visible } from '../visible.ts'
import { addSandboxKeys } from './sandbox-keys.ts'
import { addSandboxPlan } from './sandbox-plan.ts'
import { addSandboxPlugins } from './sandbox-plugins.ts'
import { addSandboxSubscriptions } from './sandbox-subscriptions.ts'

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
    import('../stop-signal.ts'),
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
