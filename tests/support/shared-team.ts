import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { z } from 'zod'
import { jsonLines } from './cli-host.ts'
import { runCli, startedCli } from './host.ts'
import { type SharedWorld, sharedWorld } from './shared-world.ts'
import { sharedFolder } from './temp-folder.ts'
import { until } from './until.ts'

/** Environment with the passphrase that seals the secrets of the team's endpoints. */
export const KEY = { ACUSE_LOG_KEY: 'a passphrase of the team' }

const row = z.object({ id: z.number(), url: z.string(), size: z.number(), verdict: z.string().nullable() })
const shown = z.object({ tags: z.array(z.string()), marks: z.array(z.string()), note: z.string().nullable() })

/** Receivers and followers of one shared log for the tests of a file; each has a data folder of its name. */
export function sharedTeam() {
  const root = sharedFolder()
  const folder = (name: string) => join(root, name)
  let world: SharedWorld
  beforeAll(async () => {
    world = await sharedWorld()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  /** Starts a command with a data folder of this name; the end of the test stops it. */
  async function start(command: string, name: string, ...args: string[]) {
    const { ready, stderr, end } = await startedCli([command, '--data', folder(name), ...args], KEY)
    const kill = () => end('SIGKILL')
    onTestFinished(async () => void (await kill()))
    return { ...ready, errors: stderr, kill, end }
  }
  const receive = (name: string, ...args: string[]) =>
    start('receive', name, '--log', world.url, '--name', name, '--receiver-port', '0', ...args)
  const follow = (name: string, ...args: string[]) =>
    start('follow', name, '--log', world.url, '--no-ui', ...args)

  return {
    world: () => world,
    folder,
    receive,
    follow,
    serve: (name: string) => start('serve', name, '--receiver-port', '0', '--no-ui'),
    /** Waits until a follower has so many deliveries below a path. */
    rowsOf(name: string, path: string, count: number) {
      return until(
        async () => {
          const { stdout } = await runCli(['events', '--data', folder(name), '--json', '--limit', '1000'])
          return z
            .array(row)
            .parse(jsonLines(stdout))
            .filter(({ url }) => url.startsWith(path))
        },
        (rows) => rows.length >= count,
      )
    },
    /** What `acuse show` has of a delivery at a follower. */
    async said(name: string, id: number) {
      const { stdout } = await runCli(['show', String(id), '--data', folder(name), '--json'])
      const { note, tags, marks } = shown.parse(JSON.parse(stdout))
      return { note, tags, pinned: marks.includes('pinned') }
    },
  }
}

export const post = (
  receiver: string | null | undefined,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
) => fetch(`${receiver}${path}`, { method: 'POST', body, headers })
