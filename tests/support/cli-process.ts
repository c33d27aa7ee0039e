import type { ChildProcess } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { spawnCli } from './host.ts'

/** A command of the built command line that goes on until it is told to stop. */
export interface CliProcess {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves when what it printed or said matches. */
  says(pattern: RegExp): Promise<RegExpMatchArray>
  /** SIGINT, as Ctrl+C. @returns the exit code */
  interrupt(): Promise<number | null>
  /** @returns the exit code, once it ends by itself */
  readonly ended: Promise<number | null>
}

const PATIENCE_MS = 15_000

/** Starts it; it is killed in the end, should the test not have ended it. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): CliProcess {
  const child = spawnCli(args, env)
  let out = ''
  let errors = ''
  const lookers = new Set<() => void>()
  const look = () => {
    for (const one of lookers) one()
  }
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
    look()
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    ended,
    stdout: () => out,
    stderr: () => errors,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const give = (why: string) => reject(new Error(`${why} ${pattern}:\n${out}\n${errors}`))
        const timer = setTimeout(() => give('It never said'), PATIENCE_MS)
        const check = () => {
          const found = pattern.exec(out) ?? pattern.exec(errors)
          if (!found) return
          clearTimeout(timer)
          lookers.delete(check)
          resolve(found)
        }
        lookers.add(check)
        void ended.then(() => {
          check()
          clearTimeout(timer)
          give('It ended without saying')
        })
        check()
      }),
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}
