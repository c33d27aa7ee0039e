import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPair, type Pair, postgresPrograms, streaming } from '#log/shared/cluster.ts'

const GUARD = join(import.meta.dirname, '../../src/log/shared/guard.ts')

/** A primary with a synchronous standby, which holds a shared log. */
export interface SharedWorld extends Pair {
  /** After the primary was lost and its standby promoted: gives the new primary a standby, in the place of the lost server. */
  renew(): Promise<void>
}

/** @param synchronous false: commits do not wait for the standby */
export async function sharedWorld(synchronous = true): Promise<SharedWorld> {
  await using started = new AsyncDisposableStack()
  // Of its own, since the user nobody must be able to enter it.
  const folder = mkdtempSync(join(tmpdir(), 'acuse-postgres-'))
  started.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const pair = started.use(
    await openPair({ bin: postgresPrograms(folder, process.env), guard: GUARD }, folder, synchronous),
  )
  const running = started.move()
  const world: SharedWorld = {
    ...pair,
    async renew() {
      const [lost, primary] = [pair.primary, pair.standby]
      const standby = await primary.standby(lost.name, lost.port)
      Object.assign(pair, { primary, standby })
      Object.assign(world, { primary, standby })
      if (synchronous) {
        await standby.waitFor(primary.name)
        // The promoted server waited for no standby until now.
        await primary.query('ALTER SYSTEM RESET synchronous_standby_names')
        await primary.query('SELECT pg_reload_conf()')
      }
      await streaming(primary, synchronous)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
  return world
}
