import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'

/** A caller may send as many custom headers as a subscription may have. */
const HEAD_BYTES = 1_048_576
/** Longer than a client's own rest, so that it is never us who closes just as it asks. */
const KEEP_ALIVE_MS = 65_000

/**
 * @param port 0 takes a free one
 * @throws the system's error when the address cannot be had
 */
export async function listen(
  app: Express,
  host: string,
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { maxHeaderSize: HEAD_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true },
    app,
  )
  server.maxHeadersCount = 0
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}` }
}

/** Lets answers under way end, for so long; resting connections are closed at once. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
