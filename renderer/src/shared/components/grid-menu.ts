import type { MouseEvent } from 'react'
import { type ContextGroups, openMenu } from '@/shared/actions/context.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import type { Column } from './table.tsx'

export interface Sorted<Id extends string> {
  readonly by: Id
  readonly descending: boolean
}

interface Grid<Row, Id extends string, K> {
  readonly columns: readonly Column<Row, Id>[]
  readonly rows: { row(at: number): Row | undefined }
  readonly keyOf: (row: Row) => K
  readonly sorted?: Sorted<Id>
  readonly onSort?: (sorted: Sorted<Id>) => void
  readonly onOpen: (key: K) => void
  readonly menu?: (row: Row, cell: Id | null) => ContextGroups
}

/**
 * Right-click handler of a grid: opens the menu of a row, or of a sortable heading.
 * @param firstRow `aria-rowindex` of the first row @param onPoint receives the row before its menu opens
 */
export function gridMenu<Row, Id extends string, K extends string | number>(
  { columns, rows, keyOf, sorted, onSort, onOpen, menu }: Grid<Row, Id, K>,
  firstRow: number,
  onPoint: (index: number, row: Row) => void,
) {
  const ofHeading = (event: MouseEvent, by: Id) =>
    openMenu(event, () => [
      ([false, true] as const).map((descending) =>
        onThis(
          `sort-${descending}`,
          descending ? 'stream:sort.down' : 'stream:sort.up',
          () => onSort?.({ by, descending }),
          { checked: () => sorted?.by === by && sorted.descending === descending },
        ),
      ),
    ])
  return (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const cell = event.target.closest<HTMLElement>('[data-column]')
    const column = columns.find(({ id }) => id === cell?.dataset.column)
    if (event.target.closest('[role="columnheader"]'))
      return column?.sort && sorted ? ofHeading(event, column.id) : undefined
    const line = event.target.closest<HTMLElement>('[data-key]')
    const index = Number(line?.getAttribute('aria-rowindex')) - firstRow
    const row = line ? rows.row(index) : undefined
    if (!line || !row) return
    onPoint(index, row)
    // `innerText` separates the blocks of a cell by line breaks; `textContent` joins their words.
    // biome-ignore lint/performance/useDomNodeTextContent: as above
    const textOf = (one: HTMLElement) => one.innerText.replaceAll(/\s+/g, ' ').trim()
    const cells = [...line.querySelectorAll<HTMLElement>('[data-column]')].map(textOf)
    const value = cell ? textOf(cell) : ''
    openMenu(event, () => [
      [onThis('open-row', 'on.open', () => onOpen(keyOf(row)), { keys: [['Enter']] })],
      ...(menu?.(row, column?.id ?? null) ?? []),
      [
        ...(value === '' ? [] : [copyAction('copy-value', 'on.copyValue', value)]),
        copyAction('copy-row', 'on.copyRow', cells.join('\t')),
      ],
    ])
  }
}
