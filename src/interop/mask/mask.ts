import type { DeliveryDetail, Finding, Header } from '#contract/delivery.ts'
import { bytesOf, exactText } from '#core/copy/copy.ts'
import { decodeText } from '#core/json/decode.ts'
import { lastName } from '#core/json/pointer.ts'
import type { BodyState, ExportedDelivery, MaskedDelivery } from '../records.ts'
import { type MaskKind, Scrubber } from './scrub.ts'

export interface MaskedPlace {
  readonly kind: MaskKind
  /** Where the values stood: `header Authorization`, `field CustomerName`, `e-mail address`. */
  readonly place: string
  readonly values: number
}

export interface MaskOptions {
  /** Names of credentials, from `maskedNamesOf`. */
  readonly names: readonly string[]
  readonly kinds: readonly MaskKind[]
  /** Whether the bodies are needed; default: they are. Without, they stay unmasked. */
  readonly bodies?: boolean
}

/** Larger bodies are left out instead of masked, since masking needs them whole, as text. */
const MOST_MASKED = 32 * 1024 * 1024

/** The one stage between the store and every format of export. */
export class Mask {
  readonly #scrubber: Scrubber
  readonly #places = new Map<string, { kind: MaskKind; place: string; values: number }>()
  readonly #kinds: readonly MaskKind[]
  readonly #idle: boolean
  readonly #bodies: boolean

  constructor({ names, kinds, bodies = true }: MaskOptions) {
    this.#kinds = kinds
    this.#idle = kinds.length === 0
    this.#bodies = bodies
    this.#scrubber = new Scrubber(names, kinds, (kind, place) => {
      const known = this.#places.get(`${kind} ${place}`) ?? { kind, place, values: 0 }
      known.values += 1
      this.#places.set(`${kind} ${place}`, known)
    })
  }

  /** What was masked so far, most values first. */
  get places(): readonly MaskedPlace[] {
    return [...this.#places.values()].sort((a, b) => b.values - a.values)
  }

  apply(delivery: ExportedDelivery): MaskedDelivery {
    if (this.#idle) return { ...delivery, bodyState: 'as-received' }
    this.#learn(delivery)
    const { malformed, headers, codings } = delivery.detail
    const headless = malformed !== null && headers.length === 0
    const { body, state } = this.#body(delivery, headless, codings.length > 0)
    const detail = this.#detail(delivery.detail, body, state)
    return { detail, body, decoded: state === 'as-received' ? delivery.decoded : body, bodyState: state }
  }

  /** Masks a text about the delivery that `apply` masked last. */
  text(text: string): string {
    return this.#idle ? text : this.#scrubber.body(text)
  }

  /** Masks a text about no delivery. */
  apart(text: string): string {
    if (this.#idle) return text
    this.#scrubber.begin()
    this.#scrubber.learn(text)
    return this.#scrubber.body(text)
  }

  /**
   * Masks a request or an answer about the delivery that `apply` masked last. A body that cannot be read is left out.
   * @param secret names of further headers with credentials, in lower case
   */
  message(
    message: Pick<ExportedDelivery, 'body' | 'decoded'> & { readonly headers: readonly Header[] },
    secret: ReadonlySet<string>,
  ): { readonly headers: readonly Header[]; readonly body: Uint8Array } {
    if (this.#idle) return message
    const kindOf = (name: string) => {
      const hidden = secret.has(name.toLowerCase()) && this.#kinds.includes('credential')
      return hidden ? 'credential' : this.#scrubber.kindOf(name)
    }
    for (const { name, value } of message.headers) {
      const kind = kindOf(name)
      // The answer may repeat it.
      if (kind !== null) this.#scrubber.know(value, kind)
    }
    this.#learnBody(message.decoded)
    const { body, state } = this.#body(message, false, message.decoded !== message.body)
    const headers = message.headers.map(({ name, value }) => ({
      name,
      value:
        kindOf(name) === 'credential'
          ? this.#scrubber.token(value, 'credential', `header ${name}`)
          : this.#scrubber.header(name, value),
      masked: false,
    }))
    return { headers: framed(headers, body, state), body }
  }

  /** Values under a name to mask, which the delivery may repeat under another. */
  #learn({ detail, decoded }: ExportedDelivery): void {
    const scrubber = this.#scrubber
    scrubber.begin()
    for (const { name, value } of [
      ...detail.headers,
      ...detail.trailers,
      ...(detail.answered?.headers ?? []),
    ]) {
      const kind = scrubber.kindOf(name)
      if (kind === null) continue
      scrubber.know(value, kind)
      for (const part of value.split(/[\s;,]+/)) scrubber.know(part.replace(/^[\w-]+=/, ''), kind)
    }
    for (const [name, value] of new URLSearchParams(detail.url.split('?').slice(1).join('?'))) {
      const kind = scrubber.kindOf(name)
      if (kind !== null) scrubber.know(value, kind)
    }
    if (detail.document?.party) scrubber.know(detail.document.party, 'personal')
    this.#learnBody(decoded)
  }

  #learnBody(decoded: Uint8Array | null): void {
    if (decoded === null || decoded.length > MOST_MASKED) return
    const { text, encoding } = readable(decoded)
    if (encoding !== 'latin1') this.#scrubber.learn(text)
  }

  #body(
    { body, decoded }: Pick<ExportedDelivery, 'body' | 'decoded'>,
    headless: boolean,
    coded: boolean,
  ): { body: Uint8Array; state: BodyState } {
    if (body.length === 0 || !this.#bodies) return { body, state: 'as-received' }
    if (decoded === null || decoded.length > MOST_MASKED) return { body: new Uint8Array(), state: 'left-out' }
    const { text, encoding } = readable(decoded)
    const masked = headless ? this.#scrubber.head(text) : this.#scrubber.body(text)
    if (masked === text) return { body, state: 'as-received' }
    return { body: written(masked, encoding), state: coded ? 'decoded' : 'masked' }
  }

  #detail(detail: DeliveryDetail, body: Uint8Array, state: BodyState): DeliveryDetail {
    const text = (value: string) => this.#scrubber.text(value)
    const textOrNull = (value: string | null) => (value === null ? null : text(value))
    const answer = detail.answered && readable(bytesOf(detail.answered.bodyBase64))
    return {
      ...detail,
      url: this.#scrubber.target(detail.url),
      event: textOrNull(detail.event),
      documentId: textOrNull(detail.documentId),
      number: textOrNull(detail.number),
      tags: detail.tags.map(text),
      headers: framed(this.#headers(detail.headers), body, state),
      trailers: this.#headers(detail.trailers),
      document: detail.document && { ...detail.document, party: this.#party(detail.document.party) },
      noteText: detail.noteText && {
        ...detail.noteText,
        author: null,
        text: this.#scrubber.body(detail.noteText.text),
      },
      findingList: detail.findingList.map((one) => this.#finding(one)),
      answered: detail.answered &&
        answer && {
          headers: this.#headers(detail.answered.headers),
          bodyBase64: written(this.#scrubber.body(answer.text), answer.encoding).toString('base64'),
        },
      ...(state === 'as-received' ? {} : { size: body.length, bodyKept: body.length, codings: [] }),
    }
  }

  #headers(headers: readonly Header[]): readonly Header[] {
    return headers.map(({ name, value }) => ({
      name,
      value: this.#scrubber.header(name, value),
      masked: false,
    }))
  }

  #party(party: string | null): string | null {
    return party === null || this.#scrubber.kindOf('CustomerName') === null
      ? party
      : this.#scrubber.token(party, 'personal', 'field party')
  }

  /** A finding quotes the value, shortened. */
  #finding(finding: Finding): Finding {
    const kind = this.#scrubber.kindOf(lastName(finding.pointer))
    const params = Object.entries(finding.params).map(([name, value]) => {
      if (typeof value === 'number') return [name, value]
      const quoted = kind !== null && name === 'found'
      return [name, quoted ? this.#scrubber.token(value, kind, 'finding') : this.#scrubber.text(value)]
    })
    return { ...finding, params: Object.fromEntries(params) }
  }
}

/** A body as text. Bytes in no known encoding are read as Latin-1, which keeps them all. */
function readable(bytes: Uint8Array): {
  readonly text: string
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1'
} {
  const text = exactText(bytes)
  if (text !== null) return { text, encoding: 'utf8' }
  const decoded = decodeText(bytes)
  const buffer = Buffer.from(bytes)
  const wide = 'encoding' in decoded ? WIDE.get(decoded.encoding) : undefined
  if (wide && bytes.length % 2 === 0) {
    const units = (wide === 'utf16be' ? buffer.swap16() : buffer).toString('utf16le')
    // Any even bytes are units of some script: text of this service is mostly ASCII.
    const ascii = units.replace(/[^\t\n\r -~]/g, '').length
    if (units.isWellFormed() && ascii * 2 > units.length) return { text: units, encoding: wide }
  }
  return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin1' }
}

const WIDE: ReadonlyMap<string, 'utf16le' | 'utf16be'> = new Map([
  ['UTF-16LE', 'utf16le'],
  ['UTF-16BE', 'utf16be'],
])

const written = (text: string, encoding: ReturnType<typeof readable>['encoding']): Buffer =>
  encoding === 'utf16be' ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, encoding)

/** Makes the headers fit the written body: without a coding that is removed, and with its length. */
function framed(headers: readonly Header[], body: Uint8Array, state: BodyState): readonly Header[] {
  if (state === 'as-received') return headers
  return headers
    .filter(({ name }) => state !== 'decoded' || name.toLowerCase() !== 'content-encoding')
    .map((one) =>
      one.name.toLowerCase() === 'content-length' ? { ...one, value: String(body.length) } : one,
    )
}
