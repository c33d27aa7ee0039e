import type { Command } from 'commander'
import { SANDBOX_PORT } from '../../sandbox-word.ts'
import type { CommandContext } from '../context.ts'
import { type CommonOptions, examples, portNumber, wholeNumber, withCommon } from '../options.ts'
import type { Terminal } from '../terminal.ts'

export const MOST_SEED = 0xffff_ffff

interface SandboxOptions extends CommonOptions {
  readonly port: number
  readonly seed: number
}

/** `acuse sandbox`: the simulated invoicing service, until it is told to stop. */
export function addSandbox(program: Command, { terminal }: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .description('Run the sandbox: the whole invoicing service in small, to work and test against.')
    .option('--port <n>', 'port of the service; 0 takes a free one', portNumber, SANDBOX_PORT)
    .option('--seed <n>', 'of a new workspace: same seed, same data', wholeNumber(0, MOST_SEED), 1)
  examples(
    withCommon(sandbox, 'print one JSON line when ready: {"sandbox","admin","apiKey","pluginToken"}'),
    [
      ['acuse sandbox', 'serve on port 4402'],
      ['acuse sandbox --port 0 --data ./data --json', 'for a script: a free port, a folder of its own'],
    ],
  ).action((options: SandboxOptions) => run(options, terminal))
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
