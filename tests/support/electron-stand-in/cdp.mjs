import { EventEmitter } from 'node:events'

/**
 * A connection to Chromium's DevTools endpoint. It emits events as `<sessionId><Domain.event>`; events of the browser itself have no
 * session id. It uses Node's own WebSocket.
 */
export class Cdp extends EventEmitter {
  #socket
  #last = 0
  #waiting = new Map()

  constructor(url) {
    super()
    this.setMaxListeners(0)
    this.#socket = new WebSocket(url)
    this.ready = new Promise((resolve) => {
      this.#socket.onopen = resolve
    })
    this.#socket.onmessage = ({ data }) => this.#take(JSON.parse(data))
    // Reject pending calls, which would otherwise wait for ever once Chromium has ended.
    this.#socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium closed the connection'))
      this.#waiting.clear()
    }
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      this.#last += 1
      this.#waiting.set(this.#last, { resolve, reject })
      this.#socket.send(JSON.stringify({ id: this.#last, method, params, sessionId }))
    })
  }

  #take({ id, result, error, sessionId = '', method, params }) {
    if (id === undefined) {
      this.emit(sessionId + method, params)
      return
    }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(error.message))
    else waiting?.resolve(result)
  }
}
