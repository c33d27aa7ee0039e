import type { DocumentClass, DocumentRow } from '#contract/reconcile.ts'
import { api } from '@/shared/live/api.ts'
import { type PagedRows, usePagedRows } from '@/shared/live/paged-rows.ts'

export interface RowsQuery {
  readonly sweep: number
  /** Empty: every class. */
  readonly classes: readonly DocumentClass[]
  readonly text: string
  /** Rises when the same question has another answer. */
  readonly beat: number
}

export type Rows = PagedRows<DocumentRow>

/** Rows of a reconciliation by position, read as they come into sight. */
export function useRows({ sweep, classes, text, beat }: RowsQuery): Rows {
  return usePagedRows<DocumentRow>({
    scope: JSON.stringify([sweep, classes, text]),
    beat,
    page: 200,
    read: (from, limit) =>
      api.call('reconciliation.rows', {
        sweep,
        ...(classes.length === 0 ? {} : { classes }),
        ...(text === '' ? {} : { text }),
        from,
        limit,
      }),
  })
}
