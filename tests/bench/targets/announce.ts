import type { Server } from 'node:http'

/** Prints the ready line in the form of `acuse serve --json`, so that the bench starts every server the same way. */
export function announce(server: Server): void {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  process.stdout.write(`${JSON.stringify({ receiver: `http://127.0.0.1:${address.port}/` })}\n`)
}
