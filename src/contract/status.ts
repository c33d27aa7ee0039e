import { z } from 'zod'
import { fault } from './faults.ts'
import { count, defineCommand, epochMs, id, instant, nothing, type Of } from './params.ts'
import { COVERAGE_STATES, OVER_BUDGET } from './values.ts'

/** What a host can do; ask for these, never for a platform. */
const capabilities = z.strictObject({
  /** Secrets go to the operating system's store; false: an 0600 file in the data folder. */
  osSecretStore: z.boolean(),
  /** The system's own store is there but does not protect ("basic_text" on Linux): the user must be told. */
  weakSecretStore: z.boolean(),
  /** The host has a window of its own (menu, tray, native notifications). */
  nativeWindow: z.boolean(),
  /** `ui.link` can make a fresh one-time link for a browser. */
  uiLinks: z.boolean(),
})
export type Capabilities = Of<typeof capabilities>

/** Why the receiver could not take its address. The sentence is the edge's; `message` is the system's own words. */
const listenFailure = z.strictObject({
  code: z.enum(['port-in-use', 'no-permission', 'bad-address', 'bad-certificate', 'failed']),
  host: z.string(),
  port: count,
  message: z.string(),
  /** The next port that was free when it was tried; null when none was found. */
  nextFreePort: count.nullable(),
})
export type ListenFailure = Of<typeof listenFailure>

const certificateInfo = z.strictObject({
  source: z.enum(['generated', 'files']),
  /** SHA-256 in pairs of hexadecimal digits with colons, as openssl prints it. */
  fingerprint: z.string(),
  names: z.array(z.string()),
  validFrom: epochMs,
  validTo: epochMs,
})
export type CertificateInfo = Of<typeof certificateInfo>

const receiverState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.enum(['off', 'starting']) }),
  z.strictObject({
    state: z.literal('listening'),
    url: z.string(),
    host: z.string(),
    port: count,
    tls: certificateInfo.exactOptional(),
    /** Connections refused since it listens, because too many were open. Absent: none. */
    refused: count.exactOptional(),
  }),
  z.strictObject({ state: z.literal('failed'), failure: listenFailure }),
])
export type ReceiverState = Of<typeof receiverState>

/**
 * `ok`: deliveries are kept, and filed in the database. `behind`: the database fails; deliveries are kept in the log, and filed later.
 * `refusing`: the log cannot take them; every delivery is answered 503 and lost to the service.
 */
const storeState = z.enum(['ok', 'behind', 'refusing'])
export type StoreState = Of<typeof storeState>

/** The database could not be used any more; Acuse never deletes anything of it. */
const incident = z.strictObject({
  at: epochMs,
  /** `missing`: empty or not there, although deliveries had been stored. `moved`: another program removed or replaced its files. */
  kind: z.enum(['damaged', 'missing', 'moved']),
  reason: z.string(),
  /** The files set aside, as absolute paths; none when none was left. */
  setAside: z.array(z.string()),
  /** The database that took over. */
  fresh: z.string(),
  /** `none`: nothing was set aside that could be read. */
  salvage: z.enum(['offered', 'running', 'done', 'failed', 'none']),
  recovered: count,
})
export type Incident = Of<typeof incident>

/** What the log did not give to the database, found since this process began. */
const logProblem = z.discriminatedUnion('kind', [
  /** The rest of a write that the end of the process before cut off: no sender was answered for it. */
  z.strictObject({ kind: z.literal('unfinished'), bytes: count }),
  /** Records of the last write before a crash, by their positions; no sender was answered for them unless the disk lost them later. */
  z.strictObject({ kind: z.literal('partial'), from: count, to: count }),
  /** Records that cannot be read any more, by their positions; deliveries in them are lost. */
  z.strictObject({ kind: z.literal('damaged'), from: count, to: count }),
  /** The database refuses the delivery for its own data. */
  z.strictObject({ kind: z.literal('refused'), id, reason: z.string() }),
  /** Deliveries whose stored bytes have changed: the first hundred that were read or found. */
  z.strictObject({ kind: z.literal('altered'), ids: z.array(id) }),
  /** A spill journal of 0.1: its deliveries stay in it until the next start that can read it. */
  z.strictObject({ kind: z.literal('journal'), path: z.string(), reason: z.string() }),
])
export type LogProblem = Of<typeof logProblem>

/** What was read again and compared with its checksum. */
const verification = z.strictObject({
  /** What SQLite finds wrong with captured.db; null when nothing. */
  database: z.string().nullable(),
  /** Deliveries, those in the trash included, and pieces of large bodies. */
  checked: count,
  /** Of these, stored by a version that kept no checksum. */
  unproved: count,
  altered: z.array(id),
  /** Records in the log. */
  records: count,
  /** Records that cannot be read, by their positions, both included. */
  damaged: z.array(z.tuple([count, count])),
})
export type Verification = Of<typeof verification>

const hostStatus = z.strictObject({
  receiver: receiverState,
  store: z.strictObject({
    state: storeState,
    path: z.string(),
    /** The system's words for a state other than ok. */
    reason: z.string().nullable(),
    incidents: z.array(incident),
    /** The newest hundred. */
    logProblems: z.array(logProblem),
  }),
  counts: z.strictObject({
    /** Deliveries in the store, rejected ones included. */
    stored: count,
    today: count,
    rejected: count,
    /** Rejected deliveries that fell out of their ring, ever. */
    rejectedEvicted: count,
    /** Malformed deliveries that are not rejected, and those of them that fell out of their ring, ever. */
    malformed: count,
    malformedEvicted: count,
    /** Deleted because the store passed its budget, ever. */
    budgetDeleted: count,
    unjudged: count,
    /** Received and kept, and not in the database yet; none of the others counts them. */
    unfiled: count,
    /** Deleted, and still to be restored; none of the others counts them. */
    trashed: count,
  }),
  /** Fault rules in force: answers are not what the endpoints say. */
  faults: z.array(fault),
  /** Deliveries per second over the last five seconds. */
  rate: z.number(),
  disk: z.strictObject({
    usedBytes: count,
    budgetBytes: count,
    overBudget: z.enum(OVER_BUDGET),
    /** Bytes that the rings of rejected and malformed deliveries hold. */
    rejectedBytes: count,
    malformedBytes: count,
    /** Of `usedBytes`, headers and bodies that lie in the trash. */
    trashBytes: count,
    /** That the log takes; `usedBytes` has what is beyond its two segments. */
    logBytes: count,
    /** Free space of the volume; null when the system does not say. */
    freeBytes: z.number().nullable(),
  }),
})
export type HostStatus = Of<typeof hostStatus>

export type CoverageState = (typeof COVERAGE_STATES)[number]
/** A stretch of time with one state. Stretches neither overlap nor leave holes. */
export const coverageSpan = z.strictObject({
  state: z.enum(COVERAGE_STATES),
  from: epochMs,
  to: epochMs,
})
export type CoverageSpan = Of<typeof coverageSpan>

export const statusCommands = {
  'app.info': defineCommand(
    'Version, data folder, and what the host can do.',
    nothing,
    z.strictObject({ version: z.string(), dataDir: z.string(), capabilities }),
  ),
  'status.get': defineCommand('How the receiver, the store and the disk are.', nothing, hostStatus),
  'receiver.start': defineCommand(
    'Starts listening, at another address when one is given (Acuse keeps it). A taken port is no refusal: the status says so.',
    z.strictObject({
      host: z.string().min(1).max(255).exactOptional(),
      port: z.int().min(0).max(65_535).exactOptional(),
    }),
    hostStatus,
  ),
  'receiver.stop': defineCommand('Stops listening.', nothing, hostStatus),
  'coverage.list': defineCommand(
    'When the receiver was listening, and why not, between two instants in milliseconds. Before its first start it was off.',
    z.strictObject({ from: instant, to: instant }),
    z.strictObject({ spans: z.array(coverageSpan) }),
  ),
  'store.salvage': defineCommand(
    'Brings back what can be read of a database set aside; the status shows progress.',
    z.strictObject({ at: instant }),
    z.strictObject({ recovered: count }),
  ),
  'store.verify': defineCommand(
    'Reads everything in the log and in the database again, and says what is not as it was stored.',
    nothing,
    verification,
  ),
  'ui.link': defineCommand(
    'A fresh one-time link to the window; `not-available` where the host serves no browser.',
    nothing,
    z.strictObject({ url: z.string() }),
  ),
}
