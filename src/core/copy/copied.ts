import type { DeliveryDetail, Header } from '#contract/delivery.ts'

/** A delivery that is to be written out. */
export interface Copied {
  /** Secrets masked already, unless they are wanted. */
  readonly detail: DeliveryDetail
  /** Null when it is too long to be written out. */
  readonly body: Uint8Array | null
}

/** @returns the text whose UTF-8 is these bytes; null when there is none that a program could be given */
export function exactText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return btoa(parts.join(''))
}

export const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/** A masked value is a description of it, never the value. */
const shown = ({ name, value, masked }: Header) => [name, masked ? `<masked: ${value}>` : value]

/** One delivery as an object in one line: its facts, headers in their order, and its body as text, or as base64 where it is none. */
export function jsonOf({ detail, body }: Copied): string {
  const text = body && exactText(body)
  return JSON.stringify({
    id: detail.id,
    receivedAt: new Date(detail.receivedAt / 1_000).toISOString(),
    endpoint: detail.endpoint,
    method: detail.method,
    url: detail.url,
    event: detail.event,
    documentId: detail.documentId,
    number: detail.number,
    statusId: detail.statusId,
    timestamp: detail.timestamp,
    verdict: detail.verdict,
    marks: detail.marks,
    rejected: detail.rejected,
    malformed: detail.malformed,
    answer: detail.answer,
    tookUs: detail.tookUs,
    size: detail.size,
    headers: detail.headers.map(shown),
    ...(detail.trailers.length > 0 ? { trailers: detail.trailers.map(shown) } : {}),
    ...(body === null
      ? { body: null, bodyLeftOut: `${detail.size} bytes are too many for a copy` }
      : text === null
        ? { bodyBase64: base64Of(body) }
        : { body: text }),
  })
}
