import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How far beyond the wanted port a free one is looked for before the system is asked for any. */
const TRIES = 20

/**
 * Listens on 127.0.0.1, always: the window is for the person at this machine.
 * @param port 0 for any free one; a taken or forbidden one is passed over
 * @returns the port taken
 * @throws the system's error when not even a free port can be had
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  const candidates = Array.from({ length: TRIES }, (_, i) => port + i).filter((p) => p <= 65_535)
  for (const candidate of port === 0 ? [0] : [...candidates, 0]) {
    try {
      return await listen(server, candidate)
    } catch (error) {
      if (candidate === 0 || !passedOver(error)) throw error
    }
  }
  throw new Error('No port was free.')
}

const passedOver = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
