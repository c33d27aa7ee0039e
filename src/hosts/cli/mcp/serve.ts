import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Cli } from '../shared/command.ts'
import { stopSignal } from '../shared/terminal.ts'
import { serveHttp } from './http.ts'
import { AnswerMask } from './mask.ts'
import { serverFactory } from './server.ts'

interface Serving {
  /** Whether to offer tools that change or send something. */
  readonly writes: boolean
  /** Null: on stdin and stdout. */
  readonly http: { readonly port: number; readonly token: string } | null
  readonly cli: Cli
}

/** Serves agents until the agent closes stdin, or a signal ends the process. */
export async function serveAgents({ writes, http, cli }: Serving): Promise<void> {
  // A mistyped folder is an error now, not at the first call.
  await cli.existing(async () => {})
  const factory = serverFactory(writes, {
    existing: cli.existing,
    running: cli.running,
    mask: new AnswerMask(),
  })
  const ended = untilEnd(http === null, cli)
  if (http === null) {
    const server = serveStdio(factory)
    await ended
    await server.close()
    return
  }
  const { url, close } = await serveHttp(factory, http.port, http.token)
  await cli.print({ url, token: http.token }, `MCP: ${url}\nAuthorization: Bearer ${http.token}\n`)
  await ended
  await close()
}

/** Resolves at a stop signal, or when the agent closes stdin. */
const untilEnd = (stdin: boolean, { terminal }: Cli): Promise<unknown> =>
  Promise.race([
    stopSignal(terminal.say),
    ...(stdin ? [once(process.stdin, 'end'), once(process.stdin, 'close')] : []),
  ])
