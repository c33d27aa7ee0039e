import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { runCliHere } from './cli-here.ts'
import { anEvent } from './events.ts'
import { type CliInput, type RunningHost, startHost } from './host.ts'
import { sharedFolder } from './temp-folder.ts'

/** The values that a command printed with --json, one a line. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/**
 * One host for the tests of a file, with commands that run on its data in this process. The data outlives the host.
 * @param secret stands in nothing that a command prints, unless it reveals it
 */
export function cliHost({ args = ['--no-ui'], env = {}, secret = 'canary' } = {}) {
  const dataDir = join(sharedFolder(), 'data')
  let host: RunningHost
  beforeAll(async () => {
    host = await startHost({ dataDir, args })
  })
  afterAll(() => host?.kill())
  async function acuse(words: readonly string[], { stdin = '', ...options }: CliInput = {}) {
    const outcome = await runCliHere(words, { stdin, env: { ...env, ...options.env, ACUSE_DATA: dataDir } })
    if (!words.includes('--reveal')) expect(outcome.stdout + outcome.stderr).not.toContain(secret)
    return outcome
  }
  return {
    host: () => host,
    acuse,
    /** What --json printed, once the command has ended with 0. */
    async json(words: readonly string[], options?: CliInput) {
      const { code, stdout, stderr } = await acuse([...words, '--json'], options)
      expect([stderr, code]).toEqual([expect.any(String), 0])
      return JSON.parse(stdout)
    },
    /** A delivery to the receiver. */
    post: (path = '/', body = JSON.stringify(anEvent('factura.created')), headers: object = {}) =>
      fetch(new URL(path, host.receiverUrl), {
        ...{ method: 'POST', body },
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
  }
}
