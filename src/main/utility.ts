import { EventEmitter } from 'node:events'
import type { ForkOptions, UtilityProcess } from 'electron'
import type { Program } from '#threads/thread.ts'

export const UTILITY: ForkOptions = { stdio: 'ignore', serviceName: 'Acuse' }

/**
 * A utility process of Electron as a program of a thread. The installed app's binary cannot run as Node, so `fork` of node:child_process
 * would open a second app.
 */
export function utilityProgram(child: Pick<UtilityProcess, 'on' | 'postMessage' | 'kill' | 'pid'>): Program {
  const program = new EventEmitter()
  child.on('message', (message: unknown) => program.emit('message', message))
  child.on('exit', (code) => program.emit('exit', code))
  return Object.assign(program, {
    send: (message: unknown) => child.postMessage(message),
    kill(signal: 'SIGKILL') {
      try {
        // Electron's own kill asks politely, and a check that reads the whole file does not listen.
        if (child.pid === undefined) child.kill()
        else process.kill(child.pid, signal)
      } catch {
        // It has ended already.
      }
    },
  })
}
