import { z } from 'zod'
import { fault } from './faults.ts'
import { count, defineCommand, defineReading, epochMs, id, instant, nothing, type Of } from './params.ts'
import { sessionInfo } from './session.ts'
import { COVERAGE_STATES, OVER_BUDGET } from './values.ts'

/** What a host can do; callers check these instead of the platform. */
const capabilities = z.strictObject({
  /** Secrets are in the operating system's store; false: in a file with mode 0600 in the data folder. */
  osSecretStore: z.boolean(),
  /** The system's store exists but does not protect ("basic_text" on Linux), so the user must be told. */
  weakSecretStore: z.boolean(),
  /** The host has a native window (menu, tray, notifications). */
  nativeWindow: z.boolean(),
  /** `ui.link` can create a one-time link for a browser. */
  uiLinks: z.boolean(),
})
export type Capabilities = Of<typeof capabilities>

/** Why the receiver could not listen. The window and the command line phrase it; `message` is the system's own text. */
const listenFailure = z.strictObject({
  code: z.enum(['port-in-use', 'no-permission', 'bad-address', 'bad-certificate', 'failed']),
  host: z.string(),
  port: count,
  message: z.string(),
  /** The next port that was free when tried; null when none was found. */
  nextFreePort: count.nullable(),
})
export type ListenFailure = Of<typeof listenFailure>

const certificateInfo = z.strictObject({
  source: z.enum(['generated', 'files']),
  /** SHA-256 as colon-separated hexadecimal pairs, as openssl prints it. */
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
    /** Connections refused since listening began because too many were open. Absent: none. */
    refused: count.exactOptional(),
  }),
  z.strictObject({ state: z.literal('failed'), failure: listenFailure }),
])
export type ReceiverState = Of<typeof receiverState>

/**
 * `ok`: deliveries are logged and filed in the database. `behind`: the database fails; deliveries stay in the log and are filed later.
 * `refusing`: the log cannot be written; every delivery is answered 503 and so lost.
 */
const storeState = z.enum(['ok', 'behind', 'refusing'])
export type StoreState = Of<typeof storeState>

/** The database became unusable; Acuse never deletes any of its files. */
const incident = z.strictObject({
  at: epochMs,
  /** `missing`: empty or absent although deliveries had been stored. `moved`: another program removed or replaced its files. */
  kind: z.enum(['damaged', 'missing', 'moved']),
  reason: z.string(),
  /** Absolute paths of the files set aside; empty when none were left. */
  setAside: z.array(z.string()),
  /** Path of the new database. */
  fresh: z.string(),
  /** `none`: no readable file was set aside. */
  salvage: z.enum(['offered', 'running', 'done', 'failed', 'none']),
  recovered: count,
})
export type Incident = Of<typeof incident>

/** A part of the log that did not reach the database, found since this process began. */
const logProblem = z.discriminatedUnion('kind', [
  /** Unreadable bytes at the end: a write that a crash cut short. No sender got an answer for it, unless the disk changed it afterwards. */
  z.strictObject({ kind: z.literal('unfinished'), bytes: count }),
  /** Ids that are given to no further delivery: another program cut the log, and with it perhaps deliveries of these ids. */
  z.strictObject({ kind: z.literal('cut'), from: id, to: id }),
  /** Positions of records in the last write before a crash. No sender got an answer for them, unless the disk lost them afterwards. */
  z.strictObject({ kind: z.literal('partial'), from: count, to: count }),
  /** Positions of unreadable records; the deliveries in them are lost. */
  z.strictObject({ kind: z.literal('damaged'), from: count, to: count }),
  /** The database rejects the delivery because of its content. */
  z.strictObject({ kind: z.literal('refused'), id, reason: z.string() }),
  /** Deliveries whose stored bytes no longer match their checksum: the first hundred found. */
  z.strictObject({ kind: z.literal('altered'), ids: z.array(id) }),
  /** A spill journal of version 0.1. Its deliveries stay in it until a start that can read it. */
  z.strictObject({ kind: z.literal('journal'), path: z.string(), reason: z.string() }),
])
export type LogProblem = Of<typeof logProblem>

/** Result of reading everything again and comparing it with its checksums. */
const verification = z.strictObject({
  /** What SQLite reports as wrong with the databases; null when nothing. With damage of captured.db nothing else is read. */
  database: z.string().nullable(),
  /** Deliveries (including trashed ones) and pieces of large bodies. */
  checked: count,
  /** Of these, the ones stored by a version without checksums. */
  unproved: count,
  altered: z.array(id),
  /** Number of records in the log. */
  records: count,
  /** Positions of unreadable records, as ranges with both ends included. */
  damaged: z.array(z.tuple([count, count])),
})
export type Verification = Of<typeof verification>

/** Work that must happen once among the followers of a shared log. */
const sharedWork = z.strictObject({
  kind: z.enum(['forward', 'alert', 'sweep']),
  name: z.string(),
  /** URL or program; of a sweep, the address of its connection. */
  destination: z.string(),
  /** Name of the follower that does it now; null while none does. */
  holder: z.string().nullable(),
  /** Deliveries that a follower began to forward without recording their end. They are not sent again. */
  uncertain: count,
})
export type SharedWork = Of<typeof sharedWork>

const hostStatus = z.strictObject({
  receiver: receiverState,
  store: z.strictObject({
    state: storeState,
    path: z.string(),
    /** The system's message for a state other than `ok`. */
    reason: z.string().nullable(),
    incidents: z.array(incident),
    /** The newest hundred. */
    logProblems: z.array(logProblem),
  }),
  counts: z.strictObject({
    /** Deliveries in the store, including rejected ones. */
    stored: count,
    today: count,
    rejected: count,
    /** Rejected deliveries ever evicted from their ring. */
    rejectedEvicted: count,
    /** Malformed deliveries that are not rejected, and the number of them ever evicted from their ring. */
    malformed: count,
    malformedEvicted: count,
    /** Deliveries ever deleted because the store exceeded its budget. */
    budgetDeleted: count,
    unjudged: count,
    /** Deliveries in the log that are not yet in the database; no other count includes them. */
    unfiled: count,
    /** Trashed deliveries that can still be restored; no other count includes them. */
    trashed: count,
  }),
  /** The shared log that this host follows, without a password, and why it cannot be followed now. Absent: it follows none. */
  following: z
    .strictObject({
      log: z.string(),
      reason: z.string().nullable(),
      work: z.array(sharedWork),
      /** Why this host takes no part in the work; null when it does. */
      workReason: z.string().nullable(),
    })
    .exactOptional(),
  /** Active fault rules, which change the endpoints' answers. */
  faults: z.array(fault),
  /** Names of the alerts whose last message could not be sent. Absent: none. */
  alertsFailing: z.array(z.string()).exactOptional(),
  /** Deliveries per second over the last five seconds. */
  rate: z.number(),
  disk: z.strictObject({
    usedBytes: count,
    budgetBytes: count,
    overBudget: z.enum(OVER_BUDGET),
    /** Bytes in the rings of rejected and malformed deliveries. */
    rejectedBytes: count,
    malformedBytes: count,
    /** Bytes of trashed headers and bodies, included in `usedBytes`. */
    trashBytes: count,
    /** Size of the log; `usedBytes` includes only the part beyond its two segments. */
    logBytes: count,
    /** Free space of the volume; null when the system does not report it. */
    freeBytes: z.number().nullable(),
  }),
})
export type HostStatus = Of<typeof hostStatus>

export type CoverageState = (typeof COVERAGE_STATES)[number]
/** A time span with one state. Spans neither overlap nor leave gaps. */
export const coverageSpan = z.strictObject({
  state: z.enum(COVERAGE_STATES),
  from: epochMs,
  to: epochMs,
  /** In a folder that follows a shared log: names of the receivers that listened. */
  receivers: z.array(z.string()).exactOptional(),
})
export type CoverageSpan = Of<typeof coverageSpan>

export const statusCommands = {
  'app.info': defineReading(
    'Version, data folder, and what the host can do.',
    nothing,
    z.strictObject({
      version: z.string(),
      dataDir: z.string(),
      capabilities,
      /** Origin of the Acuse elsewhere whose data this host shows; absent: its own. */
      attachedTo: z.string().exactOptional(),
      /** The session file that is open, read-only; absent: the data of this user. */
      session: sessionInfo.exactOptional(),
    }),
  ),
  'status.get': defineReading('How the receiver, the store and the disk are.', nothing, hostStatus),
  'receiver.start': defineCommand(
    'Starts listening, at another address when one is given (Acuse keeps it). A port in use is not an error: the status reports it.',
    z.strictObject({
      host: z.string().min(1).max(255).exactOptional(),
      port: z.int().min(0).max(65_535).exactOptional(),
    }),
    hostStatus,
  ),
  'receiver.stop': defineCommand('Stops listening.', nothing, hostStatus),
  'coverage.list': defineReading(
    'When the receiver was listening, and why not, between two instants in milliseconds. Before its first start it was off.',
    z.strictObject({ from: instant, to: instant }),
    z.strictObject({ spans: z.array(coverageSpan) }),
  ),
  'store.salvage': defineCommand(
    'Brings back what can be read of a database set aside; the status shows progress.',
    z.strictObject({ at: instant }),
    z.strictObject({ recovered: count }),
  ),
  'store.verify': defineReading(
    'Reads everything in the log and in the database again, and says what is not as it was stored.',
    nothing,
    verification,
  ),
  'ui.link': defineReading(
    'A fresh one-time link to the window; `not-available` where the host serves no browser.',
    nothing,
    z.strictObject({ url: z.string() }),
  ),
}
