import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Params } from '#contract/commands.ts'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import { opened } from './listening-port.ts'

/** Derives the status from the body, so that a delivery always gets the same one: mostly 200, some 500 and 422. */
function fateOf(body: Buffer): number {
  const drawn = createHash('sha256').update(body).digest().readUInt16BE() / 65_536
  return drawn < 0.08 ? 500 : drawn < 0.15 ? 422 : 200
}

let started: ReturnType<typeof start> | undefined

/** One server for all tests of a process, which it does not keep alive. `/app` fails for some bodies; `/flaky` alternates. */
export function replayTargets() {
  started ??= start()
  return started
}

async function start() {
  let taken = 0
  let held = false
  const waiting: (() => void)[] = []
  const give = (path: string, body: Buffer, response: ServerResponse) => {
    taken += 1
    const changing = taken % 2 === 0 ? 500 : 200
    const status = path.startsWith('/staging') ? 200 : path.startsWith('/flaky') ? changing : fateOf(body)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(
      status === 200
        ? '{\n  "ok": true,\n  "stored": "doc-1",\n  "version": 1\n}\n'
        : '{\n  "error": "unprocessable",\n  "field": "StatusId"\n}\n',
    )
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const answer = () => give(request.url ?? '', body, response)
    if (held) waiting.push(answer)
    else answer()
  })
  const port = await opened(server)
  server.unref()
  return {
    url: `http://127.0.0.1:${port}`,
    /** With true, answers wait until a call with false. */
    hold(wanted: boolean) {
      held = wanted
      if (!held) for (const answer of waiting.splice(0)) answer()
    },
  }
}

/** `app` fails for some bodies, `staging` has a secret header, `flaky` alternates between 200 and 500, `down-box` does not listen. */
export const fourTargets = (url: string): readonly Params<'targets.save'>[] => [
  { ...DEFAULT_TARGET, name: 'app', url: `${url}/app` },
  {
    ...{ ...DEFAULT_TARGET, name: 'staging', url: `${url}/staging`, path: 'append' },
    headers: [{ name: 'Authorization', value: 'Bearer 4f2a9c0d1e', secret: true }],
  },
  { ...DEFAULT_TARGET, name: 'flaky', url: `${url}/flaky` },
  { ...DEFAULT_TARGET, name: 'down-box', url: 'http://127.0.0.1:1/' },
]
