import { EventEmitter } from 'node:events'
import { app, cdp, openWindows, prevented } from './app.mjs'
import { WebContents } from './web-contents.mjs'

let lastId = 0

/** A window without a desktop: it has a size and states, and tells of their changes as Electron does. */
export class BrowserWindow extends EventEmitter {
  #bounds
  #visible
  #title
  #maximised = false
  #minimised = false

  constructor(options = {}) {
    super()
    lastId += 1
    this.id = lastId
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.#visible = options.show !== false
    this.#title = options.title ?? app.getName()
    this.webContents = new WebContents(this, options.webPreferences ?? {})
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'))
    openWindows.set(this.id, this)
    app.emit('browser-window-created', {}, this)
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
  reload() {
    this.webContents.reload()
  }
  getTitle() {
    return this.#title
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
    return this.#visible
  }
  isMaximized() {
    return this.#maximised
  }
  isMinimized() {
    return this.#minimised
  }
  isFullScreen() {
    return false
  }
  show() {
    this.#visible = true
    this.emit('show')
  }
  hide() {
    this.#visible = false
    this.emit('hide')
  }
  focus() {
    this.emit('focus')
  }
  maximize() {
    this.#maximised = true
    this.emit('maximize')
  }
  unmaximize() {
    this.#maximised = false
    this.emit('unmaximize')
  }
  minimize() {
    this.#minimised = true
    this.emit('minimize')
  }
  restore() {
    this.#minimised = false
    this.emit('restore')
  }
  close() {
    if (!prevented((event) => this.emit('close', event))) this.destroy()
  }
  /** @param silent the app is going anyway, so that its last window is no event */
  destroy({ silent = false } = {}) {
    if (!openWindows.delete(this.id)) return
    const { targetId } = this.webContents
    if (targetId)
      void cdp()
        .send('Target.closeTarget', { targetId })
        .catch(() => undefined)
    this.emit('closed')
    this.webContents.emit('destroyed')
    if (openWindows.size > 0 || silent) return
    // Without a listener Electron quits with its last window.
    if (!app.emit('window-all-closed')) app.quit()
  }
}
