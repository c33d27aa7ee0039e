import type { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { Sweep, SweepRange } from '#contract/reconcile.ts'
import type { PushListener } from '#core/engine/pushes.ts'
import type { HostOptions } from '#hosts/assemble.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { assembled, testHostWorkers } from '../../../support/assembled.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'
import type { SandboxClient } from '../../../support/sandbox-client.ts'

export interface ReconcileHost {
  readonly receiverUrl: string
  readonly warnings: readonly string[]
  /** Reconcile threads, the latest last. */
  readonly threads: readonly Worker[]
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  /** Makes or changes the connection "main"; nothing is too recent to be missed. */
  connect(baseUrl: string, change?: object): Promise<Connection>
  subscribe(listener: PushListener): void
  sweep(id: number, ...states: readonly Sweep['state'][]): Promise<Sweep>
  close(): Promise<void>
}

const { apiKey: _key, pluginToken: _token, ...DEFAULTS } = DEFAULT_CONNECTION

/** A whole host in this process, gone after the test. */
export async function reconcileHost(change: Partial<HostOptions> = {}): Promise<ReconcileHost> {
  const warnings: string[] = []
  const threads: Worker[] = []
  const one = await assembled({
    warn: (message) => warnings.push(message),
    patience: { tries: 6, firstMs: 1, mostMs: 20 },
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
  onTestFinished(() => one.close())
  const call: ReconcileHost['call'] = (command, params) =>
    one.host.engine.dispatch(command, params) as Promise<never>
  return {
    receiverUrl: one.receiverUrl,
    warnings,
    threads,
    call,
    async connect(baseUrl, more = {}) {
      const notYetDue = { issuedHours: 0, returnedMinutes: 0 }
      const wanted = { ...DEFAULTS, name: 'main', baseUrl, notYetDue, ...more }
      const { connections } = await call('connections.save', wanted)
      return connections.find(({ name }) => name === wanted.name) ?? Promise.reject(new Error('not saved'))
    },
    subscribe: (listener) => void one.host.engine.subscribe(listener),
    sweep: (id, ...states) =>
      until(
        () => call('sweeps.get', { id }),
        ({ state }) => states.includes(state),
      ),
    close: () => one.host.close(),
  }
}

/** Asks again and again until the answer fits. */
export async function until<T>(ask: () => T | Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export const ranged = (change: Partial<SweepRange> = {}): SweepRange => ({
  route: 'accounting',
  from: new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10),
  to: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
  ...{ documentTypeId: null, pageSize: 50 },
  ...change,
})

export interface Business extends ReconcileHost {
  readonly sandbox: Sandbox
  readonly client: SandboxClient
  /** Plays a scenario to its end. @returns what the sandbox's log says of it */
  play(slug: string, count: number): Promise<readonly { kind: string; subject: string; lost: boolean }[]>
}

/** A host that the real sandbox delivers to, with its connection. */
export async function business(change: Partial<HostOptions> = {}): Promise<Business> {
  const host = await reconcileHost(change)
  const { sandbox, client } = await runningSandbox()
  await client.admin('POST', '/subscriptions', { url: host.receiverUrl })
  await host.connect(sandbox.url, { apiKey: sandbox.apiKey, pluginToken: sandbox.pluginToken })
  return {
    ...host,
    sandbox,
    client,
    async play(slug, count) {
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
