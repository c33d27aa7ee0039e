import { EventEmitter } from 'node:events'

const handlers = new Map()

class IpcMain extends EventEmitter {
  handle(channel, listener) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, listener)
  }
}
export const ipcMain = new IpcMain()

/** Runs the handler of an invocation. @throws without a handler; the page gets the error */
export async function invoke(channel, event, args) {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  return handler(event, ...args)
}
