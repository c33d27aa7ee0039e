/** Sizes in bytes. */
export const SIZES = {
  /** Larger heads get a 431. 3,000 custom headers of 300 bytes fit (readings, Delivery: no bound is stated). */
  maxHead: 1_048_576,
  /** Bodies up to this size stay in memory; longer ones go to the store in pieces of this size, which is the store's chunk size. */
  piece: 1_048_576,
  /** Kept part of a rejected delivery's body: a sender without the secret must not fill the disk. At most a piece. */
  rejectedBody: 1_048_576,
  /** Memory of a request besides its body, until it is stored. As one connection may send thousands at once, the store's pace limits them. */
  request: 1_024,
  /** Kept part of an incomplete request, and of a body beyond the limit. */
  keptHead: 65_536,
} as const

/** Limits of memory for heads. An ordinary head takes a few KiB; when parsed, a short line takes many times its bytes. */
export const HEADS = {
  /** Heads with more lines get a 431. */
  lines: 5_000,
  /** Bytes to count per line besides its content. */
  lineCost: 128,
  /** Bytes that every connection may use, whatever the number of connections. */
  free: 32_768,
  /** Bytes that all heads together may use beyond their free shares. */
  room: 33_554_432,
  /** Milliseconds after which an unfinished head must give its share to another: ordinary heads arrive at once. */
  ownMs: 1_000,
} as const

/** Bytes that all arriving bodies together may use in memory; beyond that they go to the store in small pieces. */
export const BODIES = { room: 16_777_216, smallPiece: 65_536 } as const

/** Durations in milliseconds. The sender never retries, so they are generous where waiting costs little. */
export interface ReceiverTimes {
  /** Limit for a complete head; slow heads occupy a connection and nothing else. */
  readonly head: number
  /** Longest pause within a body: a mobile or tunnelled link may stall for some seconds. */
  readonly bodyIdle: number
  /** Pause after which a body loses its connection's place to others; also the shortest pause after bytes waited for the receiver. */
  readonly bodyStalled: number
  /** Limit for a whole body: 100 MiB at 1.5 Mbit/s. Ends senders that drip just fast enough for `bodyIdle`. */
  readonly body: number
  /** Longer than senders' pools keep idle connections (Go, cloudflared 90 s; .NET, most balancers 60 s): closing first may lose one. */
  readonly keepAlive: number
  /** Interval of checking the limits above: no connection is cut later than limit + this. */
  readonly check: number
  /** How long to wait for a body after an `Expect` that cannot be met, before the 417. */
  readonly expectationBody: number
  /** How long a sender may go on after a closing answer, without a pause of `lingerIdle`: an immediate close would lose the answer. */
  readonly linger: number
  readonly lingerIdle: number
  /** The same after a 408: a slow sender has hardly any bytes in flight. */
  readonly lingerSlow: number
  /** How long a fault that never answers holds its connection, unless the sender leaves earlier. */
  readonly hang: number
  /** A sender that closes its sending half within this time after its request still waits for the answer. */
  readonly halfClose: number
  /** How long to wait for a forward's target before the endpoint answers. The target's own time-out is a minute at most. */
  readonly target: number
  /** How long `stop` waits for requests in flight; the process must end within 5 s of SIGTERM. */
  readonly stop: number
  /**
   * After this time without a byte, `stop` waits no longer for the rest of a request. Shorter would lose bodies of which a packet is sent again;
   * longer, and closing a crowd of such senders would not end in time.
   */
  readonly stopSilent: number
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
  stopSilent: 2_500,
}
