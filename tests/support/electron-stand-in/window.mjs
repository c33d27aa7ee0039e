import { EventEmitter } from 'node:events'
import { app, openWindows, prevented } from './app.mjs'
import { closeTarget } from './targets.mjs'
import { WebContents } from './web-contents.mjs'

let lastId = 0

/** A window without a desktop: it keeps size and state, and emits their changes as Electron does. */
export class BrowserWindow extends EventEmitter {
  #bounds
  #title

  constructor(options = {}) {
    super()
    lastId += 1
    this.id = lastId
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.state = { visible: options.show !== false, maximised: false, minimised: false }
    this.#title = options.title ?? app.getName()
    this.webContents = new WebContents(this, options.webPreferences ?? {})
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
    openWindows.set(this.id, this)
  }
  static getAllWindows() {
    return [...openWindows.values()]
  }

  static fromWebContents(contents) {
    return contents?.window ?? null
  }

  loadURL(url) {
    return this.webContents.loadURL(url)
  }
  getTitle() {
    return this.#title
  }
  setTitle(title) {
    this.#title = title
  }
  getBounds() {
    return this.#bounds
  }
  getNormalBounds() {
    return this.#bounds
  }
  setBounds(bounds) {
    this.#bounds = { ...this.#bounds, ...bounds }
    void this.webContents.resize(this.#bounds.width, this.#bounds.height)
    this.emit('move')
    this.emit('resize')
  }
  isDestroyed() {
    return !openWindows.has(this.id)
  }
  isVisible() {
    return this.state.visible
  }
  isMaximized() {
    return this.state.maximised
  }
  isMinimized() {
    return this.state.minimised
  }
  isFullScreen() {
    return false
  }
  close() {
    if (!prevented((event) => this.emit('close', event))) this.destroy()
  }
  /** @param silent emits no `window-all-closed`, since the app is quitting */
  destroy({ silent = false } = {}) {
    if (!openWindows.delete(this.id)) return
    const { targetId } = this.webContents
    if (targetId) void closeTarget(targetId)
    this.emit('closed')
    this.webContents.emit('destroyed')
    if (openWindows.size > 0 || silent) return
    // Without a listener Electron quits with its last window.
    if (!app.emit('window-all-closed')) app.quit()
  }
}

/** State changes by method; the event has the method's name. */
const CHANGES = {
  ...{ show: { visible: true }, hide: { visible: false }, focus: {}, maximize: { maximised: true } },
  ...{ minimize: { minimised: true }, restore: { minimised: false } },
}
for (const [name, change] of Object.entries(CHANGES))
  BrowserWindow.prototype[name] = function () {
    Object.assign(this.state, change)
    this.emit(name)
  }
