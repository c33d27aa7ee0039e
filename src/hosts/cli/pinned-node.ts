import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The first Node with a stable and recent enough node:sqlite. */
export const MINIMUM_NODE = 24

/** Set for the child process, so that a pinned Node that is too old does not start itself for ever. */
const MARK = 'ACUSE_PINNED_NODE'
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** Runs the same command under the project's pinned Node, with the same stdio, signals and exit code. */
export function runPinned(args: readonly string[]): Promise<void> {
  const node = process.env[MARK] === undefined ? findPinned(import.meta.dirname) : undefined
  if (node === undefined) {
    process.stderr.write(
      `Acuse needs Node ${MINIMUM_NODE} or newer; this is ${process.versions.node}. Run "npm install" in the project, which brings one along.\n`,
    )
    process.exitCode = 3
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    // No messages pass on the channel; its end tells the child that this process was killed, so that no host stays behind.
    const child = spawn(node, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, [MARK]: '1' },
    })
    const forward = (signal: NodeJS.Signals) => child.kill(signal)
    for (const signal of FORWARDED) process.on(signal, forward)
    child.on('error', (error) => {
      process.stderr.write(`The Node at ${node} cannot be run: ${error.message}\n`)
      process.exitCode = 3
      resolve()
    })
    child.on('exit', (code, signal) => {
      for (const each of FORWARDED) process.off(each, forward)
      if (signal) process.kill(process.pid, signal)
      else process.exitCode = code ?? 3
      resolve()
    })
  })
}

/** Looks for the npm package `node` in this folder and those above it. */
function findPinned(from: string): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  for (let folder = from; ; folder = dirname(folder)) {
    const found = [
      join(folder, 'node_modules', 'node', 'bin', name),
      join(folder, 'node_modules', '.bin', name),
    ].find((path) => existsSync(path))
    if (found !== undefined || folder === dirname(folder)) return found
  }
}
