import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { runCliHere } from './cli-here.ts'
import { anEvent } from './events.ts'
import { type CliInput, type RunningHost, startHost } from './host.ts'
import { sharedFolder } from './temp-folder.ts'

/** Parses the output of --json, one value per line. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/**
 * One host for the tests of a file; commands run on its data in this process. The data survives the host.
 * @param secret no command may print it without --reveal
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
    /** Runs a command with --json and expects exit code 0. @returns the printed value */
    async json(words: readonly string[], options?: CliInput) {
      const { code, stdout, stderr } = await acuse([...words, '--json'], options)
      expect([stderr, code]).toEqual([expect.any(String), 0])
      return JSON.parse(stdout)
    },
    /** Sends a delivery to the receiver. */
    post: (path = '/', body = JSON.stringify(anEvent('factura.created')), headers: object = {}) =>
      fetch(new URL(path, host.receiverUrl), {
        ...{ method: 'POST', body },
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
  }
}
