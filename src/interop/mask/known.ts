/** Shorter values occur everywhere by chance. */
export const LEAST_KNOWN = 4
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
const BEGINS_AS_WORD = /^[\p{L}\p{N}]/u

/** Values found under a name to mask, which the same delivery may have elsewhere under another. Each has a kind. */
export class KnownValues<Kind> {
  readonly #kinds = new Map<string, Kind>()
  /** Lengths of the values, the longest first, by their first characters. */
  readonly #lengths = new Map<string, number[]>()

  add(value: string, kind: Kind): void {
    const plain = value.trim()
    if (plain.length < LEAST_KNOWN || /^(?:true|false|null)$/.test(plain)) return
    for (const form of [plain, encodeURIComponent(plain.toWellFormed()), latin1Of(plain)]) {
      this.#kinds.set(form, kind)
      const start = form.slice(0, LEAST_KNOWN)
      const lengths = this.#lengths.get(start) ?? []
      if (!lengths.includes(form.length))
        this.#lengths.set(
          start,
          [...lengths, form.length].sort((a, b) => b - a),
        )
    }
  }

  has(value: string): boolean {
    return this.#kinds.has(value)
  }

  /**
   * Replaces the values that stand as words of their own, the longest first, since a name may begin with another one. In time of the
   * text's length, because a sender chooses how many there are: a pattern of all of them takes long to compile, and to match.
   */
  replace(text: string, token: (value: string, kind: Kind) => string): string {
    if (this.#kinds.size === 0) return text
    if (this.#kinds.size < text.length && !this.#repeats(text)) return text
    let written = ''
    let from = 0
    for (let at = 0; at + LEAST_KNOWN <= text.length; at++) {
      const lengths = this.#lengths.get(text.slice(at, at + LEAST_KNOWN))
      if (!lengths || ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) continue
      for (const length of lengths) {
        const value = text.slice(at, at + length)
        const kind = this.#kinds.get(value)
        if (kind === undefined || BEGINS_AS_WORD.test(text.slice(at + length, at + length + 2))) continue
        written += text.slice(from, at) + token(value, kind)
        from = at + length
        at = from - 1
        break
      }
    }
    return written + text.slice(from)
  }

  #repeats(text: string): boolean {
    for (const value of this.#kinds.keys()) if (text.includes(value)) return true
    return false
  }
}

/** The value's UTF-8 bytes as they look in a header, which is Latin-1. */
const latin1Of = (value: string): string => Buffer.from(value).toString('latin1')
