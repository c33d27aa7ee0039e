/**
 * Environment of a preload script in a sandboxed renderer: a `require` that has only ipcRenderer and contextBridge. Its
 * source is injected into an isolated world together with the app's preload script.
 * @param {{ write: Function, read: Function }} clone see clone.mjs
 * @param {Function} preload the app's script, wrapped as CommonJS
 */
export function preloadWorld({ walk, ...clone }, preload) {
  // Electron runs preload scripts in the top frame only.
  if (window !== window.top) return
  const functions = new Map()
  const listeners = new Map()
  const invocations = new Map()
  let last = 0

  const emit = (name, detail) => window.dispatchEvent(new CustomEvent(name, { detail }))
  const outward = (value) =>
    walk(value, (part) => {
      if (typeof part === 'function') {
        last += 1
        functions.set(last, part)
        return { preloadFunction: last }
      }
      return part instanceof Promise ? follow(part) : part
    })
  const inward = (value) =>
    walk(value, (part) =>
      part?.pageFunction
        ? (...args) => emit('stand-in:callback', { id: part.pageFunction, args: args.map(outward) })
        : part,
    )

  function follow(promise) {
    last += 1
    const id = last
    promise.then(
      (value) => emit('stand-in:settle', { id, value: outward(value) }),
      (error) => emit('stand-in:settle', { id, error: String(error?.message ?? error) }),
    )
    return { preloadPromise: id }
  }

  window.addEventListener('stand-in:call', ({ detail }) => {
    try {
      emit('stand-in:return', { value: outward(functions.get(detail.id)(...detail.args.map(inward))) })
    } catch (error) {
      emit('stand-in:return', { error: String(error.message) })
    }
  })

  // The main process calls this through Runtime.callFunctionOn.
  globalThis.standInReceive = (text) => {
    const message = clone.read(text)
    if (message.id === undefined) {
      for (const listener of listeners.get(message.channel) ?? []) listener({}, ...message.args)
      return
    }
    const { channel, resolve, reject } = invocations.get(message.id)
    invocations.delete(message.id)
    if (message.error === undefined) resolve(message.value)
    else reject(new Error(`Error invoking remote method '${channel}': ${message.error}`))
  }

  const send = (message) => globalThis.standInSend(clone.write(message))
  window.addEventListener('stand-in:open', ({ detail }) => send({ opens: detail }))
  const ipcRenderer = {
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        last += 1
        invocations.set(last, { channel, resolve, reject })
        send({ id: last, channel, args })
      }),
    send: (channel, ...args) => send({ channel, args }),
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    off: (channel, listener) =>
      void listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((each) => each !== listener),
      ),
  }
  const contextBridge = {
    exposeInMainWorld: (key, value) => emit('stand-in:expose', { key, value: outward(value) }),
  }
  const require = (name) => {
    if (name === 'electron') return { ipcRenderer, contextBridge }
    throw new Error(`module not found: ${name}`)
  }
  const module = { exports: {} }
  preload(require, module, module.exports, { platform: 'linux', versions: { electron: 'stand-in' } })
}
