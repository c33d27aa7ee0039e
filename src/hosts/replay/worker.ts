import { createHash } from 'node:crypto'
import type { Params } from '#contract/commands.ts'
import { messageOf, refused } from '#contract/errors.ts'
import type { ReplayCommandName } from '#contract/replay.ts'
import type { ReplayNotice } from '#core/ports.ts'
import type { Surroundings } from '#core/replay/parcels.ts'
import { type CallContext, createRunner, type Runner, type RunnerStart } from '#core/replay/runner.ts'
import type { Peer } from '#log/shared/leases.ts'
import { OtlpExporter, type Tracing } from '#outbound/otlp.ts'
import { createSender } from '#outbound/sender.ts'
import type { StoreFiles } from '#storage/disk/files.ts'
import { openCapturedRequests } from '#storage/replays/captured-requests.ts'
import { openLedger } from '#storage/replays/ledger.ts'
import type { MergedAttempts, SessionLinks } from '#storage/replays/merge.ts'
import { openSession } from '#storage/session/session-file.ts'
import { Statements } from '#storage/sql/connection.ts'
import { expose, owner } from '#threads/expose.ts'

/** Interval in which the same warning is given only once. */
const REPEATED_MS = 60_000
/** Debounce for deletions, which often come in series. */
const FOLLOW_MS = 500

/** A command with its parameters; the caller's types pair them. */
interface Command {
  readonly name: ReplayCommandName
  readonly params: Params<ReplayCommandName>
}

export interface ReplayPushes {
  notice(notice: ReplayNotice): void
  /** Reports how long a delivery may wait for a target's answer, milliseconds; null when no forward gives answers. */
  answers(timeoutMs: number | null): void
  warn(message: string): void
}

export interface ReplayStart extends RunnerStart {
  readonly tracing: Tracing
  /** The shared log whose followers share the forwards. */
  readonly shared?: Peer | undefined
}

const tell = owner<ReplayPushes>()

interface Open {
  readonly runner: Runner
  readonly ledger: ReturnType<typeof openLedger>
  readonly captured: ReturnType<typeof openCapturedRequests>
  readonly exporter: OtlpExporter
  close(): Promise<void>
}
let open: Open | undefined
let answers: number | null = null
let following: NodeJS.Timeout | undefined

const warned = new Map<string, number>()
function warn(message: string): void {
  const now = performance.now()
  if (now - (warned.get(message) ?? Number.NEGATIVE_INFINITY) < REPEATED_MS) return
  warned.set(message, now)
  tell.warn(message)
}

function settle(ledger: Open['ledger']): void {
  try {
    ledger.settle()
  } catch (error) {
    warn(`The last attempts could not be written yet: ${messageOf(error)}`)
  }
}

function opened(): Open {
  if (!open) throw refused('not-available', 'replays-closed')
  return open
}

/** Pushes a change of the answer time-out to the owner, which needs it for every delivery. */
function tellAnswers(): void {
  const timeoutMs = open?.runner.forwards.answerTimeout() ?? null
  if (timeoutMs === answers) return
  answers = timeoutMs
  tell.answers(timeoutMs)
}

const handlers = {
  /** Opens the databases, resumes the jobs of a former process, and begins to send. */
  async open(paths: StoreFiles, start: ReplayStart): Promise<void> {
    // Only then, because it loads the client of PostgreSQL.
    const { SharedLeases } = start.shared ? await import('#log/shared/leases.ts') : {}
    const ledger = openLedger({ paths, warn })
    const captured = openCapturedRequests({ paths })
    const sender = createSender()
    const exporter = new OtlpExporter(sender, warn)
    exporter.configure(start.tracing)
    const leases = start.shared && SharedLeases && new SharedLeases(start.shared)
    const close = (): void => {
      void leases?.close()
      sender.close()
      captured.close()
      ledger.close()
    }
    try {
      const runner = createRunner(
        {
          ledger,
          captured,
          sender,
          warn,
          leases,
          emit: (span) => exporter.add(span),
          clock: { now: () => performance.timeOrigin + performance.now() },
          digest: answerDigests(),
          defer: (work) => void setImmediate(work),
          notice: (notice) => {
            // Write first: a listener may read these attempts from replays.db.
            settle(ledger)
            tell.notice(notice)
          },
        },
        start,
      )
      open = {
        runner,
        ledger,
        captured,
        exporter,
        async close() {
          await runner.close()
          await exporter.close()
          close()
        },
      }
    } catch (error) {
      close()
      throw error
    }
    tellAnswers()
  },
  async command({ name, params }: Command, context: CallContext) {
    const result = await opened().runner.call(name, params, context)
    tellAnswers()
    return result
  },
  /** @param _signal ends the owner's wait only; the runner has its own time-out */
  answerFor: (id: number, _signal: AbortSignal) => opened().runner.forwards.answerFor(id),
  configure(surroundings: Surroundings, tracing: Tracing): void {
    open?.runner.configure(surroundings)
    open?.exporter.configure(tracing)
  },
  /** Takes over the attempts of deliveries in a session file. */
  merge(path: string, links: SessionLinks): MergedAttempts {
    const { ledger } = opened()
    using session = openSession(path)
    const merged = ledger.merge(new Statements(session.db), links)
    const deliveries = [...links.values()]
    tell.notice({ jobs: merged.newJobs, forwards: false, deliveries, more: false })
    return merged
  },
  settled: (upto: number) => open?.runner.forwards.settled(upto),
  followDeletions(): void {
    if (open) following ??= setTimeout(followDeletions, FOLLOW_MS)
  },
  release(): void {
    open?.ledger.releaseCaptured()
    open?.captured.releaseCaptured()
  },
  reopen(): void {
    open?.ledger.reopenCaptured()
    open?.captured.reopenCaptured()
  },
  /** Stops sending, waits a bounded time for requests in flight, and closes the databases. */
  async close(): Promise<void> {
    clearTimeout(following)
    const closing = open
    open = undefined
    await closing?.close()
  },
}

function followDeletions(): void {
  following = undefined
  try {
    open?.runner.followDeletions()
  } catch (error) {
    warn(`Attempts of deleted deliveries could not be removed: ${messageOf(error)}`)
  }
}

export type ReplayHandlers = typeof handlers
expose(handlers)

/** Number of cached digests: a target gives the same short answer a hundred thousand times. */
const REMEMBERED = 64
const SHORT = 256

/** Makes a function for the SHA-256 over status and body, in hexadecimal, with a cache for short bodies. */
function answerDigests(): (status: number, body: Uint8Array) => string {
  const known = new Map<string, string>()
  return (status, body) => {
    if (body.byteLength > SHORT) return digestOf(status, body)
    const { buffer, byteOffset, byteLength } = body
    const key = `${status} ${byteLength === 0 ? '' : Buffer.from(buffer, byteOffset, byteLength).toString('latin1')}`
    let digest = known.get(key)
    if (digest === undefined) {
      digest = digestOf(status, body)
      if (known.size >= REMEMBERED) known.clear()
      known.set(key, digest)
    }
    return digest
  }
}

const digestOf = (status: number, body: Uint8Array): string =>
  createHash('sha256').update(`${status}\n`).update(body).digest('hex')
