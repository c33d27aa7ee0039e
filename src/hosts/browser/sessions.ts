import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A start link that nobody opened is worthless after this time. */
const TOKEN_LIFE_MS = 10 * 60_000
/** More links than this are nobody's intention; the oldest is forgotten. */
const TOKENS_KEPT = 100

interface Token {
  readonly digest: Buffer
  readonly expires: number
}

/** One-time tokens of start links, and the sessions that they opened. Only digests are kept; all end with the process. */
export class Sessions {
  readonly #now: () => number
  #tokens: readonly Token[] = []
  readonly #sessions = new Set<string>()

  /** @param now milliseconds on any steady clock */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** @returns a fresh token of 256 bits, base64url; several may be outstanding */
  newToken(): string {
    const value = randomBytes(32).toString('base64url')
    const token = { digest: digest(value), expires: this.#now() + TOKEN_LIFE_MS }
    this.#tokens = [...this.#fresh().slice(1 - TOKENS_KEPT), token]
    return value
  }

  /**
   * Trades a token for a session, once.
   * @returns the session id for the cookie; undefined when the token is unknown, used or too old
   */
  redeem(token: string): string | undefined {
    const presented = digest(token)
    // Every outstanding token is compared in full: the time taken says nothing about how near a guess came.
    const left = this.#fresh().filter((known) => !timingSafeEqual(known.digest, presented))
    const found = left.length < this.#fresh().length
    this.#tokens = left
    if (!found) return undefined
    const id = randomBytes(32).toString('base64url')
    this.#sessions.add(digest(id).toString('hex'))
    return id
  }

  knows(id: string): boolean {
    return this.#sessions.has(digest(id).toString('hex'))
  }

  #fresh(): readonly Token[] {
    return this.#tokens.filter((token) => token.expires > this.#now())
  }
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
