import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Lets a server listen on this computer, on a free port if none is given. @returns the port */
export async function opened(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** A port that is taken until this is disposed of. */
export async function takenPort(port = 0): Promise<Disposable & { readonly port: number }> {
  const server = createServer()
  return { port: await opened(server, port), [Symbol.dispose]: () => void server.close() }
}
