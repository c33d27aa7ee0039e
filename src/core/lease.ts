/** Names work that must happen once among all hosts with the same rule: a forward to a target, an alert, a scheduled sweep. */
export interface WorkKey {
  readonly kind: 'forward' | 'alert' | 'sweep'
  readonly name: string
  readonly destination: string
}

/** What earlier holders left. */
export interface TakenWork {
  /** Deliveries up to this id have ended. */
  readonly upto: number
  /** Later deliveries that were started already, of which `uncertain` have no known end since the last holder. */
  readonly started: readonly number[]
  readonly uncertain: readonly number[]
  readonly memory: unknown
  /** Whether this host kept it. */
  readonly own: boolean
  /** When a holder last kept the memory, milliseconds since the epoch. */
  readonly keptAt: number
}

export interface WantedWork extends WorkKey {
  /** The part of this host that does it; another part takes the work anew. */
  readonly by: object
  /** False while something of an earlier lease has not ended; then it is neither taken nor given to others. */
  ready?(): boolean
  /** The id after which work begins that no host did before. `fresh`: also after a time in which none did it. */
  begin?(): { readonly after: number; readonly fresh: boolean }
  taken(left: TakenWork): void
  lost(): void
  /** Deliveries up to this id have ended; asked while it is held. */
  reached?(): number
  /** A holder kept this memory. @param own whether it was this host */
  kept?(memory: unknown, own: boolean): void
}

export interface Leases {
  /** Replaces the works of a kind that this host would do. */
  want(kind: WorkKey['kind'], works: readonly WantedWork[]): void
  /** Whether this host may do the work at this moment. */
  holds(work: WorkKey): boolean
  /** Records that deliveries are about to be sent. @throws when that is not certain; then none may be sent, and `ended` must tell it */
  start(deliveries: readonly { readonly work: WorkKey; readonly id: number }[]): Promise<void>
  /** @param sent false when the delivery is still to be sent */
  ended(work: WorkKey, id: number, sent: boolean): void
  /** Keeps the state of a work for its next holder. @throws when the lease is over */
  keep(work: WorkKey, memory: unknown): Promise<void>
  close(): Promise<void>
}

/** The leases of a machine without others: it has all of them, at all times. */
export const ALONE: Leases = {
  want() {},
  holds: () => true,
  async start() {},
  ended() {},
  async keep() {},
  async close() {},
}
