import { EventEmitter } from 'node:events'
import { app, cdp, openWindows, prevented } from './app.mjs'
import { cloning, read, write } from './clone.mjs'
import { invoke, ipcMain } from './ipc.mjs'
import { mainWorld } from './page/main-world.mjs'
import { checkPreferences, preloadSource } from './preferences.mjs'
import { CUSTOM_URLS, fromChromium, isCustom, serve, toChromium } from './protocol.mjs'
import { applyPermissions } from './session.mjs'
import { createTarget } from './targets.mjs'

const WORLD = 'preload'
let lastId = 0

/** A window's content: one page of Chromium, with the app's preload script in an isolated world. */
export class WebContents extends EventEmitter {
  #session
  #context
  #url = ''
  #expected
  #openHandler = () => ({ action: 'allow' })

  constructor(window, preferences) {
    super()
    checkPreferences(preferences)
    lastId += 1
    this.id = lastId
    this.window = window
    this.preferences = preferences
    this.opened = this.#open()
    app.emit('web-contents-created', {}, this)
  }

  async #open() {
    await app.whenReady()
    const { width, height } = this.window.getBounds()
    const { targetId, sessionId } = await createTarget(width, height)
    this.targetId = targetId
    this.#session = sessionId
    this.#listen(sessionId)
    for (const domain of ['Page', 'Runtime', 'Inspector']) await this.command(`${domain}.enable`)
    await this.resize(width, height)
    await this.command('Runtime.addBinding', { name: 'standInSend', executionContextName: WORLD })
    await this.command('Fetch.enable', {
      patterns: [{ urlPattern: CUSTOM_URLS }, { urlPattern: '*', resourceType: 'Document' }],
    })
    await this.command('Page.addScriptToEvaluateOnNewDocument', { source: `(${mainWorld})((${cloning})())` })
    if (this.preferences.preload)
      await this.command('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadSource(this.preferences.preload),
        worldName: WORLD,
      })
  }

  #listen(session) {
    const on = (event, listener) => cdp().on(session + event, listener)
    on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD && context.auxData.frameId === this.targetId) this.#context = context.id
    })
    on('Runtime.bindingCalled', ({ payload }) => this.#receive(read(payload)))
    on('Fetch.requestPaused', (paused) => this.#answer(paused).catch(() => undefined))
    on('Page.frameNavigated', ({ frame }) => {
      if (!frame.parentId) this.#url = fromChromium(frame.url)
    })
    on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.targetId) this.#url = fromChromium(url)
    })
    on('Page.loadEventFired', () => this.emit('did-finish-load'))
    on('Inspector.targetCrashed', () =>
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 }),
    )
  }

  /** Sends a DevTools command to this page. */
  command(method, params) {
    return cdp().send(method, params, this.#session)
  }
  resize(width, height) {
    const screen = { width, height, deviceScaleFactor: 1, mobile: false }
    return this.command('Emulation.setDeviceMetricsOverride', screen)
  }

  async #receive({ id, channel, args, opens }) {
    if (opens !== undefined) {
      this.#askToOpen(fromChromium(opens))
      return
    }
    const event = { sender: this, senderFrame: { url: this.#url, parent: null, routingId: 1 }, frameId: 1 }
    if (id === undefined) {
      ipcMain.emit(channel, event, ...args)
      return
    }
    // The page gets an error when the result cannot be cloned.
    const answer = await invoke(channel, event, args)
      .then((value) => write({ id, value }))
      .catch((error) => write({ id, error: String(error) }))
    this.#deliver(answer)
  }
  #askToOpen(url) {
    const { action } = this.#openHandler({ url, disposition: 'foreground-tab', frameName: '' })
    if (action !== 'deny') process.stderr.write('stand-in: new windows are always denied\n')
  }
  #deliver(text) {
    if (this.#context === undefined) return
    const functionDeclaration = '(text) => globalThis.standInReceive?.(text)'
    const call = { functionDeclaration, arguments: [{ value: text }], executionContextId: this.#context }
    // The page may have closed meanwhile.
    void this.command('Runtime.callFunctionOn', call).catch(() => undefined)
  }

  async #answer({ requestId, request, resourceType, frameId }) {
    if (resourceType === 'Document' && !this.#mayLoad(fromChromium(request.url), frameId === this.targetId)) {
      await this.command('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    } else if (isCustom(request.url)) {
      const answer = await serve(request).catch(() => ({ responseCode: 500, responseHeaders: [], body: '' }))
      await this.command('Fetch.fulfillRequest', { requestId, ...answer })
    } else {
      await this.command('Fetch.continueRequest', { requestId })
    }
  }
  /** Asks the app, as Electron does, unless the app itself began the navigation. */
  #mayLoad(url, isMainFrame) {
    const ours = isMainFrame && this.#expected === url
    this.#expected = undefined
    if (ours) return true
    const ask = (name) => prevented((stop) => this.emit(name, { ...stop, url, isMainFrame }, url))
    return !(ask('will-frame-navigate') || (isMainFrame && ask('will-navigate')))
  }

  async loadURL(url) {
    await this.opened
    const target = toChromium(url)
    await applyPermissions(target)
    this.#expected = url.replace(/#.*/s, '')
    const loaded = new Promise((resolve) => this.once('did-finish-load', resolve))
    const { errorText, loaderId } = await this.command('Page.navigate', { url: target })
    if (errorText) throw new Error(`${errorText} loading '${url}'`)
    // Without a loader id the navigation stays within the document and loads nothing.
    if (loaderId) await loaded
  }
  reload() {
    this.#expected = this.#url.replace(/#.*/s, '')
    void this.command('Page.reload').catch(() => undefined)
  }
  send(channel, ...args) {
    this.#deliver(write({ channel, args }))
  }
  async executeJavaScript(expression) {
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result } = await this.command('Runtime.evaluate', asked)
    return result.value
  }
  forcefullyCrashRenderer() {
    void this.command('Page.crash').catch(() => undefined)
  }
  setWindowOpenHandler(handler) {
    this.#openHandler = handler
  }
  getURL() {
    return this.#url
  }
  isDestroyed() {
    return this.window.isDestroyed()
  }
  close() {
    this.window.close()
  }
}

/** Playwright uses this to close a page. */
export const webContents = {
  fromDevToolsTargetId: (targetId) =>
    [...openWindows.values()].find((window) => window.webContents.targetId === targetId)?.webContents,
}
