import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

export function listeningPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** Lets a server listen on a free port of this computer. @returns the port */
export async function opened(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return listeningPort(server)
}

/** A port that is taken until this is disposed of. */
export async function takenPort(port = 0): Promise<Disposable & { readonly port: number }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: listeningPort(server), [Symbol.dispose]: () => void server.close() }
}
