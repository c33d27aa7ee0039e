import { useState } from 'react'
import type { DocumentEntry, DocumentsParams } from '#contract/documents.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useGathered } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type PagedRows, usePagedRows } from '@/shared/live/paged-rows.ts'

/** Refresh interval of visible rows while deliveries arrive. */
const RENEW_MS = 1_500
/** The host keeps an order for three seconds while documents change, so the last change needs a later read. */
const LAST_MS = 3_500

export type DocumentsQuery = Pick<DocumentsParams, 'query' | 'gaps' | 'sort'>
export type DocumentRows = PagedRows<DocumentEntry>

export function useDocuments(query: DocumentsQuery): DocumentRows {
  const [beat, setBeat] = useState(0)
  // Any delivery may change any document.
  useGathered(list.subscribe, RENEW_MS, () => setBeat((now) => now + 1), LAST_MS)
  return usePagedRows<DocumentEntry>({
    scope: JSON.stringify(query),
    beat,
    page: 100,
    async read(from, limit) {
      const { entries, total } = await api.call('documents.page', { ...query, from, limit })
      return { rows: entries, total }
    },
  })
}
