import type { Edit } from '#contract/replay.ts'
import { base64Of, exactText } from '#core/copy/copy.ts'
import type { Form } from '@/shared/forms/form.ts'
import type { HeaderDraft } from '@/shared/headers/header-table.tsx'

/** Limit in bytes of a body to edit in the text field. */
export const EDITED_MOST = 1024 * 1024

export type BodyDraft =
  | {
      readonly editable: true
      /** With LF line ends only, as a text field returns it. */
      readonly original: string
      readonly text: string
      /** The body had CR LF line ends, which the edit restores. */
      readonly crlf: boolean
    }
  | { readonly editable: false; readonly why: 'large' | 'binary' | 'coded' | 'lineEnds' }

/** A body is editable only if a text field preserves its bytes. @param bytes undefined: too large to load */
export function bodyDraftOf(bytes: Uint8Array | undefined, codings: readonly string[]): BodyDraft {
  if (codings.length > 0) return { editable: false, why: 'coded' }
  if (bytes === undefined || bytes.length > EDITED_MOST) return { editable: false, why: 'large' }
  const text = exactText(bytes)
  if (text === null) return { editable: false, why: 'binary' }
  const plain = text.replaceAll('\r\n', '\n')
  const crlf = plain !== text
  if (plain.includes('\r') || (crlf && plain.replaceAll('\n', '\r\n') !== text))
    return { editable: false, why: 'lineEnds' }
  return { editable: true, original: plain, text: plain, crlf }
}

export interface EditDraft {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderDraft[]
  readonly body: BodyDraft
}

export const PARTS = ['body', 'headers', 'line'] as const
export type Part = (typeof PARTS)[number]

const pairs = (headers: readonly HeaderDraft[]) => headers.map(({ name, value }) => [name, value] as const)
const sameHeaders = (a: EditDraft, b: EditDraft): boolean =>
  JSON.stringify(pairs(a.headers)) === JSON.stringify(pairs(b.headers))

export function changedParts(draft: EditDraft, original: EditDraft): ReadonlySet<Part> {
  const { body } = draft
  const changed = {
    body: body.editable && body.text !== body.original,
    headers: !sameHeaders(draft, original),
    line: draft.method !== original.method || draft.url !== original.url,
  }
  return new Set(PARTS.filter((part) => changed[part]))
}

/** The changed parts without the body. Unchanged parts stay as captured, because a delivery can contain invalid values. */
const headOf = (draft: EditDraft, original: EditDraft): Edit => ({
  ...(draft.method === original.method ? {} : { method: draft.method }),
  ...(draft.url === original.url ? {} : { url: draft.url }),
  ...(sameHeaders(draft, original) ? {} : { headers: pairs(draft.headers) }),
})

/** The changed parts to send; undefined without changes. */
export function editOf(draft: EditDraft, original: EditDraft): Edit | undefined {
  const changed = changedParts(draft, original)
  const { body } = draft
  if (changed.size === 0) return undefined
  const text = changed.has('body') && body.editable ? body : null
  const bytes = text && new TextEncoder().encode(text.crlf ? text.text.replaceAll('\n', '\r\n') : text.text)
  return { ...headOf(draft, original), ...(bytes ? { bodyBase64: base64Of(bytes) } : {}) }
}

export type OneDraft = EditDraft & { readonly times: number | null }

/** The form that sends one delivery. The body is added at the end, so that a keystroke does not validate a megabyte. */
export const editForm = (
  delivery: number,
  original: EditDraft,
  times: number,
): Form<'replay.send', OneDraft> => ({
  command: 'replay.send',
  first: { ...original, times },
  params: (draft) => ({
    delivery,
    // The target picker shows its own errors.
    to: { target: 'target' },
    edit: headOf(draft, original),
    times: draft.times,
  }),
  places: () => ({ 'edit.method': ['method', 'method'], 'edit.url': ['url', 'url'] }),
  *own({ method }) {
    // CONNECT would open a tunnel: the contract accepts it, and Node's client refuses it.
    if (method !== original.method && /^connect$/i.test(method)) yield ['method', 'method']
  },
})
