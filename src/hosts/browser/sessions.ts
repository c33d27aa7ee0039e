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
 * One-time tokens of start links, and the keys of the sessions that they opened. Only digests are kept; all end with the process.
 *
 * A session is bound to the origin of our page, not to a cookie: browsers send a cookie to every port of a host, so any server on
 * another port of 127.0.0.1 would get it. The token travels in the link's fragment, which no server, log or Referer sees. The page
 * takes it out of the address first, trades it once for the key and keeps the key in localStorage, which no other port can read: a
 * reload, a second tab and a restarted browser find it there. The key goes back in the header X-Acuse and, for the pushes, as a
 * WebSocket subprotocol; neither is ever sent by a link, form, frame or image. Everything but the page's own files needs the key.
 * The page sits under one name only: `localhost` may lead to another user's server on [::1], which could read the key there.
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
    // Every outstanding token is compared in full: the time taken says nothing about how near a guess came.
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
