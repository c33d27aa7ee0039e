import type { Server } from 'node:http'
import { opened } from '../../support/listening-port.ts'

/** Prints the ready line in the form of `acuse serve --json`, so that the bench starts every server the same way. */
export async function announce(server: Server): Promise<void> {
  process.stdout.write(`${JSON.stringify({ receiver: `http://127.0.0.1:${await opened(server)}/` })}\n`)
}
