import { Command } from 'commander'
import { alerts } from './commands/alerts.ts'
import { attach } from './commands/attach.ts'
import { backup } from './commands/backup.ts'
import { completion } from './commands/completion.ts'
import { config } from './commands/config.ts'
import { connections } from './commands/connections.ts'
import { drift } from './commands/drift.ts'
import { events } from './commands/events.ts'
import { exportCommand } from './commands/export.ts'
import { faults } from './commands/faults.ts'
import { follow } from './commands/follow.ts'
import { forwards } from './commands/forwards.ts'
import { importCommand } from './commands/import.ts'
import { jobs } from './commands/jobs.ts'
import { listen } from './commands/listen.ts'
import { man } from './commands/man.ts'
import { mcp } from './commands/mcp.ts'
import { open } from './commands/open.ts'
import { prune } from './commands/prune.ts'
import { publish } from './commands/publish.ts'
import { receive } from './commands/receive.ts'
import { reconcile } from './commands/reconcile.ts'
import { replay } from './commands/replay.ts'
import { sandbox } from './commands/sandbox.ts'
import { schema } from './commands/schema.ts'
import { link, serve } from './commands/serve.ts'
import { service } from './commands/service.ts'
import { shared } from './commands/shared.ts'
import { annotate, show } from './commands/show.ts'
import { targets } from './commands/targets.ts'
import { trigger } from './commands/trigger.ts'
import { validate } from './commands/validate.ts'
import { verify } from './commands/verify.ts'
import { waitFor } from './commands/wait-for.ts'
import type { CommandContext } from './shared/command.ts'
import { EXIT, EXIT_CODES, type ExitCode, understand } from './shared/failures.ts'
import { processTerminal, type Terminal, VERSION } from './shared/terminal.ts'

/** All commands, in the order of the help. */
const COMMANDS = [
  serve,
  listen,
  receive,
  follow,
  shared,
  link,
  attach,
  service,
  config,
  events,
  waitFor,
  show,
  annotate,
  drift,
  validate,
  schema,
  replay,
  jobs,
  targets,
  forwards,
  faults,
  reconcile,
  connections,
  publish,
  alerts,
  sandbox,
  trigger,
  prune,
  mcp,
  exportCommand,
  importCommand,
  open,
  backup,
  verify,
  completion,
  man,
]

export function acuse(context: CommandContext): Command {
  const { terminal } = context
  const program = new Command('acuse')
    .description(
      'Webhook inspector for an electronic-invoicing service: capture, check, search, replay, reconcile.',
    )
    .version(VERSION)
    // Options after a subcommand belong to it: "sandbox" and its subcommands share the names of some options.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('Add --help to see the usage.')
    .configureOutput({
      writeOut: (text) => void terminal.print(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
    })
  for (const add of COMMANDS) add(program, context)
  return program.addHelpText('after', `\nWithout a command: acuse serve --open.\n\n${EXIT_CODES}`)
}

/** What `acuse` alone does: the receiver, and the window in the browser. */
const ALONE = ['serve', '--open']

export async function main(args: readonly string[], terminal: Terminal = processTerminal()) {
  let exit: ExitCode = EXIT.done
  const program = acuse({
    terminal,
    exitWith(code) {
      exit = code
    },
  })
  try {
    await program.parseAsync(args.length > 0 ? [...args] : ALONE, { from: 'user' })
  } catch (error) {
    const { exit: code, sentence } = understand(error)
    if (sentence !== null) terminal.say(sentence)
    exit = code
  }
  await terminal.flush()
  if (terminal.lost === null) return exit
  terminal.say(terminal.lost)
  await terminal.flush()
  return EXIT.failed
}
