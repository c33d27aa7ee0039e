import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { openTerminal, type Terminal } from '#hosts/cli/shared/terminal.ts'
import type { CliInput, CliOutcome } from './host.ts'

const BUILT = resolve(import.meta.dirname, '../../out/main')

/** What the built program does once it has found its Node. */
function builtMain(): (args: readonly string[], terminal: Terminal) => Promise<number> {
  const [, chunk] =
    /import\("(\.\/chunks\/main-[^"]+)"\)/.exec(readFileSync(join(BUILT, 'cli.js'), 'utf8')) ?? []
  if (chunk === undefined) throw new Error('The command line is not built; run "npm run build" first.')
  return createRequire(import.meta.url)(join(BUILT, chunk)).main
}

/** Takes what a command writes, as a pipe does. */
function collected() {
  const parts: Buffer[] = []
  const stream = new Writable({
    write(part, _encoding, done) {
      parts.push(Buffer.from(part))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(parts).toString() }
}

/**
 * Runs one command of the built command line to its end, as `runCli` of host.ts does, but in this process: starting hundreds of programs
 * cost more than all else that the tests do. For what is about a command's words and its talk with a host, not about the program itself.
 */
export async function runCliHere(
  args: readonly string[],
  { stdin = '', env = {} }: CliInput = {},
): Promise<CliOutcome> {
  const { ACUSE_DATA: _data, ACUSE_SECRET: _secret, ...inherited } = process.env
  // The folder is looked up in the environment of the process, before anything else is done.
  if (env.ACUSE_DATA === undefined) delete process.env.ACUSE_DATA
  else process.env.ACUSE_DATA = env.ACUSE_DATA
  const [out, errors] = [collected(), collected()]
  const input = Readable.from([Buffer.from(stdin)])
  const terminal = openTerminal(input, out.stream, errors.stream, { ...inherited, ...env })
  // A program's ear for signals goes with it; here those of all commands stay.
  process.setMaxListeners(0)
  const code = await builtMain()(args, terminal)
  return { code, stdout: out.text(), stderr: errors.text() }
}
