import type { MouseEvent } from 'react'
import type { DeliveryRow } from '#contract/delivery.ts'
import { type ContextGroups, showMenu } from '@/shared/actions/context.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { type ColumnId, columnNamed } from '@/shared/deliveries/columns.ts'
import { filterSubmenus, valueActions } from '@/shared/deliveries/value-actions.ts'
import { condition } from '@/shared/live/filter-edit.ts'
import { useExporting } from '@/shared/live/layers.ts'
import { useChosen } from '@/shared/live/pointing.ts'
import { useRoute } from '@/shared/live/route.ts'
import { STREAM } from './actions.ts'
import { pressedRow } from './moving.ts'
import type { ListView } from './use-list-view.ts'

/** Filter condition of a cell's value; absent columns have none. */
const TERMS: Readonly<Partial<Record<ColumnId, (row: DeliveryRow) => string | null>>> = {
  kind: ({ kind, event }) => condition(kind === null ? '$.Event' : 'kind', kind ?? event),
  document: ({ number, documentId }) => condition('number', number) ?? condition('doc', documentId),
  party: ({ document }) => condition('party', document?.party ?? null),
  verdict: ({ verdict }) => condition('verdict', verdict),
  tags: ({ tags: [first] }) => condition('tag', first ?? null),
  answer: ({ answer }) => condition('answer', answer),
  endpoint: ({ endpoint }) => condition('endpoint', endpoint),
  method: ({ method }) => condition('method', method),
}

/** @param cell clicked column; null: opened by a key, for the row */
function rowMenu(row: DeliveryRow, cell: ColumnId | null): ContextGroups {
  const { documentId } = row
  const value = cell === null ? null : columnNamed(cell)?.value(row)
  const text = value instanceof Date ? value.toISOString() : value == null ? '' : String(value)
  const terms = Object.values(TERMS).flatMap((of) => of(row) ?? [])
  return [
    [STREAM.open, STREAM.inWindow],
    cell === null
      ? filterSubmenus(terms)
      : valueActions({ term: TERMS[cell]?.(row) ?? null, text: text === '' ? undefined : text }),
    [DELIVERY.replay, DELIVERY.replaySheet, DELIVERY.compare],
    [
      DELIVERY.copyText,
      DELIVERY.copyJson,
      DELIVERY.copyCurl,
      onThis('export-row', 'stream:chosen.export', () => useExporting.getState().open('row')),
    ],
    documentId === null
      ? []
      : [
          onThis('document', 'on.document', () =>
            useRoute.getState().go('documents', encodeURIComponent(documentId.toLowerCase())),
          ),
          copyAction('copy-id', 'on.copyId', documentId),
        ],
    [DELIVERY.pin, DELIVERY.tags, DELIVERY.note],
    [{ ...DELIVERY.delete, danger: true }],
  ]
}

/** Moves the cursor to the clicked row and opens its menu, which applies to all selected rows. */
export function menuAt(event: MouseEvent, view: ListView, visible: readonly ColumnId[]): void {
  const pressed = pressedRow(event, view)
  if (!pressed) return
  const { row, position } = pressed
  const { all, ids, clear } = useChosen.getState()
  if (!all && !ids.has(row.id)) clear()
  view.point(position)
  const cell = (event.target as Element).closest('[aria-colindex]')
  showMenu(event, rowMenu(row, visible[Number(cell?.getAttribute('aria-colindex')) - 1] ?? null))
}
