import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Sender {
  readonly socket: Socket
  /** Everything that came so far, as latin-1. */
  text(): string
  /** Resolves with how the connection ended: by a FIN or by a reset. */
  readonly ended: Promise<'end' | 'reset'>
  /** Resolves once this text has come. */
  came(part: string): Promise<void>
}

/** A connection that sends these bytes, stays, and sees how the other side ends it. */
export async function sender(port: number, bytes: Buffer | string): Promise<Sender> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (piece: Buffer) => {
    text += piece.toString('latin1')
  })
  const ended = new Promise<'end' | 'reset'>((resolve, reject) => {
    socket.once('end', () => resolve('end'))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve('reset') : reject(error),
    )
  })
  await once(socket, 'connect')
  socket.write(bytes)
  return {
    socket,
    text: () => text,
    ended,
    async came(part) {
      while (!text.includes(part)) await once(socket, 'data')
    },
  }
}
