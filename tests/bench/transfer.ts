import { once } from 'node:events'
import { createWriteStream, mkdtempDisposableSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { OpenExport } from '#contract/transfer.ts'
import { EXPORT_FORMATS } from '#contract/transfer.ts'
import type { LocalClient } from '#hosts/local/client.ts'
import { buildWorld } from './browse-world.ts'
import { type Figure, report } from './report.ts'
import { clientOf, type Running, startAcuse } from './servers.ts'

const ROWS = 1_000_000
/** The small store has this share of the large one's deliveries. */
const SHARE = 0.1
const LOOK_MS = 100
const PIECE = 256 * 1024

type Format = OpenExport['format']

interface Taken {
  readonly format: Format | 'import'
  readonly rows: number
  readonly idle: number
  readonly most: number
  readonly seconds: number
  readonly megabytes: number
}

/**
 * Resident memory of the host while it exports and imports a small and a large store.
 * `ACUSE_TRANSFER_ROWS` is another number of deliveries; `ACUSE_TRANSFER_STORES` names a folder that keeps the stores for later runs.
 * @param parts formats, and `import`; none: all
 */
export async function transfer(_: number, parts: readonly string[]): Promise<void> {
  const rows = Number(process.env.ACUSE_TRANSFER_ROWS || ROWS)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-transfer-'))
  const kept = process.env.ACUSE_TRANSFER_STORES || folder.path
  const all: Taken[] = []
  for (const count of [Math.round(rows * SHARE), rows]) {
    const world = join(kept, String(count))
    await buildWorld(world, count)
    for (const format of EXPORT_FORMATS)
      if (parts.length === 0 || parts.includes(format)) all.push(await exportOf(world, format, count))
    if (parts.length === 0 || parts.includes('import'))
      all.push(await importOf(world, join(folder.path, 'all.ndjson'), count))
  }
  const figures = [...new Set(all.map(({ format }) => format))].flatMap((format): Figure[] => {
    const [small, large] = all.filter((one) => one.format === format)
    if (!small || !large) return []
    const what = format === 'import' ? 'import of NDJSON' : `export as ${format}`
    return [
      ['–', `${what}, ${large.rows}: memory at most`, '≤ 250 MB', 'MB', [large.most]],
      ['–', `${what}: more than at rest`, '', 'MB', [large.most - large.idle]],
      ['–', `${what}: ${large.rows} / ${small.rows}`, '≤ 1.15 ×', '×', [large.most / small.most]],
      ['–', `${what}: deliveries a second`, '', '/s', [large.rows / large.seconds]],
    ]
  })
  report('transfer', figures, { rows, all })
}

async function exportOf(world: string, format: Format, rows: number, file?: string): Promise<Taken> {
  const to = file === undefined ? null : createWriteStream(file)
  const host = await startAcuse({ keep: true }, world)
  const taken = await watched(host, async (client) => {
    const source = { type: 'filter', filter: '' } as const
    const { id } = await client.call('export.open', { source, format, bodies: format === 'ndjson' })
    for (let bytes = 0; ; ) {
      const { bytesBase64, done } = await client.call('export.read', { id })
      if (done) return bytes
      const piece = Buffer.from(bytesBase64, 'base64')
      bytes += piece.length
      if (to && !to.write(piece)) await once(to, 'drain')
    }
  })
  if (to) await once(to.end(), 'close')
  await host.stop()
  return said({ format, rows, ...taken })
}

async function importOf(world: string, file: string, rows: number): Promise<Taken> {
  await exportOf(world, 'ndjson', rows, file)
  const host = await startAcuse()
  const taken = await watched(host, async (client) => {
    const { id } = await client.call('import.open', { name: 'all.ndjson' })
    const from = await open(file)
    let bytes = 0
    for await (const piece of from.createReadStream({ highWaterMark: PIECE })) {
      const { received } = await client.call('import.write', {
        id,
        bytesBase64: Buffer.from(piece).toString('base64'),
      })
      bytes = received
    }
    await client.call('import.run', { id })
    for (;;) {
      const { state, imported, reason } = await client.call('import.get', { id })
      if (state === 'done' && imported === rows) return bytes
      if (state !== 'reading') throw new Error(`${state} after ${imported} of ${rows}: ${reason}`)
      await wait(LOOK_MS)
    }
  })
  await host.stop()
  rmSync(file)
  return said({ format: 'import', rows, ...taken })
}

/** @param work returns the bytes moved */
async function watched(host: Running, work: (client: LocalClient) => Promise<number>) {
  const client = await clientOf(host)
  // The first read opens the readers' files.
  await client.call('deliveries.summary', { filter: '' })
  await wait(1_000)
  const idle = host.rss()
  let most = idle
  const look = setInterval(() => {
    most = Math.max(most, host.rss())
  }, LOOK_MS)
  const began = performance.now()
  const bytes = await work(client)
  clearInterval(look)
  await client.close()
  return { idle, most, seconds: (performance.now() - began) / 1_000, megabytes: bytes / 1e6 }
}

function said(taken: Taken): Taken {
  const { format, rows, idle, most, seconds, megabytes } = taken
  console.log(
    `${format} ${rows}: ${idle.toFixed(0)} MB at rest, ${most.toFixed(0)} at most, ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB moved`,
  )
  return taken
}
