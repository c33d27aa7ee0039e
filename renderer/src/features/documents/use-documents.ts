import { useEffect, useState } from 'react'
import type { DocumentEntry, DocumentsParams } from '#contract/documents.ts'
import { list } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { type PagedRows, usePagedRows } from '@/shared/live/paged-rows.ts'

/** While deliveries arrive, what is in sight is read again this often. */
const RENEW_MS = 1_500

export type DocumentsQuery = Pick<DocumentsParams, 'query' | 'gaps' | 'sort'>
export type DocumentRows = PagedRows<DocumentEntry>

/** Rises as deliveries arrive, which may change any document. */
function useArrivals(): number {
  const [beat, setBeat] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = list.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setBeat((now) => now + 1)
      }, RENEW_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return beat
}

/** Documents by position in the order asked for. */
export function useDocuments(query: DocumentsQuery): DocumentRows {
  return usePagedRows<DocumentEntry>({
    scope: JSON.stringify(query),
    beat: useArrivals(),
    page: 100,
    async read(from, limit) {
      const { entries, total } = await api.call('documents.page', { ...query, from, limit })
      return { rows: entries, total }
    },
  })
}
