import { spawn } from 'node:child_process'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/**
 * Runs a program with our stdio, forwards signals to it, and returns its exit code.
 * @returns {Promise<{ code: number, error?: Error }>} error: the program could not be started
 */
export function foreground(program, args, { cwd, env = process.env } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
    const forward = (signal) => {
      // The terminal sends Ctrl+C to the child too; forwarding it would count as a second one.
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
