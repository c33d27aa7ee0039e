import { Ellipsis } from 'lucide-react'
import { type Key, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askMenu, type ContextGroups, openMenu } from '@/shared/actions/context.ts'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

const TABLE = cx(
  'w-full border-collapse text-s',
  '[&_:is(th,td)]:py-3 [&_:is(th,td)]:pr-8 [&_:is(th,td)]:pl-0 [&_:is(th,td)]:border-b',
  '[&_:is(th,td)]:border-line-soft [&_:is(th,td)]:font-normal [&_:is(th,td)]:text-start',
  '[&_thead_th]:text-fg-3 [&_thead_th]:font-medium',
)
const END = 'text-end! tabular-nums'

/** A column for `Table` and `DataGrid`. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id
  /** A `DataGrid` without any titles has no header row. */
  readonly title?: string
  /** The heading is for assistive technology only. */
  readonly untitled?: boolean
  /** Its part of `grid-template-columns` in a `DataGrid`. */
  readonly track?: string
  /** Right-aligns numbers, so that their digits line up. */
  readonly end?: boolean
  readonly className?: string | undefined
  /** Makes the column sortable; the first direction is ascending or descending. */
  readonly sort?: 'up' | 'down'
  /** The column holds the row headers of a `Table`. */
  readonly names?: boolean
  /** Null where an earlier cell spans this column. */
  readonly cell: (row: Row) => Cell | string | null
}
export interface Cell {
  readonly content: ReactNode
  readonly title?: string | undefined
  readonly className?: string | undefined
  /** Number of columns, its own included. */
  readonly span?: number
}
export const cellOf = (cell: Cell | string): Cell => (typeof cell === 'string' ? { content: cell } : cell)

export interface TableProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => Key
  readonly rowClass?: (row: Row) => string | undefined
  readonly className?: string | undefined
  readonly caption?: string
  /** A row's context menu: by right click, by menu key inside the row, and by the button at its end. */
  readonly menu?: (row: Row) => ContextGroups
}

/** A static table that draws all rows, without cursor or selection. Long or navigable lists use `DataGrid`. */
export function Table<Row>({ columns, rows, keyOf, rowClass, className, caption, menu }: TableProps<Row>) {
  const { stopOf, onKeyDown } = useMenuStops(rows[0] && keyOf(rows[0]))
  return (
    <table className={cx(TABLE, className)} onKeyDown={menu && onKeyDown}>
      {caption === undefined ? null : <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ id, title, end, className: own }) => (
            <th key={id} scope="col" className={cx(end && END, own)}>
              {title}
            </th>
          ))}
          {menu ? <td /> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className={rowClass?.(row)}
            data-menu-row=""
            onContextMenu={menu && ((event) => openMenu(event, () => menu(row)))}
          >
            {columns.map((column) => (
              <TableCell key={column.id} column={column} row={row} />
            ))}
            {menu ? (
              <td className="w-22 p-0!">
                <MenuButton name={String(keyOf(row))} {...stopOf(keyOf(row))} />
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function TableCell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { names, end, className: own, cell } = column
  const drawn = cell(row)
  if (drawn === null) return null
  const { content, title, className, span } = cellOf(drawn)
  const shown = { title, className: cx(end && END, own, className), colSpan: span }
  return names ? (
    <th scope="row" {...shown}>
      {content}
    </th>
  ) : (
    <td {...shown}>{content}</td>
  )
}

export interface MenuButtonProps {
  /** Name of the menu's subject. */
  readonly name: string
  readonly stop: boolean
  readonly onFocus: () => void
}

/** Opens its row's menu by keyboard or click, without a right click. Visible while its `data-menu-row` is hovered or focused. */
export function MenuButton({ name, stop, onFocus }: MenuButtonProps) {
  const { t } = useTranslation('components')
  return (
    <IconButton
      small
      data-menu-button=""
      aria-haspopup="menu"
      className="opacity-0 in-[[data-menu-row]:is(:hover,:focus-within)]:opacity-100"
      tabIndex={stop ? 0 : -1}
      label={t('menu', { name })}
      icon={<Ellipsis />}
      onFocus={onFocus}
      onClick={(event) => askMenu(event.currentTarget)}
    />
  )
}

/**
 * Makes many such buttons one tab stop; arrow keys move between the rows, and within a row to its other buttons.
 * @param first the initial tab stop
 */
export function useMenuStops<Key>(first: Key) {
  const [at, setAt] = useState<Key | null>(null)
  const stopOf = (key: Key) => ({ stop: key === (at ?? first), onFocus: () => setAt(key) })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const { target, currentTarget } = event
    if (step === undefined || !(target instanceof HTMLButtonElement)) return
    const inRow = /Left|Right/.test(event.key)
    const row = target.closest('[data-menu-row]')
    const places = (inRow ? row : currentTarget)?.querySelectorAll<HTMLElement>(
      inRow ? 'button' : '[data-menu-button]',
    )
    const buttons = [...(places ?? [])]
    const place = buttons.indexOf(target)
    if (place < 0) return
    event.preventDefault()
    buttons[place + step]?.focus()
  }
  return { stopOf, onKeyDown }
}
