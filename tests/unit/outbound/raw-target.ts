import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What to do with a request that has come whole. */
export type Answering = (socket: Socket, request: Buffer, nth: number) => void

export interface RawTarget {
  readonly port: number
  /** The very bytes received, request by request. */
  readonly requests: readonly Buffer[]
  readonly connections: () => number
  /** Of now. */
  readonly sockets: ReadonlySet<Socket>
}

export const text = (answer: string): Buffer => Buffer.from(answer, 'latin1')
export const NO_CONTENT = text('HTTP/1.1 204 No Content\r\n\r\n')

/** A target that speaks no HTTP of its own: it writes down bytes and gives back bytes. Gone after the test. */
export async function rawTarget(
  answering: Answering = (socket) => socket.write(NO_CONTENT),
  { host = '127.0.0.1', paused = false }: { host?: string; paused?: boolean } = {},
): Promise<RawTarget> {
  const requests: Buffer[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer({ pauseOnConnect: paused }, (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on(
      'data',
      splitter((request) => answering(socket, request, requests.push(request))),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return { port, requests, sockets, connections: () => connections }
}

/** Cuts what comes into requests, by Content-Length alone: that is the only framing the sender uses. */
function splitter(whole: (request: Buffer) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let size = 0
  let wanted = 0
  return (piece) => {
    pieces.push(piece)
    size += piece.length
    while (size > 0) {
      if (wanted === 0) {
        const soFar = Buffer.concat(pieces)
        pieces = [soFar]
        const end = soFar.indexOf('\r\n\r\n', 0, 'latin1')
        if (end === -1) return
        const length = /\r\ncontent-length: *(\d+)/i.exec(soFar.toString('latin1', 0, end))?.[1]
        wanted = end + 4 + Number(length ?? 0)
      }
      if (size < wanted) return
      const all = Buffer.concat(pieces)
      const request = all.subarray(0, wanted)
      pieces = [all.subarray(wanted)]
      size -= wanted
      wanted = 0
      whole(request)
    }
  }
}
