import { Command } from 'commander'
import { addAnnotate } from './commands/annotate.ts'
import { addConfig } from './commands/config.ts'
import { addConnections } from './commands/connections.ts'
import { addDrift } from './commands/drift.ts'
import { addEvents } from './commands/events.ts'
import { addFaults } from './commands/faults.ts'
import { addForwards } from './commands/forwards.ts'
import { addJobs } from './commands/jobs.ts'
import { addLink } from './commands/link.ts'
import { addListen } from './commands/listen.ts'
import { addPublish } from './commands/publish.ts'
import { addReconcile } from './commands/reconcile.ts'
import { addReplay } from './commands/replay.ts'
import { addSandbox } from './commands/sandbox.ts'
import { addServe } from './commands/serve.ts'
import { addShow } from './commands/show.ts'
import { addTargets } from './commands/targets.ts'
import { addTrigger } from './commands/trigger.ts'
import { addValidate } from './commands/validate.ts'
import { EXIT, type ExitCode, understand } from './shared/failures.ts'
import { type CommandContext, processTerminal, type Terminal, VERSION } from './shared/terminal.ts'

/** The command line as data: every command with its arguments, options and examples. */
export function acuse(context: CommandContext): Command {
  const { terminal } = context
  const program = new Command('acuse')
    .description(
      'Webhook inspector for an electronic-invoicing service: capture, judge, look up, send again, reconcile.',
    )
    .version(VERSION)
    // What stands after a command is that command's: "sandbox" has options that the commands under it have too.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.print(text),
      writeErr: (text) => terminal.say(text.trimEnd()),
    })
  for (const add of [
    ...[addServe, addListen, addLink, addConfig, addEvents, addShow, addAnnotate, addDrift, addValidate],
    ...[addReplay, addJobs, addTargets, addForwards, addFaults],
    ...[addReconcile, addConnections, addPublish],
    ...[addSandbox, addTrigger],
  ])
    add(program, context)
  return program.addHelpText(
    'after',
    '\nExit codes: 0 done, 1 found what was asked to fail on, 2 wrong usage, 3 could not do it.',
  )
}

/**
 * Runs one command line.
 * @param args the arguments after the program's name
 * @returns the exit code: 0 done, 1 found what was asked to fail on, 2 wrong usage, 3 could not do it
 */
export async function main(
  args: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done
  const program = acuse({
    terminal,
    exitWith(code) {
      exit = code
    },
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exit
  } catch (error) {
    const { exit: code, sentence } = understand(error)
    if (sentence !== null) terminal.say(sentence)
    return code
  } finally {
    await terminal.flush()
  }
}
