import type { Fault } from './faults.ts'
import type { OverBudget } from './settings.ts'

/** Why the receiver could not take its address. The sentence is the edge's; `message` is the system's own words. */
export interface ListenFailure {
  readonly code: 'port-in-use' | 'no-permission' | 'bad-address' | 'bad-certificate' | 'failed'
  readonly host: string
  readonly port: number
  readonly message: string
  /** The next port that was free when it was tried; null when none was found. */
  readonly nextFreePort: number | null
}

/** The certificate that the receiver shows to senders. */
export interface CertificateInfo {
  readonly source: 'generated' | 'files'
  /** SHA-256 in pairs of hexadecimal digits with colons, as openssl prints it. */
  readonly fingerprint: string
  /** Host names and IP addresses that it is for. */
  readonly names: readonly string[]
  /** Milliseconds since the epoch. */
  readonly validFrom: number
  readonly validTo: number
}

export type ReceiverState =
  | { readonly state: 'off' | 'starting' }
  | {
      readonly state: 'listening'
      readonly url: string
      readonly host: string
      readonly port: number
      /** Absent over plain HTTP. */
      readonly tls?: CertificateInfo
      /** Connections refused since it listens, because too many were open. Absent: none. */
      readonly refused?: number
    }
  | { readonly state: 'failed'; readonly failure: ListenFailure }

/**
 * `ok`: deliveries go to the database. `spilling`: the database fails, deliveries go to the fsynced journal beside it.
 * `refusing`: neither can take them; every delivery is answered 503 and lost to the service.
 */
export type StoreState = 'ok' | 'spilling' | 'refusing'

/** The database could not be used any more; nothing of it is ever deleted by Acuse. */
export interface Incident {
  /** Milliseconds since the epoch. */
  readonly at: number
  /**
   * `damaged`: its content could not be used. `missing`: it was empty or not there, although deliveries had been stored. `moved`: another
   * program removed or replaced its files while Acuse ran, and it was written anew from what was still open.
   */
  readonly kind: 'damaged' | 'missing' | 'moved'
  readonly reason: string
  /** The files set aside, as absolute paths; none when none was left. */
  readonly setAside: readonly string[]
  /** The database that took over. */
  readonly fresh: string
  /** `none`: nothing was set aside that could be read. */
  readonly salvage: 'offered' | 'running' | 'done' | 'failed' | 'none'
  /** Deliveries brought back by salvage. */
  readonly recovered: number
}

export interface HostStatus {
  readonly receiver: ReceiverState
  readonly store: {
    readonly state: StoreState
    readonly path: string
    /** The system's words for a state other than ok. */
    readonly reason: string | null
    readonly incidents: readonly Incident[]
  }
  readonly counts: {
    /** Deliveries in the store, rejected ones included. */
    readonly stored: number
    readonly today: number
    readonly rejected: number
    /** Rejected deliveries that fell out of their ring, ever. */
    readonly rejectedEvicted: number
    /** Malformed deliveries that are not rejected, and those of them that fell out of their ring, ever. */
    readonly malformed: number
    readonly malformedEvicted: number
    /** Deleted because the store passed its budget, ever. */
    readonly budgetDeleted: number
    /** Stored but not analysed yet. */
    readonly unjudged: number
    /** Waiting in the spill journal. */
    readonly spilled: number
    /** Deleted, and still to be restored; none of the others counts them. */
    readonly trashed: number
  }
  /** Fault rules in force: answers are not what the endpoints say. */
  readonly faults: readonly Fault[]
  /** Deliveries per second over the last five seconds. */
  readonly rate: number
  readonly disk: {
    readonly usedBytes: number
    readonly budgetBytes: number
    readonly overBudget: OverBudget
    /** Bytes that the rings of rejected and malformed deliveries hold. */
    readonly rejectedBytes: number
    readonly malformedBytes: number
    /** Of `usedBytes`, headers and bodies that lie in the trash. */
    readonly trashBytes: number
    /** Free space of the volume; null when the system does not say. */
    readonly freeBytes: number | null
  }
}

export const COVERAGE_STATES = ['listening', 'off', 'asleep', 'port-lost', 'starting'] as const
export type CoverageState = (typeof COVERAGE_STATES)[number]

/** A stretch of time with one state; times in milliseconds since the epoch. Stretches neither overlap nor leave holes. */
export interface CoverageSpan {
  readonly state: CoverageState
  readonly from: number
  readonly to: number
}
