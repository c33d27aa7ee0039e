import { spawn } from 'node:child_process'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/**
 * Runs a program in our place: same stdio, signals handed on, and its exit code as the result.
 * @returns {Promise<{ code: number, error?: Error }>} error: it could not be started at all
 */
export function foreground(program, args, { cwd, env = process.env } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
    const forward = (signal) => {
      // A Ctrl+C in a terminal reaches the child by itself; handing it on would count as a second one.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const finish = (result) => {
      for (const signal of FORWARDED) process.off(signal, forward)
      done(result)
    }
    child.on('error', (error) => finish({ code: 3, error }))
    child.on('exit', (code, signal) => finish({ code: code ?? 128 + (SIGNALS[signal] ?? 15) }))
  })
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
