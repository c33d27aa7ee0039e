/** Sizes in bytes. */
export const SIZES = {
  /** A head beyond this is answered 431. 3,000 custom headers of 300 bytes fit (readings, Delivery: no bound is stated). */
  maxHead: 1_048_576,
  /** Bodies up to here stay in memory; longer ones go to the store in pieces of this size, the store's own chunk. */
  piece: 1_048_576,
  /** Kept of the body of a rejected delivery: its sender did not show the secret, so it may not fill the disk. A piece at most. */
  rejectedBody: 1_048_576,
  /** Kept of what is no whole request, and of a body beyond the limit. */
  keptHead: 65_536,
} as const

/** What heads may take of memory. An ordinary one takes a few KiB; parsed, a short line takes many times its bytes. */
export const HEADS = {
  /** Lines of a head beyond this are answered 431. */
  lines: 5_000,
  /** Counted for a line besides its bytes. */
  lineCost: 128,
  /** Every connection may take this much, however many there are. */
  free: 32_768,
  /** What heads take beyond that, all together. */
  room: 33_554_432,
  /** Milliseconds after which an unfinished head gives its share to another: an ordinary one comes at once. */
  ownMs: 1_000,
} as const

/** What bodies may take while they are gathered in memory, all together; beyond it they go to the store in small pieces. */
export const BODIES = { room: 16_777_216, smallPiece: 65_536 } as const

/** Durations in milliseconds. The sender never retries, so they are generous where waiting costs little. */
export interface ReceiverTimes {
  /** A head must be complete by then; slow heads hold a connection and nothing else. */
  readonly head: number
  /** Longest pause between two bytes of a body: a mobile or tunnelled link may stall for some seconds. */
  readonly bodyIdle: number
  /** The pause after which a body gives way to others: its place among the connections, and the time that it waited for us. */
  readonly bodyStalled: number
  /** A whole body: 100 MiB at 1.5 Mbit/s. Ends senders that drip just fast enough for `bodyIdle`. */
  readonly body: number
  /** An idle connection stays open longer than the pools of usual senders keep theirs (Go and cloudflared 90 s, .NET and most balancers 60 s): closing first races with a delivery that is never sent again. */
  readonly keepAlive: number
  /** How often the limits above are looked at: no connection is cut later than limit + this. */
  readonly check: number
  /** How long a body may follow an `Expect` that cannot be met before the 417 goes out. */
  readonly expectationBody: number
  /** After an answer that closes the connection: the sender may go on sending so long without a pause of `lingerIdle`. Closing at once would reset the connection and destroy the answer on its way. */
  readonly linger: number
  readonly lingerIdle: number
  /** The same after a 408: a sender that is slow has hardly anything on its way. */
  readonly lingerSlow: number
  /** A fault that never answers holds its connection so long, unless the sender leaves before. */
  readonly hang: number
  /** A sender that closes its sending half so soon after its request still waits for the answer. */
  readonly halfClose: number
  /** A forward's target has a time-out of its own, a minute at most; should nothing come by then either, the endpoint answers. */
  readonly target: number
  /** `stop` waits so long for what is in flight; the process must be gone within 5 s of SIGTERM. */
  readonly stop: number
}

export const TIMES: ReceiverTimes = {
  head: 15_000,
  bodyIdle: 30_000,
  bodyStalled: 5_000,
  body: 600_000,
  keepAlive: 120_000,
  check: 500,
  expectationBody: 1_000,
  linger: 30_000,
  lingerIdle: 2_000,
  lingerSlow: 250,
  hang: 600_000,
  halfClose: 1_000,
  target: 65_000,
  stop: 4_000,
}
