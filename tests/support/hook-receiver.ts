import { createServer, Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { opened } from './listening-port.ts'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Buffer
  /** False when the sender cut its body off. */
  readonly whole: boolean
}

export type HookAnswer = (request: Received, response: ServerResponse) => void

/** A customer's URL: takes any method with a body, keeps what comes, answers 200 unless told otherwise. Gone after the test. */
export async function hookReceiver(answer: HookAnswer = (_, response) => response.end()) {
  /** In the order in which they ended. */
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const keep = (request: IncomingMessage, pieces: readonly Buffer[], whole: boolean): Received => {
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.rawHeaders,
      body: Buffer.concat(pieces),
      whole,
    }
    received.push(one)
    for (const look of waiting) look()
    return one
  }
  const server = createServer({ maxHeaderSize: 4 * 1024 * 1024 }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => answer(keep(request, pieces, true), response))
    request.on('error', () => keep(request, pieces, false))
  })
  server.maxHeadersCount = 0
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    count: (n: number) =>
      new Promise<readonly Received[]>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${received.length} of ${n} came`)), 15_000)
        const look = () => {
          if (received.length < n) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      }),
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
