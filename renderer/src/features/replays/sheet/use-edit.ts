import { useEffect, useState } from 'react'
import type { DeliveryDetail } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { bodyDraftOf, EDITED_MOST, type EditDraft } from '@/shared/targets/edit-draft.ts'

export interface Editing {
  readonly detail: DeliveryDetail
  readonly original: EditDraft
  readonly draft: EditDraft
}

function bytesOf(base64: string): Uint8Array {
  const binary = atob(base64)
  return Uint8Array.from(binary, (c) => c.charCodeAt(0))
}

/** Secrets are read too: a list of headers is sent as a whole, and a description in place of a value would go out as one. */
async function begin(id: number): Promise<Editing> {
  const [detail, revealed] = await Promise.all([
    api.call('deliveries.get', { id }),
    api.call('deliveries.get', { id, reveal: true }),
  ])
  const bytes =
    detail.size > EDITED_MOST
      ? undefined
      : bytesOf(
          (await api.call('deliveries.body', { id, view: 'raw', from: 0, length: EDITED_MOST })).bytesBase64,
        )
  const original: EditDraft = {
    method: detail.method,
    url: revealed.url,
    headers: revealed.headers.map(({ name, value }, key) => ({
      key,
      name,
      value,
      secret: detail.headers[key]?.masked ?? false,
    })),
    body: bodyDraftOf(bytes, detail.codings),
  }
  return { detail, original, draft: original }
}

/** A delivery with the copy of it that is being edited; null while it is read. */
export function useEdit(id: number | null): {
  readonly editing: Editing | null
  readonly refusal: Refusal | null
  change(part: Partial<EditDraft>): void
} {
  const [editing, setEditing] = useState<Editing | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  useEffect(() => {
    setEditing(null)
    setRefusal(null)
    if (id === null) return
    let current = true
    begin(id).then(
      (begun) => current && setEditing(begun),
      (error: unknown) => current && setRefusal(refusalOf(error)),
    )
    return () => {
      current = false
    }
  }, [id])
  return {
    editing,
    refusal,
    change: (part) => setEditing((now) => now && { ...now, draft: { ...now.draft, ...part } }),
  }
}
