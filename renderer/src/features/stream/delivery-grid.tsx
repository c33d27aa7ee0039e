// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>

import { ArrowUp } from 'lucide-react'
import { type MouseEvent, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { LatePopup, useIdle } from '@/shared/components/late-popup.tsx'
import { useWidth } from '@/shared/components/use-width.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { late, lateView } from '@/shared/i18n/texts.ts'
import { gridCame } from '@/shared/live/focus.ts'
import { useChosen, useCursor, useSelection } from '@/shared/live/pointing.ts'
import { STREAM } from './actions.ts'
import styles from './grid.module.css'
import { GridRow, useCellText } from './grid-row.tsx'
import { chooseOne, chooseTo, pressedRow } from './moving.ts'
import { PlainHeader } from './plain-header.tsx'
import { ColumnsTrigger } from './triggers.tsx'
import { type Columns, INSET_PX, useColumns } from './use-columns.ts'
import { dayOf, HEADER_PX, type ListView, ROW_PX, useSharedView } from './use-list-view.ts'

/** A bar below the list, so that it neither covers nor moves a row. */
const LIST_BAR =
  'flex flex-wrap flex-none items-center gap-6 min-h-31 px-12 py-4 border-t border-line bg-panel text-fg-2 text-s tabular-nums'

const ChosenBar = lateView([], async () => (await import('./chosen-bar.tsx')).ChosenBar)

function Chosen() {
  const { all, ids } = useChosen()
  const { total } = useSharedView().state
  return (all ? total : ids.size) > 1 ? (
    <div className={LIST_BAR}>
      <ChosenBar />
    </div>
  ) : null
}

/** Number of deliveries since the list stopped, and a button to the newest. Below the list, so that it moves no row. */
function NewBar() {
  const { t } = useTranslation('stream')
  const { state, shown, follow, toNewest } = useSharedView()
  const hint = useKeyHint()
  const count = state.total - shown
  if (state.sort || (count <= 0 && !follow.paused)) return null
  return (
    <div className={LIST_BAR}>
      <span>{t(follow.paused ? 'paused' : 'held')}</span>
      {count > 0 ? (
        <Button
          small
          variant="primary"
          icon={<ArrowUp />}
          title={t('toNewest')}
          kbd={hint(STREAM.follow)}
          onClick={toNewest}
        >
          {t('new', { count })}
        </Button>
      ) : null}
    </div>
  )
}

const DAY =
  'absolute z-[calc(var(--layer-header)_+_1)] inset-x-0 h-0 -mt-1 border-t border-line-strong pointer-events-none'

/** A date on the line between two rows; assistive technology reads it in the time cell. */
function DayLabel({ day, top }: { readonly day: number; readonly top: number }) {
  return (
    <div aria-hidden="true" className={DAY} style={{ top }}>
      <span
        className={cx(
          'absolute -top-7 left-8 px-5 border border-line-strong rounded-4 bg-panel text-fg-2 tabular-nums!',
          '[font:500_10px_/_11px_var(--font-ui)]',
        )}
      >
        {useFormat().weekday(day)}
      </span>
    </div>
  )
}

function TopDay({ view }: { readonly view: ListView }) {
  if (view.state.sort || view.top === null || view.top === dayOf(Date.now() * 1_000)) return null
  return <DayLabel day={view.top} top={HEADER_PX} />
}

function DayChanges({ view, drawn }: { readonly view: ListView; readonly drawn: readonly number[] }) {
  if (view.state.sort) return null
  const dayAt = (index: number) => {
    const at = list.row(view.shown - 1 - index)?.receivedAt
    return at === undefined ? undefined : dayOf(at)
  }
  return drawn.map((index, place) => {
    const day = dayAt(index)
    const above = index === 0 ? undefined : dayAt(index - 1)
    // The sticky label at the top already shows the first day.
    if (day === undefined || above === undefined || day === above || day === view.top) return null
    return <DayLabel key={day} day={day} top={place * ROW_PX} />
  })
}

/** Loaded after the first rows, which need no menus, dragging or resizing. */
const GridHeader = late([], async () => (await import('./grid-header.tsx')).GridHeader)
const ColumnsMenu = late([], async () => (await import('./columns-menu.tsx')).ColumnsMenu)

const rowId = (position: number): string => `delivery-${position}`

/** Width of a row with gaps and padding (grid.module.css), px. */
const leastWidth = ({ width, visible }: Columns): number => width + 8 * (visible.length - 1) + INSET_PX

function openAt(view: ListView, event: MouseEvent): void {
  const pressed = pressedRow(event, view)
  if (!pressed) return
  const { row, position } = pressed
  if (event.shiftKey) {
    // Shift+click would select text.
    getSelection()?.removeAllRanges()
    const from = useCursor.getState().cursor?.position ?? null
    view.point(position)
    void chooseTo(position, from)
  } else if (event.ctrlKey || event.metaKey) chooseOne(row.id, position)
  else {
    useChosen.getState().clear()
    view.open(row, position)
  }
}

/** The visible rows, rendered with every push; `header` is not. */
function Rows({ columns, header }: { readonly columns: Columns; readonly header: ReactNode }) {
  const { t } = useTranslation('stream')
  const text = useCellText()
  const cursor = useCursor((s) => s.cursor)
  const selected = useSelection((s) => s.id)
  const { all, ids } = useChosen()
  const view = useSharedView()
  const { state, shown, rows } = view
  const drawn: number[] = []
  for (let index = rows.first; index < rows.past; index++) drawn.push(index)
  const current = cursor && shown - 1 - cursor.position
  const inView = current !== null && current >= rows.first && current < rows.past
  useEffect(gridCame, [])
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: actions.ts has the keys, for the whole screen */}
      <div
        role="grid"
        aria-label={t(state.sort ? 'gridSorted' : 'grid')}
        aria-rowcount={shown + 1}
        aria-colcount={columns.visible.length}
        aria-busy={state.loading !== null}
        aria-activedescendant={cursor && inView ? rowId(cursor.position) : undefined}
        aria-multiselectable={true}
        tabIndex={0}
        data-grid=""
        data-short={columns.short || undefined}
        ref={rows.scroller}
        className={cx(
          styles.scroller,
          'relative h-full overflow-auto outline-none bg-bg contain-strict [overflow-anchor:none]',
        )}
        style={{
          ['--columns' as string]: columns.template,
          ['--least' as string]: `${leastWidth(columns)}px`,
        }}
        onClick={(event) => openAt(view, event)}
        onContextMenu={(event) => {
          if (event.defaultPrevented) return
          event.preventDefault()
          void import('./row-menu.ts').then(({ menuAt }) => menuAt(event, view, columns.visible))
        }}
      >
        {header}
        <div role="rowgroup" className={styles.rows} style={{ height: rows.height }}>
          <div
            role="presentation"
            className="absolute inset-x-0 top-0 will-change-transform"
            style={{ transform: `translateY(${rows.top}px)` }}
          >
            {drawn.map((index) => {
              const position = shown - 1 - index
              const row = list.row(position)
              return (
                // Keyed by place, not by delivery: in a burst most rows are new, and replacing text costs half of replacing elements.
                <GridRow
                  key={index}
                  row={row}
                  index={index}
                  elementId={rowId(position)}
                  columns={columns.visible}
                  selected={row !== undefined && row.id === selected}
                  chosen={row !== undefined && (all || ids.has(row.id))}
                  current={cursor?.position === position}
                  text={text}
                />
              )
            })}
            <DayChanges view={view} drawn={drawn} />
          </div>
        </div>
      </div>
      <TopDay view={view} />
      {state.loading === 'switching' ? (
        <div
          className={cx(
            styles.switching,
            'absolute z-[calc(var(--layer-header)_+_2)] top-26 left-0 right-0 h-2 overflow-hidden',
          )}
        />
      ) : null}
    </>
  )
}

export function DeliveryGrid() {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useColumns(useWidth(frame) || innerWidth)
  const [said, setSaid] = useState('')
  const idle = useIdle()
  const header = useMemo(() => {
    const plain = <PlainHeader visible={columns.visible} />
    if (!idle) return plain
    return (
      <Suspense fallback={plain}>
        <GridHeader columns={columns} onSay={setSaid} />
      </Suspense>
    )
  }, [columns, idle])
  return (
    <div ref={frame} className="relative flex flex-col min-w-0 min-h-0 h-full">
      <div className="relative flex-1 min-h-0">
        <Rows columns={columns} header={header} />
      </div>
      <Chosen />
      <NewBar />
      <span role="status" className="visually-hidden">
        {said}
      </span>
      <div
        className={cx(
          'absolute z-[calc(var(--layer-header)_+_1)] top-0 right-0 flex items-center h-25 pr-4 pl-5',
          'border-l border-line-soft bg-panel',
        )}
      >
        <LatePopup trigger={(press) => <ColumnsTrigger onClick={press} />}>
          {(open) => <ColumnsMenu columns={columns} defaultOpen={open} />}
        </LatePopup>
      </div>
    </div>
  )
}
