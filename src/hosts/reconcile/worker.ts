import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Params } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { refused } from '#contract/errors.ts'
import type { ReportParams } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import type { ReconcileCallName, ReconcileNotice } from '#core/ports.ts'
import type { RebuiltRecord } from '#core/reconcile/ports.ts'
import type { RetryPolicy } from '#core/reconcile/sync-source.ts'
import type { Sender } from '#core/replay/ports.ts'
import { createReconcileRunner, type ReconcileRunner } from '#core/sweep/runner.ts'
import type { ReconcileSurroundings } from '#core/sweep/sweeps.ts'
import type { AskComparison } from '#interop/report/model.ts'
import { createSender } from '#outbound/sender.ts'
import { createPluginPublisher, createSyncSource, PAGE_KEPT } from '#outbound/sync-client.ts'
import type { StoreFiles } from '#storage/disk/files.ts'
import { openSession } from '#storage/session/session-file.ts'
import { Statements } from '#storage/sql/connection.ts'
import type { MergedSweep } from '#storage/sweeps/merge.ts'
import { openSweepStore } from '#storage/sweeps/sweep-store.ts'
import { expose, owner } from '#threads/expose.ts'
import { sweepReport } from './report.ts'

/** A command with its parameters; the caller's types pair them. */
interface Command {
  readonly name: ReconcileCallName
  readonly params: Params<ReconcileCallName>
}

export interface ReconcilePushes {
  notice(notice: ReconcileNotice): void
  warn(message: string): void
}

const { notice, warn } = owner<ReconcilePushes>()
const now = (): number => performance.timeOrigin + performance.now()

/** One Sender per proxy setting: that of the environment, none, or an address. */
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
  if (!open) throw refused('not-available', 'sweeps-closed')
  return open
}

/** Calls of a report after which other calls get a turn. */
const TURN = 20

/** Calls the runner, and lets other calls run during a long report. */
function patiently(runner: ReconcileRunner): AskComparison {
  let asked = 0
  return async (command, params) => {
    asked += 1
    if (asked % TURN === 0) await setImmediate()
    return runner.call(command, params)
  }
}

/** Waits; resolves early when the signal fires. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined)

const handlers = {
  /** Opens the databases and pauses sweeps that a former process left running. */
  open(paths: StoreFiles, surroundings: ReconcileSurroundings, retries: RetryPolicy): void {
    const store = openSweepStore({ paths, warn })
    const senders = new Senders()
    try {
      senders.setOwnReceiver(surroundings.ownReceiver)
      const runner = createReconcileRunner(
        {
          store,
          retries,
          wait,
          warn,
          notice,
          clock: { now },
          source: (connection, apiKey) =>
            createSyncSource(senders.of(connection.proxy), { ...connection, apiKey }, now),
          publisher: (connection, token) =>
            createPluginPublisher(senders.of(connection.proxy), { ...connection, token }),
        },
        surroundings,
      )
      open = { runner, store, senders }
    } catch (error) {
      store.close()
      throw error
    }
  },
  command: async ({ name, params }: Command) => opened().runner.call(name, params),
  report: (connection: Connection, version: string, params: ReportParams) =>
    sweepReport({ call: patiently(opened().runner), connection, version, now: Date.now() }, params),
  renameConnection: (previous: string, name: string) => opened().store.renameConnection(previous, name),
  /** The connections of a session file, each with the name of the one here that has its sweeps already. */
  sessionConnections(path: string) {
    using session = openSession(path)
    const from = new Statements(session.db)
    return session.head.connections.map((one) => ({
      connection: one,
      known: opened().store.knownConnection(from, one.name),
    }))
  },
  /** Takes over the sweeps of a session file. */
  async merge(
    path: string,
    connections: ReadonlyMap<string, Connection>,
    links: ReadonlyMap<number, number>,
  ): Promise<readonly MergedSweep[]> {
    using session = openSession(path)
    const steps = opened().store.merge(new Statements(session.db), connections, links)
    for (;;) {
      const step = steps.next()
      if (step.done) {
        notice({ sweeps: step.value.flatMap(({ as, ours }) => (as === 'taken' ? ours : [])) })
        return step.value
      }
      await setImmediate()
    }
  },
  planRebuild: (sweep: number, select: DocumentSelection, dryRun: boolean) =>
    opened().runner.recoveries.plan(sweep, select, dryRun),
  nextRebuilt: (token: number, limit: number) => opened().runner.recoveries.next(token, limit),
  storedRebuilt: (token: number, records: readonly RebuiltRecord[]) =>
    opened().runner.recoveries.stored(token, records),
  configure(surroundings: ReconcileSurroundings): void {
    open?.senders.setOwnReceiver(surroundings.ownReceiver)
    open?.runner.configure(surroundings)
  },
  release: () => open?.store.releaseCaptured(),
  reopen: () => open?.store.reopenCaptured(),
  async close(): Promise<void> {
    const closing = open
    open = undefined
    if (!closing) return
    await closing.runner.close()
    closing.senders.close()
    closing.store.close()
  },
}

export type ReconcileHandlers = typeof handlers
expose(handlers)
