import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { openTerminal, type Terminal } from '#hosts/cli/shared/terminal.ts'
import type { CliInput, CliOutcome } from './host.ts'

const BUILT = resolve(import.meta.dirname, '../../out/main')

/** Loads the `main` of the built command line. */
function builtMain(): (args: readonly string[], terminal: Terminal) => Promise<number> {
  const [, chunk] =
    /import\("(\.\/chunks\/main-[^"]+)"\)/.exec(readFileSync(join(BUILT, 'cli.js'), 'utf8')) ?? []
  if (chunk === undefined) throw new Error('The command line is not built; run "npm run build" first.')
  return createRequire(import.meta.url)(join(BUILT, chunk)).main
}

/** Collects a command's output. */
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
 * Runs one command of the built command line to its end, as `runCli` of host.ts does, but in this process: starting hundreds of processes
 * would take most of the tests' time. For tests of a command's words and its calls to a host, not of the process itself.
 */
export async function runCliHere(
  args: readonly string[],
  { stdin = '', env = {} }: CliInput = {},
): Promise<CliOutcome> {
  const { ACUSE_DATA: _data, ACUSE_SECRET: _secret, ...inherited } = process.env
  // The command reads the data folder from the process's environment.
  if (env.ACUSE_DATA === undefined) delete process.env.ACUSE_DATA
  else process.env.ACUSE_DATA = env.ACUSE_DATA
  const [out, errors] = [collected(), collected()]
  const input = Readable.from([Buffer.from(stdin)])
  const terminal = openTerminal(input, out.stream, errors.stream, { ...inherited, ...env })
  // Commands never remove their signal listeners, and many commands run in this process.
  process.setMaxListeners(0)
  const code = await builtMain()(args, terminal)
  return { code, stdout: out.text(), stderr: errors.text() }
}
