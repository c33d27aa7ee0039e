import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runCli, startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'

const MIB = 1_048_576
const zeros = Buffer.alloc(100 * MIB, '0')
const keys = Array.from({ length: 30_000 }, (_, n) => `"${n * 65_536}":1`)

/** Small bodies that cost much to read, with the codings undone in this order from the right. */
const BOMBS: readonly (readonly [codings: string, body: Buffer, code: string])[] = [
  ['gzip', gzipSync(zeros), 'decoded-too-large'],
  ['br', brotliCompressSync(zeros), 'decoded-too-large'],
  ['gzip, br, gzip', gzipSync(brotliCompressSync(gzipSync(zeros))), 'decoded-too-large'],
  ['gzip', gzipSync(Buffer.alloc(5_000_000, '[')), 'json-too-many-values'],
  ['br', brotliCompressSync(Buffer.from(`[${'0,'.repeat(5_000_000)}0]`)), 'json-too-many-values'],
  ['identity', Buffer.from(`{${keys.join()}}`), 'envelope-missing'],
]

test('sixteen bombs at once: kept as sent, judged without ending anything, good ones in between are kept (reliability, row 15)', async () => {
  const host = await startHost({ args: ['--no-ui'] })
  try {
    const port = Number(new URL(host.receiverUrl).port)
    const sent = Array.from({ length: 16 }, (_, n) => BOMBS[n % BOMBS.length] ?? BOMBS[0]).filter(
      (bomb) => bomb !== undefined,
    )
    const answers = await Promise.all(
      sent.flatMap(([coding, body], n) => [
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
      expect(stdout, url).toContain(bomb?.[2])
    }
    const alive = await raw({ port }, requestBytes('POST', '/canary', '{}'))
    expect(alive.answers[0]?.status).toBe(200)
  } finally {
    await host.stop()
  }
}, 120_000)
