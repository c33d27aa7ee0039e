import { EventEmitter } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from './chromium.mjs'
import { releaseLock, takeLock } from './lock.mjs'

const evaluated = Promise.withResolvers()
const ready = Promise.withResolvers()
const windows = new Map()
let chromium
let folder = ''
let project = {}

/** The connection to Chromium, undefined until it has started. */
export const cdp = () => chromium
/** Open windows by id; quitting closes them. */
export const openWindows = windows
export const entryEvaluated = () => evaluated.resolve()

/** @param {string} appFolder argument of Electron's command line @param {{ name: string, version: string }} appProject its package.json */
export function start(appFolder, appProject) {
  folder = appFolder
  project = appProject
  startChromium()
    .then(async (connection) => {
      chromium = connection
      await evaluated.promise
      app.becomeReady()
    })
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    })
}

// A signal would end the process without the exit handlers, which remove the profile. An app may listen for signals itself; Electron
// then does nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) app.quit()
  })

class App extends EventEmitter {
  #ready = false
  #quitting = false
  #name
  #paths = new Map()
  /** Playwright's loader appends its own flags here. */
  commandLine = { appendSwitch() {} }

  becomeReady() {
    this.#ready = true
    this.emit('ready', {}, {})
    ready.resolve()
  }
  whenReady() {
    return ready.promise
  }
  get isPackaged() {
    return process.env.STAND_IN_ARCHIVE !== undefined
  }
  isReady() {
    return this.#ready
  }
  enableSandbox() {
    if (this.#ready) throw new Error('app.enableSandbox() can only be called before app is ready')
  }
  getAppPath() {
    return folder
  }
  getVersion() {
    return project.version
  }
  getName() {
    return this.#name ?? project.productName ?? project.name
  }
  setName(name) {
    this.#name = name
  }
  getLocale() {
    return process.env.STAND_IN_LOCALE ?? 'en-US'
  }
  getPath(name) {
    return this.#paths.get(name) ?? join(tmpdir(), `${this.getName()}-${name}`)
  }
  setPath(name, path) {
    this.#paths.set(name, path)
  }
  requestSingleInstanceLock() {
    return takeLock(this.getPath('userData'), (argv) => this.emit('second-instance', {}, argv, ''))
  }
  releaseSingleInstanceLock() {
    releaseLock(this.getPath('userData'))
  }
  relaunch() {
    process.stderr.write('stand-in: the app asks for another start\n')
  }
  quit() {
    if (this.#quitting || prevented((event) => this.emit('before-quit', event))) return
    // Closing the last window must not start another quit.
    this.#quitting = true
    for (const window of [...windows.values()]) window.close()
    this.#quitting = false
    if (windows.size > 0) return
    if (prevented((event) => this.emit('will-quit', event))) return
    this.exit(0)
  }
  exit(code = 0) {
    for (const window of [...windows.values()]) window.destroy({ silent: true })
    this.emit('quit', {}, code)
    process.exit(code)
  }
}

/** @returns whether a listener prevented the default */
export function prevented(emit) {
  let stopped = false
  emit({
    preventDefault: () => {
      stopped = true
    },
  })
  return stopped
}

export const app = new App()
