import type { Edit } from '#contract/replay.ts'

/** Larger bodies are not edited here: a text field is no place for them. */
export const EDITED_MOST = 1024 * 1024

export type NotEditable = 'large' | 'binary' | 'coded' | 'lineEnds'
export type BodyDraft =
  | {
      readonly editable: true
      /** With LF only, as a text field gives it. */
      readonly original: string
      readonly text: string
      /** Lines ended with CR LF, and will again. */
      readonly crlf: boolean
    }
  | { readonly editable: false; readonly why: NotEditable }

/**
 * A body for a text field. What a field cannot give back byte for byte is not editable: bytes that are no UTF-8, a coding, and line
 * ends of several sorts, which every text field makes equal.
 * @param bytes the whole body; undefined when it is too large to be read
 */
export function bodyDraftOf(bytes: Uint8Array | undefined, codings: readonly string[]): BodyDraft {
  if (codings.length > 0) return { editable: false, why: 'coded' }
  if (bytes === undefined || bytes.length > EDITED_MOST) return { editable: false, why: 'large' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { editable: false, why: 'binary' }
  }
  if (text.includes('\0')) return { editable: false, why: 'binary' }
  if (!text.includes('\r')) return { editable: true, original: text, text, crlf: false }
  const plain = text.replaceAll('\r\n', '\n')
  if (plain.includes('\r') || plain.replaceAll('\n', '\r\n') !== text)
    return { editable: false, why: 'lineEnds' }
  return { editable: true, original: plain, text: plain, crlf: true }
}

export interface HeaderDraft {
  readonly key: number
  readonly name: string
  readonly value: string
  /** A secret: covered until it is looked at. */
  readonly secret: boolean
}

export interface EditDraft {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderDraft[]
  readonly body: BodyDraft
}

export type Part = 'body' | 'headers' | 'line'

const sameHeaders = (a: readonly HeaderDraft[], b: readonly HeaderDraft[]): boolean =>
  a.length === b.length && a.every((header, i) => header.name === b[i]?.name && header.value === b[i]?.value)

/** Parts that are not as they came. */
export function changedParts(draft: EditDraft, original: EditDraft): ReadonlySet<Part> {
  const changed = new Set<Part>()
  if (draft.body.editable && draft.body.text !== draft.body.original) changed.add('body')
  if (!sameHeaders(draft.headers, original.headers)) changed.add('headers')
  if (draft.method !== original.method || draft.url !== original.url) changed.add('line')
  return changed
}

export type EditError = 'method' | 'url' | `name-${number}` | `value-${number}`
/** CONNECT would open a tunnel. */
const METHOD = /^(?!connect$)[!#$%&'*+.^_`|~0-9a-z-]{1,40}$/i
const URL_TARGET = /^\/[\x21-\x22\x24-\x7e]*$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** What the host would refuse. Only what was changed is judged: a delivery may have come with anything. */
export function editErrors(draft: EditDraft, original: EditDraft): ReadonlySet<EditError> {
  const errors = new Set<EditError>()
  if (draft.method !== original.method && !METHOD.test(draft.method)) errors.add('method')
  if (draft.url !== original.url && !URL_TARGET.test(draft.url)) errors.add('url')
  if (sameHeaders(draft.headers, original.headers)) return errors
  for (const [index, { name, value }] of draft.headers.entries()) {
    if (!NAME.test(name)) errors.add(`name-${index}`)
    if (!VALUE.test(value)) errors.add(`value-${index}`)
  }
  return errors
}

/** Of its UTF-8 bytes. */
export function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    binary += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(binary)
}

/** What is sent instead of the delivery's own; undefined when nothing was changed. */
export function editOf(draft: EditDraft, original: EditDraft): Edit | undefined {
  const changed = changedParts(draft, original)
  if (changed.size === 0) return undefined
  const { body } = draft
  return {
    ...(draft.method === original.method ? {} : { method: draft.method }),
    ...(draft.url === original.url ? {} : { url: draft.url }),
    ...(changed.has('headers')
      ? { headers: draft.headers.map(({ name, value }) => [name, value] as const) }
      : {}),
    ...(changed.has('body') && body.editable
      ? { bodyBase64: base64Of(body.crlf ? body.text.replaceAll('\n', '\r\n') : body.text) }
      : {}),
  }
}
