import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A start link that was not opened expires after this time. */
const TOKEN_LIFE_MS = 10 * 60_000
/** Beyond it the oldest link is dropped; no user needs more. */
const TOKENS_KEPT = 100

interface Token {
  readonly digest: Buffer
  readonly expires: number
}

/**
 * One-time tokens of start links, and the keys of their sessions. Memory holds only digests, and all end with the process.
 *
 * A session belongs to the origin of our page instead of a cookie: browsers send a cookie to every port of a host, so any server on
 * another port of 127.0.0.1 would get it. The token travels in the link's fragment, which no server, log or Referer sees. The page
 * removes it from the address first, trades it once for the key, and keeps the key in localStorage, which no other port can read: a
 * reload, a second tab and a restarted browser find it there. The key goes back in the header X-Acuse and, for the pushes, as a
 * WebSocket subprotocol; no link, form, frame or image can send either. Everything except the page's own files needs the key.
 * Only one host name serves the page: `localhost` may lead to another user's server on [::1], which could read the key there.
 */
export class Sessions {
  readonly #now: () => number
  #tokens: readonly Token[] = []
  readonly #sessions = new Set<string>()

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

  /** Trades a token for a session's key, once. @returns undefined when the token is unknown, used or too old */
  redeem(token: string): string | undefined {
    const presented = digest(token)
    // Compares with every outstanding token in constant time, so that the duration reveals nothing about a guess.
    const left = this.#fresh().filter((known) => !timingSafeEqual(known.digest, presented))
    const found = left.length < this.#fresh().length
    this.#tokens = left
    if (!found) return undefined
    const key = randomBytes(32).toString('base64url')
    this.#sessions.add(digest(key).toString('hex'))
    return key
  }

  knows(key: string): boolean {
    return this.#sessions.has(digest(key).toString('hex'))
  }

  #fresh(): readonly Token[] {
    return this.#tokens.filter((token) => token.expires > this.#now())
  }
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
