import { closeSync, cpSync, fsyncSync, mkdtempDisposableSync, openSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browseStore } from './browse-store.ts'
import { browseWindow } from './browse-window.ts'
import { bringUpToDate, buildWorld } from './browse-world.ts'
import { report } from './report.ts'

const ROWS = 1_000_000

/**
 * Rows P7 to P12: queries a store of a million deliveries directly, and shows it in Chromium while 200 a second arrive.
 * `ACUSE_BROWSE_ROWS` is another number of deliveries; `ACUSE_BROWSE_STORE` names a folder that keeps the store for later runs.
 * @param repeats number of starts of host and window
 */
export async function browse(repeats: number): Promise<void> {
  const rows = Number(process.env.ACUSE_BROWSE_ROWS || ROWS)
  if (!Number.isInteger(rows) || rows < 1_000)
    throw new Error('ACUSE_BROWSE_ROWS takes a whole number from 1000.')
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-browse-'))
  const kept = process.env.ACUSE_BROWSE_STORE || join(folder.path, 'world')
  const built = await buildWorld(kept, rows)
  console.log(
    `${rows} deliveries, ${(built.rawBytes / rows).toFixed(0)} bytes each, built in ${built.tookS.toFixed(0)} s`,
  )
  // Work on a copy: the kept store must not change, and deliveries will arrive.
  const world = process.env.ACUSE_BROWSE_STORE ? join(folder.path, 'world') : kept
  if (world !== kept) copy(kept, world)
  await bringUpToDate(world)
  const figures = [
    ...(await browseStore(world, built.rawBytes)),
    ...(await browseWindow(world, rows, repeats)),
  ]
  report('browse', figures, { rows, built })
}

function copy(kept: string, world: string): void {
  for (const name of readdirSync(kept)) {
    if (name.endsWith('.json')) continue
    cpSync(join(kept, name), join(world, name))
    const file = openSync(join(world, name), 'r+')
    // Otherwise the first commits would wait until these writes reach the disk.
    fsyncSync(file)
    closeSync(file)
  }
}
