import { connect } from 'node:net'

export interface RawAnswer {
  /** 0 when the connection was closed without an answer. */
  readonly status: number
  readonly head: string
  readonly body: string
  /** Values of a header, lower-case name. */
  header(name: string): readonly string[]
}

/**
 * Sends exactly these bytes and reads until the other side closes, or until a WebSocket was agreed on.
 * @param lines request line and headers, without the empty line; latin-1
 */
export function rawRequest(port: number, lines: readonly string[], body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const finish = () => {
      const end = text.indexOf('\r\n\r\n')
      const head = end === -1 ? text : text.slice(0, end)
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        head,
        body: end === -1 ? '' : text.slice(end + 4),
        header: (name) =>
          head
            .split('\r\n')
            .filter((line) => line.toLowerCase().startsWith(`${name}:`))
            .map((line) => line.slice(name.length + 1).trim()),
      })
    }
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
    })
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer to ${lines[0]}`)))
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      if (text.startsWith('HTTP/1.1 101')) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') finish()
      else reject(error)
    })
    socket.on('close', finish)
  })
}
