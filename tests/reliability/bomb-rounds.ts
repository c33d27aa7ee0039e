import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { LEAN } from '#hosts/launch/project.mjs'
import { runCli, startHost } from '../support/host.ts'
import { raw, requestBytes } from '../support/raw-client.ts'

const MIB = 1_048_576
const AT_ONCE = 16
const PAUSE_MS = 20
export interface Bomb {
  readonly name: string
  readonly coding: string
  readonly body: Buffer
  readonly code: string
}

export function bombs(): readonly Bomb[] {
  const zeros = Buffer.alloc(100 * MIB, '0')
  const keys = Array.from({ length: 30_000 }, (_, n) => `"${n * 65_536}":1`)
  const brackets = Buffer.alloc(5_000_000, '[')
  const zerosInGzip = gzipSync(zeros)
  const values = Buffer.from(`[${'0,'.repeat(5_000_000)}0]`)
  const rows: readonly (readonly [name: string, coding: string, body: Buffer, code: string])[] = [
    ['gzip of 100 MiB', 'gzip', zerosInGzip, 'decoded-too-large'],
    ['brotli of 100 MiB', 'br', brotliCompressSync(zeros), 'decoded-too-large'],
    ['three layers', 'gzip, br, gzip', gzipSync(brotliCompressSync(zerosInGzip)), 'decoded-too-large'],
    ['depth of 5,000,000, gzip', 'gzip', gzipSync(brackets), 'json-too-many-values'],
    ['5,000,000 values, brotli', 'br', brotliCompressSync(values), 'json-too-many-values'],
    ['30,000 integer keys', 'identity', Buffer.from(`{${keys.join()}}`), 'envelope-missing'],
    ['depth of 5,000,000, plain', 'identity', brackets, 'json-too-many-values'],
  ]
  return rows.map(([name, coding, body, code]) => ({ name, coding, body, code }))
}

/** Sends sixteen bombs at once to the built product, measures its memory, and sends good deliveries until all are analysed. */
export async function bombRound(sent: readonly Bomb[]) {
  const env = { ...LEAN.env, NODE_OPTIONS: LEAN.flags.join(' ') }
  const host = await startHost({ args: ['--no-ui'], env })
  try {
    const port = Number(new URL(host.receiverUrl).port)
    const status = () => readFileSync(`/proc/${host.pid}/status`, 'utf8')
    const kilobytes = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status())?.[1]) * 1024
    const bombsListed = ['events', '--data', host.dataDir, '--filter', 'size:>2', '--json']
    // Warm up first: the memory that a first delivery and query allocate for good does not count.
    for (let n = 0; n < 20; n++) await raw({ port }, requestBytes('POST', '/warm', '{}'))
    await runCli(bombsListed)
    const before = kilobytes('VmRSS')
    writeFileSync(`/proc/${host.pid}/clear_refs`, '5')
    const began = performance.now()
    /** Number of bombs and good deliveries with another answer than 200. */
    let refused = 0
    let judged = false
    /** Durations of good deliveries, milliseconds. */
    const good: number[] = []
    const goods = (async () => {
      while (!judged) {
        const at = performance.now()
        const { answers } = await raw({ port }, requestBytes('POST', '/good', '{}'))
        if (answers[0]?.status !== 200) refused++
        good.push(performance.now() - at)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    })()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const bomb = sent[n % sent.length]
        if (!bomb) return
        const bytes = requestBytes('POST', `/bomb/${n}`, bomb.body, ['Content-Encoding', bomb.coding])
        const { answers } = await raw({ port }, bytes, { timeoutMs: 60_000 })
        if (answers[0]?.status !== 200) refused++
      }),
    )
    const listed = async (): Promise<readonly { id: number; url: string; verdict: string | null }[]> => {
      const { stdout } = await runCli(bombsListed)
      const lines = stdout.split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line))
    }
    while ((await listed()).filter(({ verdict }) => verdict !== null).length < AT_ONCE)
      await new Promise((resolve) => setTimeout(resolve, 200))
    const judgedMs = performance.now() - began
    judged = true
    await goods
    /** Expected finding codes that the first bomb of each kind got. */
    const codes: string[] = []
    const first = sent.map((_, n) => `/bomb/${n}`)
    for (const { id } of (await listed()).filter(({ url }) => first.includes(url))) {
      const { stdout } = await runCli(['show', String(id), '--data', host.dataDir, '--json'])
      codes.push(...sent.map(({ code }) => code).filter((code) => stdout.includes(`"${code}"`)))
    }
    // growth: peak memory minus memory before, bytes.
    return { refused, growth: kilobytes('VmHWM') - before, good, judgedMs, codes }
  } finally {
    await host.stop()
  }
}
