import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { bombs } from './bomb-rounds.ts'

const BOMBS = bombs()

test('sixteen bombs at once: kept as sent, judged without ending anything, good ones in between are kept (reliability, row 15)', async () => {
  const host = await startHost({ args: ['--no-ui'] })
  try {
    const port = Number(new URL(host.receiverUrl).port)
    const sent = Array.from({ length: 16 }, (_, n) => BOMBS[n % BOMBS.length] ?? BOMBS[0]).filter(
      (bomb) => bomb !== undefined,
    )
    const answers = await Promise.all(
      sent.flatMap(({ coding, body }, n) => [
        raw({ port }, requestBytes('POST', `/bomb/${n}`, body, ['Content-Encoding', coding])),
        raw({ port }, requestBytes('POST', '/good', '{}')),
      ]),
    )
    expect(answers.map(({ answers: [answer] }) => answer?.status)).toEqual(answers.map(() => 200))
    const listed = async () => {
      const { stdout } = await runCli(['events', '--data', host.dataDir, '--filter', 'size:>2', '--json'])
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { id: number; url: string; verdict: string | null })
    }
    await expect
      .poll(async () => (await listed()).filter(({ verdict }) => verdict !== null).length, {
        timeout: 60_000,
        interval: 1_000,
      })
      .toBe(16)
    for (const { id, url } of (await listed()).filter(
      ({ url }) => Number(url.slice('/bomb/'.length)) < BOMBS.length,
    )) {
      const bomb = sent[Number(url.slice('/bomb/'.length))]
      const { stdout } = await runCli(['show', String(id), '--data', host.dataDir, '--json'])
      expect(stdout, url).toContain(bomb?.code)
    }
    const alive = await raw({ port }, requestBytes('POST', '/canary', '{}'))
    expect(alive.answers[0]?.status).toBe(200)
  } finally {
    await host.stop()
  }
}, 120_000)

test.runIf(process.platform === 'linux')(
  'with 500 MB of memory to spare, bombs end neither the process nor its next two starts (reliability, row 15)',
  async () => {
    const folder = tempFolder()
    const idle = await startHost({ args: ['--no-ui'] })
    // Threads that start with the first work take room of their own.
    await raw({ port: Number(new URL(idle.receiverUrl).port) }, requestBytes('POST', '/', '{}'))
    await runCli(['events', '--data', idle.dataDir, '--filter', 'body:x', '--json'])
    const taken = Number(/VmData:\s+(\d+)/.exec(readFileSync(`/proc/${idle.pid}/status`, 'utf8'))?.[1])
    await idle.stop()
    const node = join(folder, 'tight-node')
    writeFileSync(node, `#!/bin/sh\nulimit -d ${taken + 512_000}\nexec "${process.execPath}" "$@"\n`)
    chmodSync(node, 0o700)
    const start = { dataDir: join(folder, 'data'), args: ['--no-ui'], node }
    for (let run = 0; run < 3; run++) {
      const host = await startHost(start)
      const port = Number(new URL(host.receiverUrl).port)
      const status = async (path: string, body: Buffer | string, coding = 'identity') =>
        (await raw({ port }, requestBytes('POST', path, body, ['Content-Encoding', coding]))).answers[0]
          ?.status
      if (run === 0)
        for (const { coding, body } of BOMBS) expect(await status('/bomb', body, coding)).toBe(200)
      const judged = async () => {
        const { stdout } = await runCli([
          'events',
          '--data',
          host.dataDir,
          '--filter',
          'verdict:unreadable',
          '--json',
        ])
        return stdout.split('\n').filter(Boolean).length
      }
      await expect.poll(judged, { timeout: 60_000, interval: 1_000 }).toBeGreaterThanOrEqual(BOMBS.length - 1)
      expect(await status('/good', '{}')).toBe(200)
      expect(host.stderr()).toBe('')
      await host.kill()
    }
  },
  180_000,
)
