// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants

import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent as Key, type PointerEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SortKey } from '#contract/order.ts'
import { cx } from '@/shared/components/cx.ts'
import { Menu, type MenuEntry } from '@/shared/components/menu.tsx'
import { addVaried, type ColumnId, columnNamed } from '@/shared/deliveries/columns.ts'
import { sortNow, useSort } from '@/shared/deliveries/list.ts'
import { api } from '@/shared/live/api.ts'
import { columnEntries } from './columns-menu.tsx'
import { HeadingName, Headings, nameClass } from './plain-header.tsx'
import { type Columns, directionOf, sortBy, sortKeyOf, sortOn } from './use-columns.ts'

const STEP_PX = 24
/** Padding of a cell's text, px. */
const FIT_PX = 12

const MORE = cx(
  'absolute top-4 grid place-items-center w-18 h-17 p-0 border-0 rounded-4 bg-panel text-fg-2',
  'opacity-0 cursor-default',
  'hover:bg-hover hover:text-fg focus-visible:opacity-100 data-[state=open]:bg-hover',
  'data-[state=open]:text-fg data-[state=open]:opacity-100',
  '[[role=columnheader]:hover_&]:opacity-100 [&_svg]:size-12',
)
const HANDLE = cx(
  'absolute z-1 top-5 -right-8 bottom-5 w-8 border-0 bg-transparent cursor-col-resize touch-none',
  'after:absolute after:inset-x-[3.5px] after:inset-y-0 after:rounded-1',
  'after:[transition:background-color_var(--ease)] hover:after:inset-x-3 hover:after:-inset-y-5',
  'hover:after:bg-accent data-resizing:after:inset-x-3 data-resizing:after:-inset-y-5',
  'data-resizing:after:bg-accent',
  '[[role=rowgroup]:hover_&:not(:hover,[data-resizing])]:after:bg-line',
)
const DROP = 'before:absolute before:inset-y-2 before:w-2 before:rounded-1 before:bg-accent'

interface Drag {
  readonly id: ColumnId
  readonly over: ColumnId
}

/** Left and Right move between headings, of which only one is a tab stop. */
function walk(event: Key<HTMLElement>): void {
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-heading]')]
  const at = names.indexOf(document.activeElement as HTMLElement)
  const next = names[at + (event.key === 'ArrowRight' ? 1 : -1)]
  if (at < 0 || !next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}

/** Asks the store which columns vary, because the visible rows do not show it. A refusal changes nothing. */
async function askVaried(): Promise<void> {
  const counted = async (field: 'endpoint' | 'method' | 'tag' | 'has') =>
    (await api.call('filter.counts', { field, filter: '' }).catch(() => ({ counts: [] }))).counts
  const [endpoints, methods, tags, has] = await Promise.all([
    counted('endpoint'),
    counted('method'),
    counted('tag'),
    counted('has'),
  ])
  if (endpoints.length > 1) addVaried('endpoint')
  if (methods.some(({ value }) => value !== 'POST')) addVaried('method')
  if (tags.length > 0) addVaried('tags')
  if (has.some(({ value }) => value === 'attempt')) addVaried('attempts')
}

const item = (label: string, onSelect: () => void, disabled = false): MenuEntry => ({
  type: 'item',
  label,
  disabled,
  onSelect,
})

export function GridHeader(props: { readonly columns: Columns; readonly onSay: (sentence: string) => void }) {
  const { columns, onSay } = props
  const { t } = useTranslation('stream')
  const [drag, setDrag] = useState<Drag | null>(null)
  const [resizing, setResizing] = useState<ColumnId | null>(null)
  const [menu, setMenu] = useState<ColumnId | null>(null)
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => void askVaried(), [])
  const sort = useSort()
  const order = (by: SortKey, column: string, go: () => void) => {
    go()
    const now = directionOf(sortNow(), by)
    onSay(now ? t(`sort.${now}`, { column }) : t('sort.arrival'))
  }
  const nudge = (id: ColumnId, by: -1 | 1) => {
    const place = columns.nudge(id, by)
    if (place) onSay(t('columns.moved', { column: t(`column.${id}`), place }))
  }
  /** Rendered widths of growing columns up to one column, px. */
  const drawnTo = (id: ColumnId) => {
    const headings = [...(row.current?.children ?? [])].slice(0, columns.visible.indexOf(id) + 1)
    const widths = headings.map((heading) => heading.getBoundingClientRect().width)
    return Object.fromEntries(columns.visible.flatMap((one, i) => (widths[i] ? [[one, widths[i]]] : [])))
  }
  const resize = (id: ColumnId) => (event: PointerEvent<HTMLElement>) => {
    const drawn = drawnTo(id)
    const { currentTarget: handle, pointerId, clientX } = event
    event.preventDefault()
    handle.setPointerCapture(pointerId)
    // Hold the columns before it: if they changed, the edge would move away from the pointer.
    columns.hold(drawn)
    setResizing(id)
    handle.onpointermove = (moved) => columns.widen(id, moved.clientX - clientX, drawn[id])
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
      columns.hold({})
      setResizing(null)
    }
  }
  const widen = (id: ColumnId, by: number) => columns.widen(id, by, drawnTo(id)[id])
  /** Sets the width of the widest rendered cell. */
  const fitTo = (id: ColumnId) => {
    const place = columns.visible.indexOf(id) + 1
    const cells = row.current?.closest('[role="grid"]')?.querySelectorAll(`[aria-colindex="${place}"]`) ?? []
    const widths = [...cells].map((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell.querySelector('[data-heading]') ?? cell)
      return range.getBoundingClientRect().width
    })
    columns.widen(id, Math.max(...widths) + FIT_PX, 0)
  }
  const dropSide = (id: ColumnId) =>
    drag && drag.over === id && drag.id !== id
      ? columns.visible.indexOf(drag.id) < columns.visible.indexOf(id)
        ? `${DROP} before:-right-5`
        : `${DROP} before:-left-5`
      : undefined
  return (
    <Headings
      visible={columns.visible}
      row={row}
      onKeyDown={walk}
      heading={(id, i, sorted) => {
        const name = t(`column.${id}`)
        const by = sortKeyOf(id)
        return {
          className: cx(drag?.id === id && 'opacity-50', dropSide(id)),
          onContextMenu: (event) => {
            event.preventDefault()
            setMenu(id)
          },
          onDragOver: (event) => {
            if (!drag) return
            event.preventDefault()
            if (drag.over !== id) setDrag({ ...drag, over: id })
          },
          onDrop: (event) => {
            event.preventDefault()
            if (drag) columns.move(drag.id, id)
            setDrag(null)
          },
          children: (
            <>
              <button
                type="button"
                data-heading={id}
                tabIndex={i === 0 ? 0 : -1}
                className={nameClass(columns.visible, i)}
                title={t('sort.hint', { column: name })}
                onClick={() => order(by, name, () => sortOn(by, sort))}
                onKeyDown={(event) => {
                  if (event.key !== 'ArrowDown') return
                  event.preventDefault()
                  event.stopPropagation()
                  setMenu(id)
                }}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', name)
                  setDrag({ id, over: id })
                }}
                onDragEnd={() => setDrag(null)}
              >
                <HeadingName id={id} sorted={sorted} />
              </button>
              <Menu
                open={menu === id}
                onOpen={(open) => setMenu(open ? id : null)}
                trigger={
                  <button
                    type="button"
                    tabIndex={-1}
                    className={cx(
                      MORE,
                      // At the end of a column of figures the button would cover the name.
                      columnNamed(id)?.end
                        ? '-left-3 [box-shadow:6px_0_5px_var(--panel)]'
                        : '-right-3 [box-shadow:-6px_0_5px_var(--panel)]',
                    )}
                    aria-label={t('columns.menu', { column: name })}
                  >
                    <ChevronDown aria-hidden="true" />
                  </button>
                }
                entries={[
                  item(t('sort.up'), () => order(by, name, () => sortBy(by, false)), sorted === 'ascending'),
                  item(
                    t('sort.down'),
                    () => order(by, name, () => sortBy(by, true)),
                    sorted === 'descending',
                  ),
                  { type: 'separator' },
                  item(t('columns.left'), () => nudge(id, -1), i === 0),
                  item(t('columns.right'), () => nudge(id, 1), i === columns.visible.length - 1),
                  item(t('columns.fit'), () => fitTo(id)),
                  item(t('columns.wider'), () => widen(id, STEP_PX)),
                  item(t('columns.narrower'), () => widen(id, -STEP_PX)),
                  { type: 'separator' },
                  item(t('columns.hide'), () => columns.setVisible(id, false), columns.visible.length === 1),
                  ...columnEntries(columns, t),
                ]}
              />
              <span
                aria-hidden="true"
                className={HANDLE}
                data-testid={`resize-${id}`}
                data-resizing={resizing === id || undefined}
                onPointerDown={resize(id)}
                onDoubleClick={() => columns.resize(id)}
              />
            </>
          ),
        }
      }}
    />
  )
}
