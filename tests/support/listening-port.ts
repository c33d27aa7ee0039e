import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

export function listeningPort(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** A port that is taken until this is disposed of. */
export async function takenPort(): Promise<Disposable & { readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: listeningPort(server), [Symbol.dispose]: () => void server.close() }
}
