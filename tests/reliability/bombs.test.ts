import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { bombRound, bombs } from './bomb-rounds.ts'

const BOMBS = bombs()

test.runIf(process.platform === 'linux')(
  'sixteen bombs at once: each is answered, kept and judged, and good ones in between too (reliability, row 15)',
  async () => {
    const { refused, codes } = await bombRound(BOMBS)
    expect(refused).toBe(0)
    expect([...new Set(codes)].sort()).toEqual([...new Set(BOMBS.map(({ code }) => code))].sort())
  },
  120_000,
)

test.runIf(process.platform === 'linux')(
  'with 500 MB of memory to spare, bombs end neither the process nor its next two starts (reliability, row 15)',
  async () => {
    const folder = tempFolder()
    const idle = await startHost({ args: ['--no-ui'] })
    // Some threads start with the first work and take memory.
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
        const args = ['events', '--data', host.dataDir, '--filter', 'verdict:unreadable', '--json']
        const { stdout } = await runCli(args)
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
