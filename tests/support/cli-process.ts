import { onTestFinished } from 'vitest'
import { spawnCli } from './host.ts'

const PATIENCE_MS = 15_000

/** A command of the built command line that goes on until it is told to stop, at the latest when the test ends. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
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
    /** Gives the exit code. */
    ended,
    stdout: () => out,
    stderr: () => errors,
    /** Resolves when what it printed or said matches. */
    says: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
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
    /** As Ctrl+C. */
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
  }
}
