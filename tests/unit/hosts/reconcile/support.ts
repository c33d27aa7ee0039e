import type { Worker } from 'node:worker_threads'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import type { PushListener } from '#core/engine/pushes.ts'
import type { HostOptions } from '#hosts/assemble.ts'
import { testHostWorkers } from '../../../support/assembled.ts'
import { aConnection } from '../../../support/records.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import { until } from '../../../support/until.ts'
import { fitting, replayHost, type Wanted } from '../replay/support.ts'

/** Starts a whole host in this process, closed after the test. */
export async function reconcileHost(change: Partial<HostOptions> = {}) {
  const threads: Worker[] = []
  const made = await replayHost({
    retries: { tries: 6, firstMs: 1, mostMs: 20 },
    environment: {},
    workers: {
      ...testHostWorkers,
      reconcile() {
        const worker = testHostWorkers.reconcile()
        threads.push(worker)
        return worker
      },
    },
    ...change,
  })
  const { call, host } = made
  return {
    ...made,
    threads,
    /** Makes or changes the connection "main", with 0 hours of "not yet due". */
    async connect(baseUrl: string, more: object = {}) {
      const notYetDue = { issuedHours: 0, returnedMinutes: 0 }
      const wanted = aConnection({ baseUrl, notYetDue, ...more })
      const { connections } = await call('connections.save', wanted)
      return connections.find(({ name }) => name === wanted.name) ?? Promise.reject(new Error('not saved'))
    },
    subscribe: (listener: PushListener) => void host.engine.subscribe(listener),
    sweep: (id: number, wanted: Wanted<Sweep>) => until(() => call('sweeps.get', { id }), fitting(wanted)),
  }
}

type Logged = Readonly<{ kind: string; subject: string; lost: boolean }>

export const ranged = (change: Partial<SweepRange> = {}): SweepRange => ({
  route: 'accounting',
  from: new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10),
  to: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
  ...{ documentTypeId: null, pageSize: 50 },
  ...change,
})

export async function business(change: Partial<HostOptions> = {}) {
  const host = await reconcileHost(change)
  const { sandbox, client } = await runningSandbox()
  await client.admin('POST', '/subscriptions', { url: host.receiverUrl })
  await host.connect(sandbox.url, { apiKey: sandbox.apiKey, pluginToken: sandbox.pluginToken })
  return {
    ...host,
    sandbox,
    client,
    /** Plays a scenario to its end. @returns its entries in the sandbox's log */
    async play(slug: string, count: number): Promise<readonly Logged[]> {
      const { body } = await client.admin('POST', `/scenarios/${slug}`, { count, seed: 3 })
      await until(
        () => client.admin('GET', `/runs/${body.run}`),
        ({ body: run }) => run.pending === 0 && !run.running,
      )
      const log = await client.admin('GET', `/log?run=${body.run}&limit=1000`)
      return log.body.entries
    },
  }
}
