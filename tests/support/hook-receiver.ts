import { createServer, Server as HttpServer, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { opened } from './listening-port.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Buffer
  /** False when the sender cut off the body. */
  readonly whole: boolean
}

const WITHIN = { timeout: 15_000, interval: 5 }

export type HookAnswer = (request: Received, response: ServerResponse) => void

/** Starts a customer's endpoint: it accepts any method with a body, records requests, and answers 200 by default. Closed after the test. */
export async function hookReceiver(answer: HookAnswer = (_, response) => response.end()) {
  /** Requests in the order of their ends. */
  const received: Received[] = []
  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, (request, response) => {
    const { method = '', url = '', rawHeaders: headers } = request
    const pieces: Buffer[] = []
    const keep = (whole: boolean): Received => {
      const one = { method, url, headers, body: Buffer.concat(pieces), whole }
      received.push(one)
      return one
    }
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => answer(keep(true), response))
    request.on('error', () => keep(false))
  })
  server.maxHeadersCount = 0
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** Resolves once n requests have ended. */
    count: (n: number) =>
      vi.waitFor(
        () => (received.length < n ? expect.fail(`${received.length} of ${n} came`) : received),
        WITHIN,
      ),
  }
}

/** Makes a server listen on a free loopback port until the test ends. @returns the port */
export async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  return opened(server)
}

export const headerValues = ({ headers }: Received, name: string): readonly string[] =>
  headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name.toLowerCase())
