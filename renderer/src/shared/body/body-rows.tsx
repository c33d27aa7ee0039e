import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import type { VirtualRows } from '@/shared/components/use-virtual-rows.ts'
import styles from './body-rows.module.css'
import type { BodyRow, BodyView } from './protocol.ts'
import type { BodyRows as Rows } from './use-body-rows.ts'

export interface BodyRowsProps {
  readonly view: BodyView
  readonly rows: Rows
  readonly virtual: VirtualRows
  /** The row that the keys act on. */
  readonly cursor: number
  readonly onCursor: (row: number) => void
  readonly onFold: (line: number, folded: boolean) => void
}

export const BODY_ROW = 18
/** Deeper levels are drawn at this one: five million of them would be wider than any screen. */
const DEEPEST = 40

/** The visible rows of a body. Rows are text nodes in spans, whatever the body holds. */
export function BodyRows({ view, rows, virtual, cursor, onCursor, onFold }: BodyRowsProps) {
  const { t } = useTranslation('detail')
  const id = useId()
  const { first, past } = virtual
  // Runs after every drawing: an epoch that ended needs its rows again.
  useEffect(() => rows.want(first, past))
  const digits = String(rows.total).length
  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.total - 1, to))
    onCursor(next)
    virtual.reveal(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows.at(cursor)
    switch (event.key) {
      case 'ArrowDown':
        move(cursor + 1)
        break
      case 'ArrowUp':
        move(cursor - 1)
        break
      case 'PageDown':
        move(cursor + virtual.pageRows)
        break
      case 'PageUp':
        move(cursor - virtual.pageRows)
        break
      case 'Home':
        move(0)
        break
      case 'End':
        move(rows.total - 1)
        break
      case 'ArrowRight':
        if (row?.folded !== true) return
        onFold(row.at, false)
        break
      case 'ArrowLeft':
        if (row?.folded !== false) return
        onFold(row.at, true)
        break
      case 'Enter':
        if (!row || row.folded === null) return
        onFold(row.at, !row.folded)
        break
      default:
        return
    }
    event.preventDefault()
  }
  return (
    <div
      ref={virtual.scroller}
      className={styles.scroller}
      tabIndex={0}
      role="tree"
      aria-label={t(`raw.rows.${view}`)}
      aria-activedescendant={rows.at(cursor) ? `${id}-${cursor}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        className="relative overflow-clip w-[max-content] min-w-full"
        style={{ height: virtual.height }}
      >
        <div
          role="presentation"
          className="will-change-transform"
          style={{ transform: `translateY(${virtual.top}px)` }}
        >
          {Array.from({ length: Math.max(0, past - first) }, (_, k) => {
            const index = first + k
            const row = rows.at(index)
            return row ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the scroller takes the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the scroller has the focus, the row is its active descendant
              <div
                key={index}
                id={`${id}-${index}`}
                role="treeitem"
                aria-selected={index === cursor}
                aria-level={row.depth + 1}
                {...(row.stretches.length === 0 ? { 'aria-label': t('raw.blank') } : {})}
                {...(row.folded === null ? {} : { 'aria-expanded': !row.folded })}
                className={cx(styles.row, view === 'hex' && 'pl-14', index === cursor && styles.cursor)}
                onClick={() => onCursor(index)}
              >
                {view === 'hex' ? null : (
                  <span
                    className={cx(
                      styles.gutter,
                      'sticky z-1 left-0 flex-none pr-20 bg-bg text-fg-3 text-xs text-right select-none',
                    )}
                    style={{ width: `calc(${digits}ch + 26px)` }}
                    aria-hidden="true"
                  >
                    {row.number}
                    {row.folded === null ? null : (
                      // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keys are the tree's
                      // biome-ignore lint/a11y/useKeyWithClickEvents: as above
                      <span
                        className="absolute top-1 right-2 grid place-items-center rounded-3 size-16 hover:bg-line hover:text-fg [&_svg]:size-12"
                        onClick={(event) => {
                          event.stopPropagation()
                          onFold(row.at, !row.folded)
                        }}
                      >
                        {row.folded ? <ChevronRight /> : <ChevronDown />}
                      </span>
                    )}
                  </span>
                )}
                <RowText row={row} />
              </div>
            ) : (
              <div key={index} role="presentation" className={styles.row} />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function RowText({ row }: { readonly row: BodyRow }) {
  return (
    <span className={styles.text} style={{ paddingLeft: `${Math.min(row.depth, DEEPEST) * 2}ch` }}>
      {row.stretches.map(([ink, text, hit], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no identity but their place
        <span key={index} className={cx(styles[ink], hit === 1 && styles.hit, hit === 2 && styles.present)}>
          {text}
        </span>
      ))}
    </span>
  )
}
