import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import type { ResolvedConnection } from '#core/connections.ts'
import type { Sender } from '#core/replay/ports.ts'
import { ReconcileRunner } from '#core/sweep/runner.ts'
import type { AskComparison } from '#interop/report/gather.ts'
import { createPluginPublisher } from '#outbound/plugin-client.ts'
import { createSender } from '#outbound/sender.ts'
import { createSyncSource, PAGE_KEPT } from '#outbound/sync-client.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'
import { serveCalls } from '#storage/wire/link.ts'
import type { ReconcileCalls, ReconcileMessage, ReconcileOrder } from './protocol.ts'
import { sweepReport } from './report.ts'

const port = parentPort
if (!port) throw new Error('started without a parent')
const say = (message: ReconcileMessage): void => port.postMessage(message)
const warn = (message: string): void => say({ event: 'warning', message })
const now = (): number => performance.timeOrigin + performance.now()

/** A Sender for each way out: what the environment says, none, or one proxy. */
class Senders {
  readonly #senders = new Map<string, Sender>()
  #ownReceiver: Parameters<Sender['setOwnReceiver']>[0] = null

  of(proxy: string): Sender {
    let sender = this.#senders.get(proxy)
    if (!sender) {
      sender = createSender({ ...environmentOf(proxy), answerKept: PAGE_KEPT })
      sender.setOwnReceiver(this.#ownReceiver)
      this.#senders.set(proxy, sender)
    }
    return sender
  }

  setOwnReceiver(address: Parameters<Sender['setOwnReceiver']>[0]): void {
    this.#ownReceiver = address
    for (const sender of this.#senders.values()) sender.setOwnReceiver(address)
  }

  close(): void {
    for (const sender of this.#senders.values()) sender.close()
  }
}

function environmentOf(proxy: string) {
  if (proxy === 'environment') return {}
  return { environment: proxy === 'none' ? {} : { http_proxy: proxy, https_proxy: proxy } }
}

interface Open {
  readonly runner: ReconcileRunner
  readonly store: ReturnType<typeof openSweepStore>
  readonly senders: Senders
}
let open: Open | undefined

function opened(): Open {
  if (!open) throw new AcuseError('not-available', 'Sweeps are not open.')
  return open
}

/** Calls of a report between which what else is asked for gets its turn. */
const TURN = 20

/** As the runner answers, without keeping everybody else waiting until a long report is done. */
function patiently(runner: ReconcileRunner): AskComparison {
  let asked = 0
  return async (command, params) => {
    asked += 1
    if (asked % TURN === 0) await setImmediate()
    return runner.call(command, params)
  }
}

/** No listener stays behind: a sweep waits on one signal from its beginning to its end. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const end = () => resolve()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  })
}

const reached = ({ baseUrl, timeouts, acceptAnyCertificate }: ResolvedConnection) => ({
  ...{ baseUrl, timeouts, acceptAnyCertificate },
})

const calls: ReconcileCalls = {
  open(paths, surroundings, patience) {
    const store = openSweepStore({ paths, warn })
    const senders = new Senders()
    try {
      senders.setOwnReceiver(surroundings.ownReceiver)
      const runner = new ReconcileRunner(
        {
          ...{ store, patience, wait, warn },
          clock: { now },
          source: (connection, apiKey) =>
            createSyncSource(senders.of(connection.proxy), { ...reached(connection), apiKey }, now),
          publisher: (connection, token) =>
            createPluginPublisher(senders.of(connection.proxy), {
              ...reached(connection),
              ...{ token, header: connection.pluginHeader },
            }),
          notice: (notice) => say({ event: 'notice', notice }),
        },
        surroundings,
      )
      open = { runner, store, senders }
    } catch (error) {
      store.close()
      throw error
    }
  },
  command: async ({ name, params }) => opened().runner.call(name, params),
  report: (connection, version, params) =>
    sweepReport({ call: patiently(opened().runner), connection, version, now: Date.now() }, params),
  renameConnection: (previous, name) => opened().store.renameConnection(previous, name),
  planRebuild: (sweep, select, dryRun) => opened().runner.recoveries.plan(sweep, select, dryRun),
  nextRebuilt: (token, limit) => opened().runner.recoveries.next(token, limit),
  storedRebuilt: (token, records) => opened().runner.recoveries.stored(token, records),
  release: () => open?.store.releaseCaptured(),
  async close() {
    const closing = open
    open = undefined
    if (!closing) return
    await closing.runner.close()
    closing.senders.close()
    closing.store.close()
  },
}

function carryOut(message: ReconcileOrder): void {
  if (!open) return
  if (message.order === 'reopen') {
    open.store.reopenCaptured()
    return
  }
  open.senders.setOwnReceiver(message.surroundings.ownReceiver)
  open.runner.configure(message.surroundings)
}

port.on('message', (message: ReconcileOrder | object) => {
  if ('order' in message) carryOut(message)
})
serveCalls(port, calls)
