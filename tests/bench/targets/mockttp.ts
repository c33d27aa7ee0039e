import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Mockttp {
  readonly url: string
  start(): Promise<void>
  forAnyRequest(): { thenReply(status: number): Promise<unknown> }
}

/** mockttp: answers every request with 200 and keeps it in memory. Argument: the folder of its installation. */
const { getLocal } = createRequire(join(process.argv[2] ?? '', 'package.json'))('mockttp') as {
  getLocal(): Mockttp
}
const server = getLocal()
await server.start()
await server.forAnyRequest().thenReply(200)
process.stdout.write(`${JSON.stringify({ receiver: server.url.replace('localhost', '127.0.0.1') })}\n`)
