import { createServer, Server as HttpServer, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { opened } from './listening-port.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Buffer
  /** False when the sender cut its body off. */
  readonly whole: boolean
}

const WITHIN = { timeout: 15_000, interval: 5 }

export type HookAnswer = (request: Received, response: ServerResponse) => void

/** A customer's URL: takes any method with a body, keeps what comes, answers 200 unless told otherwise. Gone after the test. */
export async function hookReceiver(answer: HookAnswer = (_, response) => response.end()) {
  /** In the order in which they ended. */
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
    /** Resolves once so many have ended. */
    count: (n: number) =>
      vi.waitFor(
        () => (received.length < n ? expect.fail(`${received.length} of ${n} came`) : received),
        WITHIN,
      ),
  }
}

/** Lets a server listen on a free port of this computer until the test ends. @returns the port */
export async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  return opened(server)
}

export const headerValues = ({ headers }: Received, name: string): readonly string[] =>
  headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name.toLowerCase())
