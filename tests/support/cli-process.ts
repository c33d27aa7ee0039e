import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { expect, onTestFinished, vi } from 'vitest'
import { spawnCli } from './host.ts'

const WITHIN = { timeout: 15_000, interval: 10 }

/** Starts a command of the built command line that runs until a signal; the end of the test stops it. */
export const startCli = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  followed(spawnCli(args, env))

/** Follows a process's stdout and stderr, and kills it when the test ends. */
export function followed(child: ChildProcessWithoutNullStreams) {
  let out = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const unsaid = (pattern: RegExp) => expect.fail(`It never said ${pattern}:\n${out}\n${errors}`)
  return {
    child,
    /** Resolves to the exit code. */
    ended,
    stdout: () => out,
    stderr: () => errors,
    /** Resolves when the output matches. */
    says: (pattern: RegExp) =>
      vi.waitFor(() => pattern.exec(out) ?? pattern.exec(errors) ?? unsaid(pattern), WITHIN),
    /** Sends SIGINT, as Ctrl+C does. */
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}
