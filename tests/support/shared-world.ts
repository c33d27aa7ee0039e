import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#log/shared/schema.ts'
import { Cluster } from './postgres-cluster.ts'
import { until } from './until.ts'

/** A primary with a synchronous standby, which holds a shared log. */
export interface SharedWorld extends AsyncDisposable {
  primary: Cluster
  standby: Cluster
  /** URL with both hosts. */
  readonly url: string
}

/** @param synchronous false: commits do not wait for the standby */
export async function sharedWorld(synchronous = true): Promise<SharedWorld> {
  await using started = new AsyncDisposableStack()
  // Of its own, since the user nobody must be able to enter it.
  const folder = mkdtempSync(join(tmpdir(), 'acuse-postgres-'))
  started.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const primary = await Cluster.create(folder, 'one')
  started.defer(() => primary.stop())
  await primary.withClient(migrate)
  const standby = await primary.standby(folder, 'two')
  started.defer(() => standby.stop())
  for (const [cluster, other] of [
    [primary, 'two'],
    [standby, 'one'],
  ] as const)
    if (synchronous) cluster.configure(`synchronous_standby_names = 'ANY 1 (${other})'\n`)
  await primary.query('SELECT pg_reload_conf()')
  await standby.query('SELECT pg_reload_conf()')
  const wanted = synchronous ? 'quorum' : 'async'
  await until(
    async () => (await primary.query('SELECT sync_state FROM pg_stat_replication'))[0]?.sync_state === wanted,
  )
  const running = started.move()
  return {
    primary,
    standby,
    url: `postgres://acuse@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
