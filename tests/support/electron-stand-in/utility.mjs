import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { app } from './app.mjs'

const port = new URL('./utility-port.mjs', import.meta.url).href

/** A process of Node whose `process.parentPort` is Electron's. */
class UtilityProcess extends EventEmitter {
  #child
  constructor(path, args, { stdio, execArgv = [] }) {
    super()
    this.#child = fork(path, args, {
      execArgv: ['--import', port, ...execArgv],
      stdio: [stdio, stdio, stdio, 'ipc'],
    })
    this.#child.on('message', (message) => this.emit('message', message))
    this.#child.on('exit', (code) => this.emit('exit', code ?? 1))
  }
  get pid() {
    return this.#child.exitCode === null ? this.#child.pid : undefined
  }
  postMessage(message) {
    if (this.#child.connected) this.#child.send(message)
  }
  kill() {
    return this.#child.kill()
  }
}

export const utilityProcess = {
  fork(path, args = [], options = {}) {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready')
    return new UtilityProcess(path, args, options)
  },
}
