import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '#contract/errors.ts'
import { readIfThere, writeAtomically } from '../../atomic-file.ts'
import { dataDir, ensureDataDir } from '../../data-dir.ts'
import { connectLocal } from '../../local/client.ts'
import { type Definition, dataOf, definitionFor, type ServiceProgram } from '../../service/definitions.ts'
import { type Cli, command, group, kebab, type Shape, type Values } from '../shared/command.ts'
import { couldNot, EXIT } from '../shared/failures.ts'
import type { Terminal } from '../shared/terminal.ts'
import { HOST_OPTIONS } from './serve.ts'

const run = promisify(execFile)
/** Far longer than a manager takes to start or stop a service. */
const PATIENCE_MS = 60_000

const definitionOf = (program: ServiceProgram, { env }: Terminal): Definition =>
  definitionFor(program, {
    platform: process.platform,
    home: env.HOME || homedir(),
    uid: process.getuid?.() ?? 0,
    env,
  })
const NO_PROGRAM: ServiceProgram = { command: [], dataDir: '' }

const ask = ([program, ...args]: Definition['state'], { env }: Terminal) =>
  run(program, args, { timeout: PATIENCE_MS, env: { ...env } })

/** Runs the manager's commands in order. @returns why one failed, with what it said; null when all worked */
async function tell(commands: Definition['start'], terminal: Terminal): Promise<string | null> {
  for (const words of commands) {
    try {
      await ask(words, terminal)
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
      return `"${words.join(' ')}" failed: ${said || messageOf(error)}`
    }
  }
  return null
}

const linesOf = (commands: Definition['start']) => commands.map((words) => `  ${words.join(' ')}`).join('\n')

/** @returns the words that give these values to a command with these options; `--flag=value`, so that no value is taken for an option */
const argumentsOf = (options: Shape, values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(options).flatMap((name) => {
    const value = values[name]
    if (value === undefined || value === false) return []
    if (value === true) return [`--${kebab(name)}`]
    return [value].flat().map((one) => `--${kebab(name)}=${one}`)
  })

async function installService(given: Values<typeof HOST_OPTIONS>, cli: Cli): Promise<void> {
  const folder = dataDir(cli.folder)
  ensureDataDir(folder, cli.terminal.say)
  const absolute = {
    ...given,
    uiPort: given.noUi ? undefined : given.uiPort,
    ...(given.tlsCert === undefined ? {} : { tlsCert: resolve(given.tlsCert) }),
    ...(given.tlsKey === undefined ? {} : { tlsKey: resolve(given.tlsKey) }),
  }
  const words = ['serve', '--data', folder, ...argumentsOf(HOST_OPTIONS, absolute)]
  const script = realpathSync(process.argv[1] ?? '')
  if (/[\\/]_npx[\\/]/.test(script))
    throw couldNot(
      'This Acuse is in the cache of npx, which npm may delete. Install it first: npm install --global acuse',
    )
  const program = [process.execPath, script, ...words]
  const definition = definitionOf({ command: program, dataDir: folder }, cli.terminal)
  const { manager, file, content, end, start, hint } = definition
  const held = await heldByAnother(folder, definition, cli.terminal)
  mkdirSync(dirname(file), { recursive: true })
  await writeAtomically(file, content)
  await tell(end, cli.terminal)
  const failure = await tell(start, cli.terminal)
  if (failure !== null)
    throw couldNot(
      `${file} is written, but ${manager} does not run it: ${failure}\nWhere ${manager} runs, give:\n${linesOf(start)}`,
    )
  if (held)
    cli.terminal.say(
      `Another Acuse uses ${folder}. The service starts when that one ends; until then that one receives, with its own options.`,
    )
  await cli.print(
    { manager, file, data: folder, command: program },
    `${manager} runs Acuse from now on, and again after a failure.\nService   ${file}\nData      ${folder}\n${hint === null ? '' : `${hint}\n`}`,
  )
}

async function removeService(cli: Cli): Promise<void> {
  const { manager, file, stop } = definitionOf(NO_PROGRAM, cli.terminal)
  const content = await readIfThere(file)
  if (content === undefined) throw couldNot(`No service is installed: there is no ${file}.`)
  const failure = await tell(stop, cli.terminal)
  if (failure !== null) cli.terminal.say(`${manager} did not stop it: ${failure}`)
  rmSync(file)
  const data = dataOf(content) ?? null
  const kept =
    data === null ? '' : ` The data stay in ${data}; delete that folder yourself if you do not need them.`
  await cli.print({ file, data, stopped: failure === null }, `The service is removed.${kept}\n`)
}

/** What the manager says of the service; `running` is null when it cannot say. */
async function stateOf({ file, state, runs }: Definition, terminal: Terminal) {
  const content = await readIfThere(file)
  const installed = content !== undefined
  const data = (installed && dataOf(content)) || null
  const told = await ask(state, terminal).then(
    ({ stdout }) => ({ running: installed && runs.test(stdout), said: stdout.trim().replaceAll('\n', ', ') }),
    // The last line of what the manager said, after the command itself.
    (error: unknown) => ({ running: null, said: messageOf(error).trim().split('\n').at(-1) ?? '' }),
  )
  return { ...told, installed, data }
}

/** @returns whether an Acuse runs on the folder that is not the service as it is now */
async function heldByAnother(folder: string, definition: Definition, terminal: Terminal): Promise<boolean> {
  if ((await readiness(folder)) === null) return false
  const { running, data } = await stateOf(definition, terminal)
  return !(running && data === folder)
}

async function showService(cli: Cli): Promise<void> {
  const definition = definitionOf(NO_PROGRAM, cli.terminal)
  const { manager, file } = definition
  const told = await stateOf(definition, cli.terminal)
  const { installed, data } = told
  const acuse = data === null ? null : await readiness(data)
  const lines = [
    `Service   ${installed ? file : `not installed (there is no ${file})`}`,
    `State     ${told.running === null ? `${manager} cannot say (${told.said})` : told.said}`,
    ...(data === null ? [] : [`Acuse     ${acuse ?? 'does not answer'}`, `Data      ${data}`]),
  ]
  if (told.running !== true) cli.exitWith(EXIT.found)
  await cli.print(
    { installed, running: installed ? told.running : false, state: told.said, acuse, file, data },
    `${lines.join('\n')}\n`,
  )
}

/** @returns whether the Acuse on the folder takes deliveries, in words; null when none runs */
async function readiness(folder: string): Promise<string | null> {
  const client = await connectLocal(folder).catch(() => null)
  if (!client) return null
  try {
    const { ready, message } = await client.call('status.ready', {})
    return ready ? 'takes deliveries' : `takes no deliveries: ${message}`
  } finally {
    await client.close()
  }
}

const install = command({
  name: 'install',
  about:
    'Run "acuse serve" as a service of your user, with these options: systemd on Linux, launchd on macOS, a task on Windows. Installs it again when it is there.',
  options: HOST_OPTIONS,
  json: 'print {"manager","file","data","command"}',
  examples: [
    ['acuse service install', 'receive on port 4400 whenever you are logged in'],
    ['acuse service install --data ~/hooks --no-ui --metrics-port 4480', 'with options of "acuse serve"'],
  ],
  note: 'A secret that senders must send belongs into the settings: "acuse config set endpoint.default.secret X-Key --stdin".',
  run: installService,
})

const remove = command({
  name: 'remove',
  about: 'Stop the service and remove it. The data stay where they are.',
  json: 'print {"file","data","stopped"}',
  folder: null,
  examples: [['acuse service remove', 'stop receiving']],
  run: (_, cli) => removeService(cli),
})

const status = command({
  name: 'status',
  about:
    'Say whether the service is installed, what the system says of it, and whether Acuse takes deliveries. Exits with 1 when it does not run.',
  folder: null,
  json: 'print {"installed","running","state","acuse","file","data"}; running is null when the system cannot say',
  examples: [['acuse service status', 'for you, or for a script']],
  run: (_, cli) => showService(cli),
})

export const service = group('service', 'Keep Acuse receiving: run it as a service of your user.', [
  install,
  remove,
  status,
])
