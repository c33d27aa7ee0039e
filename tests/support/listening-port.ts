import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Makes a server listen on loopback. @param port default: a free one @returns the port */
export async function opened(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}

/** Occupies a port until the result is disposed of. */
export async function takenPort(port = 0): Promise<Disposable & { readonly port: number }> {
  const server = createServer()
  return { port: await opened(server, port), [Symbol.dispose]: () => void server.close() }
}
